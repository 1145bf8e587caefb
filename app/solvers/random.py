"""`random`: draws from a finite list of equally probable answers a question, so that its mean can be computed.

Reads the snapshot and the question's parameters, never gold. Every draw is a hash of the run's seed and the question.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, text

from app.core.errors import ProofError
from app.core.seeds import choose
from app.db.naming import quoted
from app.inference.chat import Reply
from app.solvers import queries
from app.solvers.base import Answer, Asked, Mover, RunView, letter, solver

CATEGORIES = {
    "restaurant": ["restaurant"],
    "cafe": ["cafe"],
    "fast_food": ["fast_food"],
    "food": ["restaurant", "cafe", "fast_food"],
}
AZIMUTHS: Sequence[str] = tuple(str(degrees) for degrees in range(360))
PERCENT = range(1, 101)


def distributions(connection: Connection, version_id: int) -> dict[str, Sequence[str]]:
    """By question id: the answers that `random` draws from, each as probable as the others, repeats counted.

    options: the letters; name: the names, as written, of all named places of the category, each place counted;
    azimuth: whole degrees; count: 1 … N, N the number of places of the category; area: 1 … 100 % of the region's
    own area, in whole square metres. Questions that share a list share the object.
    Raises ProofError where a question's parameters do not lead to a list.
    """
    rows = connection.execute(queries.QUESTIONS_WITH_PARAMETERS, {"version_id": version_id}).all()
    names: dict[tuple[str, str], Sequence[str]] = {}
    counts: dict[tuple[str, str], Sequence[str]] = {}
    for schema in sorted({row.schema_name for row in rows}):
        wanted = {(row.answer_type, row.category) for row in rows if row.schema_name == schema}
        for answer_type, category in sorted(pair for pair in wanted if pair[1] in CATEGORIES):
            if answer_type == "name":
                names[schema, category] = _names(connection, schema, category)
            elif answer_type == "count":
                counts[schema, category] = _counts(connection, schema, category)
    areas = _areas(connection, {(row.schema_name, row.region) for row in rows if row.answer_type == "area"})
    letters: dict[int, Sequence[str]] = {}
    found: dict[str, Sequence[str]] = {}
    for row in rows:
        answers: Sequence[str] | None
        if row.options is not None:
            answers = letters.setdefault(len(row.options), tuple(letter(i) for i in range(len(row.options))))
        elif row.answer_type == "azimuth":
            answers = AZIMUTHS
        elif row.answer_type == "name":
            answers = names.get((row.schema_name, row.category))
        elif row.answer_type == "count":
            answers = counts.get((row.schema_name, row.category))
        else:
            answers = areas.get((row.schema_name, row.region))
        if not answers:
            raise ProofError(
                f"random has nothing to draw from for question {row.id} (answer type {row.answer_type}, "
                f"category {row.category}, region {row.region}); is its snapshot's schema {row.schema_name} complete?"
            )
        found[row.id] = answers
    return found


def _names(connection: Connection, schema: str, category: str) -> Sequence[str]:
    statement = text(queries.NAMES_OF_CLASSES.format(schema=quoted(schema)))
    return tuple(connection.execute(statement, {"classes": CATEGORIES[category]}).scalars())


def _counts(connection: Connection, schema: str, category: str) -> Sequence[str]:
    statement = text(queries.COUNT_OF_CLASSES.format(schema=quoted(schema)))
    total = connection.execute(statement, {"classes": CATEGORIES[category]}).scalar_one()
    return tuple(str(number) for number in range(1, total + 1))


def _areas(connection: Connection, regions: set[tuple[str, str]]) -> dict[tuple[str, str], Sequence[str]]:
    found: dict[tuple[str, str], Sequence[str]] = {}
    for schema in sorted({schema for schema, _ in regions}):
        statement = text(queries.AREAS_OF_REGIONS.format(schema=quoted(schema)))
        keys = sorted(region for place, region in regions if place == schema and region)
        for row in connection.execute(statement, {"regions": keys}):
            found[schema, row.osm_key] = tuple(f"{round(row.area * percent / 100)} m2" for percent in PERCENT)
    return found


@solver("random", version=1, reads=("snapshot",))
def open_random(connection: Connection, run: RunView) -> Mover:
    """Loads the lists of answers of the whole version."""
    answers = distributions(connection, run.version_id)

    def move(asked: Asked, replies: Sequence[Reply]) -> Answer:
        return Answer("answered", choose(answers[asked.id], run.seed, "random", asked.id, asked.repeat))

    return move
