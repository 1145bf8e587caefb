"""What became of the keys of a version: the report that the command, REST and the page show."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Row

from app.core.errors import NotFound
from app.questions.rechecking import queries
from app.questions.rechecking.checks import VERDICTS, VerdictName
from app.questions.rechecking.on_map import CHANGED, GONE, OUTCOMES, OutcomeName
from app.questions.versions import PublishedVersion, find_version

TOLD = (CHANGED, GONE)
"""Outcomes that a terminal shows one by one."""


class RecheckedKey(BaseModel):
    """One question: its place in the authors' files, and what became of its key."""

    model_config = ConfigDict(frozen=True)

    id: str
    key: str | None = Field(
        description="the question's place in the files of its authors", examples=["id 505"]
    )
    template: str
    verdict: VerdictName
    check: str = Field(description="the kind of the computation")
    working: str = Field(description="the computation in words, or why there is none")
    fault: str | None = Field(description="what is wrong with the question, whatever its key is worth")
    flagged: bool = Field(description="whether the key is contradicted or the question has a fault")


class AnsweredOnMap(BaseModel):
    """One question: what a map that is imported here says of it now."""

    model_config = ConfigDict(frozen=True)

    id: str
    key: str | None = Field(
        description="the question's place in the files of its authors", examples=["wales/distance/1"]
    )
    template: str
    outcome: OutcomeName
    working: str = Field(description="the answer of the map in words, or why there is none")


class MapReport(BaseModel):
    """The questions answered again from one map."""

    model_config = ConfigDict(frozen=True)

    snapshot: str = Field(examples=["wales@2022-07-24T20:21:51Z"])
    checked_at: datetime
    outcomes: dict[str, int] = Field(description="questions by outcome")
    templates: dict[str, dict[str, int]] = Field(description="by template: questions by outcome")
    items: list[AnsweredOnMap]


class RecheckReport(BaseModel):
    """The keys of a version that others published, computed again from each question alone."""

    model_config = ConfigDict(frozen=True)

    dataset: str
    version: int
    checked_at: datetime
    verdicts: dict[str, int] = Field(description="questions by verdict")
    flagged: int = Field(description="questions whose keys are contradicted, or that have a fault")
    checks: dict[str, dict[str, int]] = Field(description="by kind of computation: questions by verdict")
    items: list[RecheckedKey]
    maps: list[MapReport] = Field(description="what maps that are imported here say of the questions now")


def read_recheck(connection: Connection, reference: str) -> RecheckReport:
    """The stored report of a version. Raises NotFound where there is no such version, or it was never rechecked."""
    version = find_version(connection, reference)
    rows = connection.exec_driver_sql(queries.STORED, {"version_id": version.id}).all()
    if not rows:
        raise NotFound(
            f"The keys of {version.reference} were not rechecked; `trigpoint recheck {version.reference}` does it."
        )
    keys = [
        RecheckedKey(**{name: value for name, value in row._mapping.items() if name != "checked_at"})
        for row in rows
    ]
    return make_report(version, keys, rows[0].checked_at, _read_maps(connection, version))


def _read_maps(connection: Connection, version: PublishedVersion) -> list[MapReport]:
    rows = connection.exec_driver_sql(queries.STORED_ON_MAPS, {"version_id": version.id})
    return [_map_report(name, list(of_map)) for name, of_map in groupby(rows, key=lambda row: row.snapshot)]


def _map_report(snapshot: str, rows: Sequence[Row[Any]]) -> MapReport:
    found = Counter((row.template, row.outcome) for row in rows)
    return MapReport(
        snapshot=snapshot,
        checked_at=rows[0].checked_at,
        outcomes={outcome: sum(row.outcome == outcome for row in rows) for outcome in OUTCOMES},
        templates={
            template: {outcome: found[template, outcome] for outcome in OUTCOMES}
            for template in sorted({row.template for row in rows})
        },
        items=[
            AnsweredOnMap(
                id=row.id, key=row.key, template=row.template, outcome=row.outcome, working=row.working
            )
            for row in rows
        ],
    )


def is_rechecked(connection: Connection, version: PublishedVersion) -> bool:
    """Whether there is a stored report of the version."""
    found: bool = connection.exec_driver_sql(queries.IS_RECHECKED, {"version_id": version.id}).scalar_one()
    return found


def make_report(
    version: PublishedVersion, keys: list[RecheckedKey], checked_at: datetime, maps: list[MapReport]
) -> RecheckReport:
    """The report of these questions, in their order."""
    found = Counter((one.check, one.verdict) for one in keys)
    return RecheckReport(
        dataset=version.name,
        version=version.number,
        checked_at=checked_at,
        verdicts={verdict: sum(one.verdict == verdict for one in keys) for verdict in VERDICTS},
        flagged=sum(one.flagged for one in keys),
        checks={
            check: {verdict: found[check, verdict] for verdict in VERDICTS}
            for check in sorted({one.check for one in keys})
        },
        items=keys,
        maps=maps,
    )


def as_lines(report: RecheckReport) -> Iterator[str]:
    """What a terminal shows: counts, then every flagged question with its working."""
    counted = ", ".join(f"{count:,} {said}" for said, count in _said(report.verdicts).items())
    yield f"{report.dataset}@{report.version}: {counted}; {report.flagged:,} flagged."
    for check, counts in report.checks.items():
        told = ", ".join(f"{count:,} {said}" for said, count in _said(counts).items() if count)
        yield f"  {check}: {told}"
    for one in _flagged(report):
        yield f"  {one.key}: {_told(one)}"
    for said in report.maps:
        counted = ", ".join(f"{count:,} {outcome}" for outcome, count in said.outcomes.items())
        yield f"What {said.snapshot} says now: {counted}."
        for item in said.items:
            if item.outcome in TOLD:
                yield f"  {item.key}: {item.outcome}. {item.working}"


def as_markdown(report: RecheckReport) -> str:
    """The report as Markdown: a table of counts, the flagged questions, and all others in a table."""
    lines = [f"# Keys of {report.dataset}@{report.version}, rechecked", ""]
    lines += [
        f"Rechecked at {report.checked_at.isoformat(timespec='seconds')}. Flagged: {report.flagged:,}.",
        "",
    ]
    lines += [f"| check | {' | '.join(VERDICTS)} |", f"|---|{'--:|' * len(VERDICTS)}"]
    lines += [
        f"| {check} | {' | '.join(str(counts[verdict]) for verdict in VERDICTS)} |"
        for check, counts in report.checks.items()
    ]
    lines += ["", "## Flagged questions", ""]
    lines += [f"- **{_cell(one.key or one.id)}**: {_cell(_told(one))}" for one in _flagged(report)] or [
        "None."
    ]
    lines += ["", "## All questions", "", "| question | verdict | check | working |", "|---|---|---|---|"]
    lines += [
        f"| {_cell(one.key or one.id)} | {one.verdict} | {one.check} | {_cell(one.working)} |"
        for one in report.items
    ]
    for said in report.maps:
        lines += ["", *_map_lines(said)]
    return "\n".join(lines) + "\n"


def _map_lines(report: MapReport) -> Iterator[str]:
    yield f"## What {_cell(report.snapshot)} says now"
    yield ""
    yield f"Answered at {report.checked_at.isoformat(timespec='seconds')}."
    yield ""
    yield f"| template | {' | '.join(OUTCOMES)} |"
    yield f"|---|{'--:|' * len(OUTCOMES)}"
    for template, counts in report.templates.items():
        yield f"| {_cell(template)} | {' | '.join(str(counts[outcome]) for outcome in OUTCOMES)} |"
    yield ""
    yield "| question | outcome | working |"
    yield "|---|---|---|"
    for one in report.items:
        yield f"| {_cell(one.key or one.id)} | {one.outcome} | {_cell(one.working)} |"


def _said(counts: dict[str, int]) -> dict[str, int]:
    words = {"agrees": "agree", "contradicts": "are contradicted", "cannot be checked": "cannot be checked"}
    return {words[verdict]: counts[verdict] for verdict in VERDICTS}


def _flagged(report: RecheckReport) -> list[RecheckedKey]:
    return [one for one in report.items if one.flagged]


def _told(one: RecheckedKey) -> str:
    contradicted = f"{one.verdict}. {one.working}" if one.verdict == "contradicts" else ""
    return " ".join(part for part in (contradicted, one.fault) if part)


def _cell(text: str) -> str:
    """A text of somebody else's in a cell of Markdown."""
    escaped = "".join(f"\\{sign}" if sign in "\\|*_`<>[]" else sign for sign in text)
    return " ".join(escaped.split())
