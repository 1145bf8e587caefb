"""Questions by benchmark, template, class, city and place, a page at a time.

Hidden questions show text and options. The classes and the ground that a question depends on are public of public
questions alone, so filters by those find no hidden one.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple, get_args

from sqlalchemy import Connection, Row, text

from app.core.errors import UsageError
from app.db.naming import reference_if_any, snapshot_reference
from app.published import queries
from app.published.models import Feature, Question
from app.questions.prompts import prompt_as_text, published_parts
from app.questions.versions import PublishedVersion, find_version
from app.templates.header import Layer

LAYERS = get_args(Layer)


class Box(NamedTuple):
    """West, south, east, north, in degrees."""

    west: float
    south: float
    east: float
    north: float

    @classmethod
    def read(cls, given: str) -> "Box":
        """The box of a text such as `9.4,47.0,9.6,47.3`. Raises UsageError."""
        try:
            box = cls(*(float(part) for part in given.split(",")))
        except (TypeError, ValueError) as error:
            raise UsageError(f"{given!r} is not a box: give west,south,east,north in degrees.") from error
        if not (-180 <= box.west <= box.east <= 180 and -90 <= box.south <= box.north <= 90):
            raise UsageError(
                f"{given!r} is not a box: west,south,east,north in degrees; west < east, south < north."
            )
        return box


@dataclass(frozen=True)
class Wanted:
    """What questions are asked for; of each data set its newest version, unless `dataset` names one."""

    dataset: str | None = None
    benchmark: str | None = None
    template: str | None = None
    klass: str | None = None
    city: str | None = None
    split: str | None = None
    words: str | None = None
    box: Box | None = None
    gold: bool = False
    area: bool = False


class Position(NamedTuple):
    """Where a page ended."""

    version: int
    place: int


class Found(NamedTuple):
    """A question, where it stands, and its ground as GeoJSON where that was asked for and is public."""

    position: Position
    question: Question
    area: dict[str, Any] | None

    @property
    def feature(self) -> Feature:
        """The question on the map."""
        return Feature(id=self.question.id, geometry=self.area, properties=self.question)


def read_questions(connection: Connection, wanted: Wanted, after: Position | None, limit: int) -> list[Found]:
    """At most `limit` questions behind `after`. Raises NotFound for a data set that is not there."""
    versions = _versions(connection, wanted)
    after = after or Position(0, -1)
    about = wanted.klass is not None or wanted.box is not None
    own = {"template": wanted.template, "split": wanted.split, "words": wanted.words}
    given = {name: value for name, value in own.items() if value is not None}
    if about and given.keys() & {"split", "words"}:
        raise UsageError("Ask by class or place, or by split or words: these cannot be combined.")
    filters = set(given)
    binds: dict[str, Any] = {
        "versions": versions,
        "after_version": after.version,
        "after_position": after.place,
        "most": limit,
    }
    snapshots = None
    if wanted.city is not None:
        asked = {"versions": versions, "city": wanted.city}
        snapshots = list(connection.execute(queries.SNAPSHOTS_OF_CITY, asked).scalars())
        filters.add("snapshots")
    if about:
        box = wanted.box or (None, None, None, None)
        binds |= dict(zip(("west", "south", "east", "north"), box, strict=True))
        binds |= {"classes": _classes(wanted.klass), "template": wanted.template, "snapshots": snapshots}
    else:
        binds |= given | ({"snapshots": snapshots} if snapshots is not None else {})
    statement = queries.questions(filters, about=about, gold=wanted.gold, area=wanted.area)
    return [_found(row, wanted) for row in connection.execute(text(statement), binds)]


def read_question(connection: Connection, version: PublishedVersion, question_id: str) -> Question | None:
    """The question of that id, with its gold where that is public; None where there is none."""
    key = {"version_id": version.id, "question_id": question_id}
    row = connection.execute(queries.QUESTION, key).one_or_none()
    return None if row is None else _found(row, Wanted(gold=True)).question


def _versions(connection: Connection, wanted: Wanted) -> list[int]:
    """The ids of the versions to look into, in order."""
    if wanted.dataset is not None:
        version = find_version(connection, wanted.dataset)
        return [version.id] if wanted.benchmark in (None, version.benchmark) else []
    rows = connection.execute(queries.NEWEST_VERSIONS, {"benchmark": wanted.benchmark})
    return sorted(row.id for row in rows)


def _classes(klass: str | None) -> list[str] | None:
    """A class as footprints name it; without its layer, in every layer."""
    if klass is None:
        return None
    return [klass] if ":" in klass else [f"{layer}:{klass}" for layer in LAYERS]


def _reference(name: str, seconds: float | None) -> str:
    """A map's name and date, of its name and the seconds since 1970."""
    return snapshot_reference(name, None if seconds is None else datetime.fromtimestamp(seconds, UTC))


def _found(row: Row[Any], wanted: Wanted) -> Found:
    question = Question(
        dataset=row.dataset,
        id=row.id,
        prompt_hash=row.prompt_hash,
        template=row.template,
        template_version=row.template_version,
        variant=row.variant,
        snapshot=reference_if_any(row.city, row.data_timestamp),
        city=row.city,
        further_snapshots=row.further_snapshots and [_reference(*one) for one in row.further_snapshots],
        text=prompt_as_text(row.prompt),
        parts=published_parts(row.prompt),
        options=row.options,
        answer_type=row.answer_type,
        split=row.split,
        locale=row.locale,
        register=row.register,
        gold=row.gold if wanted.gold else None,
        gold_kind=row.gold_kind if wanted.gold else None,
        gold_keys=row.gold_keys if wanted.gold else None,
    )
    area = json.loads(row.area) if wanted.area and row.area is not None else None
    return Found(Position(row.version_id, row.position), question, area)
