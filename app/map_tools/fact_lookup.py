"""A look-up of facts for models: what the fact set of a question's map says of a place, asked by place and attribute.

Beside the SQL and never in the sandbox. What a question asks for is withheld from its own episode, and gold of hidden
questions from every one, but for the fact that names the anchor of the very question: to look that up is its task.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Self

from sqlalchemy import Connection, text

from app.core.identity import canonical_json
from app.core.names import normal_form
from app.db.naming import quoted
from app.facts.attributes import ATTRIBUTES
from app.facts.fact import is_subject
from app.map_tools import queries

MOST_ASKED = 10
"""Facts that are asked for at once."""
LONGEST = 200
"""Letters of a place, an attribute and a value."""
MOST_FOUND = 30


class Wanted(NamedTuple):
    """A fact that is asked for: of a place, by its name or as `n123`, an attribute by its name or in words."""

    place: str
    attribute: str


@dataclass(frozen=True)
class FactsOutcome:
    """What was found: {number, place, value, credit} each, `number` being the place among what was asked for."""

    found: list[dict[str, Any]]
    more: bool = False

    def as_json(self) -> dict[str, Any]:
        """The outcome as a step stores it."""
        return asdict(self)

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """The outcome that a step stored."""
        return cls(**stored)


def look_up(
    connection: Connection, version_id: int, question_id: str, asked: Sequence[Wanted]
) -> FactsOutcome:
    """What the fact set of the question's map says; nothing where it has none, or the fact is withheld.

    Reads facts, layers, proofs and gold, as the worker role. Raises LookupError for a question that there is not.
    """
    scope = connection.execute(
        queries.FACTS_OF_QUESTION, {"version_id": version_id, "question_id": question_id}
    ).one_or_none()
    if scope is None:
        raise LookupError(f"version {version_id} has no question {question_id}")
    wanted = [
        {
            "number": number,
            "osm_key": one.place if is_subject(one.place) else None,
            "form": normal_form(one.place),
            "attribute": attribute,
        }
        for number, one in enumerate(asked)
        if (attribute := find_attribute(one.attribute)) is not None and attribute != scope.withheld
    ]
    if scope.set_id is None or not wanted:
        return FactsOutcome([])
    statement = text(queries.FACTS_ASKED.format(schema=quoted(scope.schema_name)))
    binds = {
        "version_id": version_id,
        "set_id": scope.set_id,
        "own": scope.own,
        "wanted": canonical_json(wanted),
        "most": MOST_FOUND + 1,
    }
    rows = connection.execute(statement, binds).all()
    found = [
        {"number": row.number, "place": row.place, "value": row.value[:LONGEST], "credit": row.credit}
        for row in rows[:MOST_FOUND]
    ]
    return FactsOutcome(found, len(rows) > MOST_FOUND)


def find_attribute(said: str) -> str | None:
    """The attribute that is called so, by its name or by the words that questions use; None for another."""
    form = normal_form(said)
    return next((one.name for one in ATTRIBUTES.values() if form in (one.name, normal_form(one.words))), None)
