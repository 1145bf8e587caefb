"""`random`: draws from a finite list of equally probable answers a question, so that its mean can be computed.

Reads the snapshot, the question's prompt and its parameters, never gold. Every draw is a hash of the run's seed and the
question's id, repeat and rotation: it draws anew each time that it is asked.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, text

from app.core.errors import ProofError, UsageError
from app.core.seeds import choose
from app.db.naming import quoted
from app.solvers import queries
from app.solvers.base import Answer, NextStep, QuestionView, RunView, letter, solver
from app.solvers.calls import CallResult
from app.solvers.guesses import find_guesses

CATEGORIES = {
    **{
        klass: [klass]
        for klass in (
            "aquarium attraction cafe fast_food garden hospital hotel museum nature_reserve park restaurant stadium"
            " theme_park university viewpoint zoo"
        ).split()
    },
    "food": ["restaurant", "cafe", "fast_food"],
    "gallery": ["art_gallery", "gallery"],
}
"""By what questions ask for: the classes of places that belong to it."""
LOCATIONS = 200
"""Places that a guess at a location is drawn from: enough for a mean, few enough to score each one."""
AZIMUTHS: Sequence[str] = tuple(str(degrees) for degrees in range(360))
PERCENT = range(1, 101)
Lists = dict[tuple[str, str, str], Sequence[str]]
"""By schema, answer type and what is asked about: a category of places, a region, or a kind of road, park or water."""


def distributions(connection: Connection, version_id: int) -> dict[str, Sequence[str]]:
    """By question id: the answers that `random` draws from, each as probable as the others, repeats counted.

    options: the letters; name: the names, as written, of all named places of the category, each place counted;
    location: where places of the category are, some of them by hash; a filter that narrows a category is not looked at;
    azimuth: whole degrees; count: 1 … N, N the number of places of the category; area: 1 … 100 % of the region's
    own area, in whole square metres; distance: 1 … 100 % of the range asked for, or else of how far the farthest place
    of the category is; length: 1 … 100 % of what all lines of the kind measure in the map; the name of a road, park or
    water body: of all those of the kind, each way counted; fact: what the source says of the attribute of all places
    of the class; and what a benchmark registers as guesses at a template's questions (`app.solvers.guesses`).
    Questions that share a list share the object.
    A question whose parameters lead to no list is left out, as those of a benchmark that this solver does not know:
    what a guess is worth is then unknown.
    """
    return _found_and_lacking(connection, version_id)[0]


def _found_and_lacking(
    connection: Connection, version_id: int
) -> tuple[dict[str, Sequence[str]], list[Row[Any]]]:
    """As `distributions`, and the rows of the questions that are left out."""
    rows = connection.execute(queries.QUESTIONS_WITH_PARAMETERS, {"version_id": version_id}).all()
    lists = _of_categories(connection, rows) | _of_kinds(connection, rows) | _areas(connection, rows)
    facts = _facts(connection, rows)
    distances = _distances(connection, rows)
    guessed = _guessed(connection, version_id, rows)
    letters: dict[int, Sequence[str]] = {}
    found: dict[str, Sequence[str]] = {}
    lacking: list[Row[Any]] = []
    for row in rows:
        answers: Sequence[str] | None
        if row.options is not None:
            answers = letters.setdefault(len(row.options), tuple(letter(i) for i in range(len(row.options))))
        elif row.id in guessed:
            answers = guessed[row.id]
        elif row.answer_type == "azimuth":
            answers = AZIMUTHS
        elif row.answer_type == "distance":
            answers = distances.get(row.id)
        elif row.answer_type == "fact":
            answers = facts.get(_told(row))
        else:
            about = row.region if row.answer_type == "area" else row.kind or _class(row)
            answers = lists.get((row.schema_name, row.answer_type, about))
        if answers:
            found[row.id] = answers
        else:
            lacking.append(row)
    return found, lacking


def _guessed(connection: Connection, version_id: int, rows: Sequence[Row[Any]]) -> dict[str, Sequence[str]]:
    """By question id: the guesses that the benchmark registers for its template, from the prompt alone."""
    listing = {
        row.template: function
        for row in rows
        if row.options is None and (function := find_guesses(row.benchmark, row.template)) is not None
    }
    if not listing:
        return {}
    binds = {"version_id": version_id, "templates": sorted(listing)}
    asked = connection.execute(queries.PROMPTS_OF_TEMPLATES, binds)
    return {row.id: listing[row.template](row.prompt) for row in asked}


def _of_categories(connection: Connection, rows: Sequence[Row[Any]]) -> Lists:
    """Names, locations and counts of places."""
    found: Lists = {}
    for schema, answer_type, category in sorted({_about(row) for row in rows if _class(row) in CATEGORIES}):
        if answer_type == "name":
            found[schema, answer_type, category] = _names(connection, schema, category)
        elif answer_type == "location":
            found[schema, answer_type, category] = _locations(connection, schema, category)
        elif answer_type == "count":
            found[schema, answer_type, category] = _counts(connection, schema, category)
    return found


def _facts(connection: Connection, rows: Sequence[Row[Any]]) -> dict[tuple[str, ...], Sequence[str]]:
    """What a source says of an attribute of all places of a class."""
    found: dict[tuple[str, ...], Sequence[str]] = {}
    for asked in sorted({_told(row) for row in rows if row.answer_type == "fact"}):
        schema, facts, attribute, category = asked
        statement = text(queries.FACTS_OF_CLASS.format(schema=quoted(schema)))
        binds = {"facts": facts, "attribute": attribute, "category": category}
        found[asked] = tuple(connection.execute(statement, binds).scalars())
    return found


def _told(row: Row[Any]) -> tuple[str, ...]:
    return row.schema_name, str(row.facts), str(row.attribute), str(row.category)


def _class(row: Row[Any]) -> str:
    """What the category is before a filter narrows it: restaurant of restaurant:cuisine=pizza."""
    return str(row.category).partition(":")[0]


def _about(row: Row[Any]) -> tuple[str, str, str]:
    return row.schema_name, row.answer_type, _class(row)


def _percents(total: float, unit: str) -> Sequence[str]:
    return tuple(f"{max(1, round(total * percent / 100))} {unit}" for percent in PERCENT)


def _distances(connection: Connection, rows: Sequence[Row[Any]]) -> dict[str, Sequence[str]]:
    """By question id: hundredths of the range, or of the way to the farthest place of the category."""
    asked = [row for row in rows if row.answer_type == "distance" and row.category in CATEGORIES]
    found = {row.id: _percents(row.distance, "m") for row in asked if row.distance}
    nearest = [row for row in asked if not row.distance]
    for schema, category in sorted({(row.schema_name, row.category) for row in nearest}):
        here = [row for row in nearest if (row.schema_name, row.category) == (schema, category)]
        statement = text(queries.FARTHEST_OF_CLASSES.format(schema=quoted(schema)))
        binds = {"classes": CATEGORIES[category], "anchors": sorted({row.anchor for row in here})}
        farthest = {one.osm_key: one.metres for one in connection.execute(statement, binds)}
        found |= {row.id: _percents(farthest[row.anchor], "m") for row in here if row.anchor in farthest}
    return found


def _of_kinds(connection: Connection, rows: Sequence[Row[Any]]) -> Lists:
    """By schema, answer type and kind of road, park or water: names, or hundredths of the whole length."""
    found: Lists = {}
    wanted = {(row.schema_name, row.answer_type, row.kind) for row in rows if row.kind}
    for schema, answer_type, kind in sorted(wanted):
        query = queries.NAMES_OF_KIND if answer_type == "name" else queries.LENGTH_OF_KIND
        values = connection.execute(text(query.format(schema=quoted(schema))), {"kind": kind}).scalars().all()
        found[schema, answer_type, kind] = (
            tuple(values) if answer_type == "name" else _percents(values[0], "m")
        )
    return found


def _names(connection: Connection, schema: str, category: str) -> Sequence[str]:
    statement = text(queries.NAMES_OF_CLASSES.format(schema=quoted(schema)))
    return tuple(connection.execute(statement, {"classes": CATEGORIES[category]}).scalars())


def _locations(connection: Connection, schema: str, category: str) -> Sequence[str]:
    statement = text(queries.LOCATIONS_OF_CLASSES.format(schema=quoted(schema)))
    rows = connection.execute(statement, {"classes": CATEGORIES[category], "most": LOCATIONS})
    return tuple(f"latitude {row.lat:.5f}, longitude {row.lon:.5f}" for row in rows)


def _counts(connection: Connection, schema: str, category: str) -> Sequence[str]:
    statement = text(queries.COUNT_OF_CLASSES.format(schema=quoted(schema)))
    total = connection.execute(statement, {"classes": CATEGORIES[category]}).scalar_one()
    return tuple(str(number) for number in range(1, total + 1))


def _areas(connection: Connection, rows: Sequence[Row[Any]]) -> Lists:
    """Hundredths of regions' own areas."""
    asked = [row for row in rows if row.answer_type == "area" and row.region]
    found: Lists = {}
    for schema in sorted({row.schema_name for row in asked}):
        statement = text(queries.AREAS_OF_REGIONS.format(schema=quoted(schema)))
        keys = sorted({row.region for row in asked if row.schema_name == schema})
        for one in connection.execute(statement, {"regions": keys}):
            found[schema, "area", one.osm_key] = tuple(
                f"{round(one.area * percent / 100)} m2" for percent in PERCENT
            )
    return found


def _knows(row: Row[Any]) -> bool:
    """Whether this solver makes lists for such questions: a question without one then shows a fault of the map."""
    if row.answer_type == "area":
        return bool(row.region)
    return row.answer_type == "fact" or bool(row.kind) or _class(row) in CATEGORIES


def refuse_without_lists(connection: Connection, version_id: int) -> None:
    """Raises UsageError where no question of the version has answers to draw from."""
    if not distributions(connection, version_id):
        raise UsageError(
            "random draws from the options of a question, or from names and numbers of the map or of the prompt. No "
            "question of this data set has options, and random knows no list of answers for them: take another solver."
        )


@solver("random", version=1, reads=("snapshot",), check=refuse_without_lists)
def open_random(connection: Connection, run: RunView) -> NextStep:
    """Loads the lists of answers of the whole version. A question of a kind that it knows no list for has no answer.

    Raises ProofError where the map lacks what a known list is made of.
    """
    answers, lacking = _found_and_lacking(connection, run.version_id)
    lost = [row for row in lacking if _knows(row)]
    if lost:
        row = lost[0]
        raise ProofError(
            f"random has nothing to draw from for question {row.id} (answer type {row.answer_type}, category "
            f"{row.category}, region {row.region}), and for {len(lost) - 1} more: the snapshot's schema "
            f"{row.schema_name} is incomplete. Import its extract again."
        )

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Answer:
        if question.id not in answers:
            return Answer("no_answer", None)
        turn = [question.rotation] if question.rotation else []
        drawn = choose(answers[question.id], run.seed, "random", question.id, question.repeat, *turn)
        return Answer("answered", drawn)

    return next_step
