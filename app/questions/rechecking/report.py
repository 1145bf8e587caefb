"""What became of the keys of a version: the report that the command, REST and the page show."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.core.errors import NotFound
from app.questions.rechecking import queries
from app.questions.rechecking.checks import VERDICTS, VerdictName
from app.questions.versions import PublishedVersion, find_version


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


class RecheckReport(BaseModel):
    """The keys of a version that others published, computed again from each question alone."""

    model_config = ConfigDict(frozen=True)

    dataset: str
    version: int
    checked_at: datetime
    verdicts: dict[str, int] = Field(description="questions by verdict")
    flagged: int = Field(description="questions whose keys are contradicted, or that have a fault")
    checks: dict[str, dict[str, int]] = Field(description="by kind of computation: questions by verdict")
    questions: list[RecheckedKey]


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
    return make_report(version, keys, rows[0].checked_at)


def is_rechecked(connection: Connection, version: PublishedVersion) -> bool:
    """Whether there is a stored report of the version."""
    found: bool = connection.exec_driver_sql(queries.IS_RECHECKED, {"version_id": version.id}).scalar_one()
    return found


def make_report(version: PublishedVersion, keys: list[RecheckedKey], checked_at: datetime) -> RecheckReport:
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
        questions=keys,
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
        for one in report.questions
    ]
    return "\n".join(lines) + "\n"


def _said(counts: dict[str, int]) -> dict[str, int]:
    words = {"agrees": "agree", "contradicts": "are contradicted", "cannot be checked": "cannot be checked"}
    return {words[verdict]: counts[verdict] for verdict in VERDICTS}


def _flagged(report: RecheckReport) -> list[RecheckedKey]:
    return [one for one in report.questions if one.flagged]


def _told(one: RecheckedKey) -> str:
    contradicted = f"{one.verdict}. {one.working}" if one.verdict == "contradicts" else ""
    return " ".join(part for part in (contradicted, one.fault) if part)


def _cell(text: str) -> str:
    """A text of somebody else's in a cell of Markdown."""
    escaped = "".join(f"\\{sign}" if sign in "\\|*_`<>[]" else sign for sign in text)
    return " ".join(escaped.split())
