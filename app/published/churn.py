"""What became of a data set's questions from map to map, in counts, and how fast each template's gold goes out of date.

Reads the function churn_of: it counts hidden questions too and names none, and leaves out those whose map stayed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Row

from app.published import queries_churn as queries
from app.published.half_life import Exposure, estimate
from app.published.models import Licensed
from app.questions.versions import find_version

SECONDS_A_DAY = 86_400


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Fates(_Model):
    """Questions by what became of them."""

    questions: int
    kept: int
    gold_updated: int = Field(description="questions with the same text but another answer")
    text_updated: int = Field(
        description="questions with another text or other wrong options, but the same answer"
    )
    replaced: int = Field(description="another question has taken its place")
    retired: int = Field(description="nothing does")
    reasons: dict[str, dict[str, int]] = Field(description="outcome: reason: questions")

    @property
    def stood(self) -> int:
        """Questions whose gold stood."""
        return self.kept + self.text_updated


class GoldLife(_Model):
    """After so many days half of the gold stands no more, if it goes at one rate; with the 95 % interval."""

    days: float
    low: float
    high: float


class RefreshChurn(Fates):
    """One refresh."""

    earlier: str = Field(examples=["demo_gsqa@1"])
    later: str = Field(examples=["demo_gsqa@2"])
    map: str
    old: datetime | None
    new: datetime | None
    days: float | None = Field(description="between the two maps")


class TemplateChurn(Fates):
    """One template over all refreshes; a question counts once a refresh."""

    template: str
    half_life: GoldLife | None = Field(description="null if it is not known because too little has changed")


class Churn(Licensed):
    """A data set's questions over all its refreshes."""

    dataset: str
    refreshes: list[RefreshChurn]
    templates: list[TemplateChurn] = Field(description="the templates whose gold changes fastest come first")
    all: Fates
    half_life: GoldLife | None


def read_churn(connection: Connection, dataset: str) -> Churn:
    """The churn of a data set, whichever of its versions is named. Raises NotFound."""
    name = find_version(connection, dataset).name
    rows = connection.execute(queries.CHURN, {"dataset": name}).all()
    refreshes, templates = _grouped(rows, _step), _grouped(rows, lambda row: row.template)
    return Churn(
        dataset=name,
        refreshes=[_refresh(name, found) for _, found in sorted(refreshes.items())],
        templates=sorted((_template(key, found) for key, found in templates.items()), key=_fastest),
        all=Fates(**_fates(rows)),
        half_life=_half_life(rows),
    )


def _step(row: Row[Any]) -> tuple[int, str, datetime | None]:
    return row.version, row.map, row.new_map


def _grouped(rows: Iterable[Row[Any]], key: Any) -> dict[Any, list[Row[Any]]]:
    found: dict[Any, list[Row[Any]]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


def _refresh(name: str, rows: Sequence[Row[Any]]) -> RefreshChurn:
    first = rows[0]
    return RefreshChurn(
        earlier=f"{name}@{first.from_version}",
        later=f"{name}@{first.version}",
        map=first.map,
        old=first.old_map,
        new=first.new_map,
        days=_days(first),
        **_fates(rows),
    )


def _template(template: str, rows: Sequence[Row[Any]]) -> TemplateChurn:
    return TemplateChurn(template=template, half_life=_half_life(rows), **_fates(rows))


def _fastest(one: TemplateChurn) -> tuple[float, str]:
    """By the share of questions whose gold stood: that is known of each."""
    return one.stood / one.questions, one.template


def _fates(rows: Sequence[Row[Any]]) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[_fate(row)] += row.number
        if row.reason:
            reasons[_fate(row)][row.reason] += row.number
    return {
        "questions": counts.total(),
        **{fate: counts[fate] for fate in ("kept", "gold_updated", "text_updated", "replaced", "retired")},
        "reasons": {fate: dict(sorted(found.items())) for fate, found in sorted(reasons.items())},
    }


def _fate(row: Row[Any]) -> str:
    if row.outcome != "updated":
        return str(row.outcome)
    return "gold_updated" if "gold" in (row.reason or "").split(", ") else "text_updated"


def _half_life(rows: Sequence[Row[Any]]) -> GoldLife | None:
    exposures: dict[float, list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        days = _days(row)
        if days is not None:
            exposures[days][_fate(row) not in ("kept", "text_updated")] += row.number
    found = estimate([Exposure(days, kept, changed) for days, (kept, changed) in sorted(exposures.items())])
    return (
        None
        if found is None
        else GoldLife(**{key: round(value, 1) for key, value in found._asdict().items()})
    )


def _days(row: Row[Any]) -> float | None:
    if row.old_map is None or row.new_map is None:
        return None
    passed: timedelta = row.new_map - row.old_map
    return round(passed.total_seconds() / SECONDS_A_DAY, 3)
