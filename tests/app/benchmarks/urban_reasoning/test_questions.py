"""Questions of urban_reasoning on a real map: every template gives some, and each is answered from its prompt alone."""

import re

import pytest

from app.core.settings import Role
from app.db.engine import connect
from app.questions.contexts import Shown, context_fault
from app.questions.generating import Generated, Recipe, generate
from app.questions.prompts import context_of, words_of
from app.questions.records import QuestionRecord
from app.questions.refusals import meaning
from app.questions.snapshots import find_snapshots
from tests.support.town import Imported, benchmarks

NAME = "urban_reasoning"
EACH = 6
CHANGED = re.compile(r"\b47(?=[°.])|(?<=degrees\": \")\d+|(?<=: )\d+(?=\.\d\d degrees)")
"""Numbers of a context without which the answer is another: a latitude, or all bearings."""


@pytest.fixture(scope="module")
def made(liechtenstein: Imported) -> Generated:
    """A few questions of each template on Liechtenstein."""
    with connect(liechtenstein.settings, Role.WORKER) as connection:
        maps = find_snapshots(connection, [liechtenstein.name])
        recipe = Recipe(benchmarks()[NAME], maps, 3, EACH, EACH, 0.0)
        return generate(connection, recipe, lambda *told: None)


def test_every_template_gives_questions_and_no_path_disagrees(made: Generated) -> None:
    assert [name for name, report in made.reports.items() if report.selected < EACH] == []
    refused = {reason for report in made.reports.values() for reason in report.refused}
    assert not refused & {"second_path_disagrees", "context_fails", "no_context"}
    assert not [reason for reason in refused if meaning(reason, NAME) is None]


def test_answers_follow_from_the_context_and_change_with_it(made: Generated) -> None:
    forms = set()
    for record in made.records:
        context = context_of(record.prompt)
        assert context is not None
        if record.template in ("Distance", "Direction"):
            forms.add((context.startswith("{"), "°" in context))
        shown = Shown(record.template, context, record.options)
        assert context_fault(NAME, shown, record.solutions, record.gold) is None
        moved = CHANGED.sub("46", context, count=record.template in ("Distance", "Direction"))
        if record.template == "Destination":
            moved = candidates_exchanged(record, context)
        changed = Shown(record.template, moved, record.options)
        assert context_fault(NAME, changed, record.solutions, record.gold) is not None
    assert forms == {(as_json, in_degrees) for as_json in (False, True) for in_degrees in (False, True)}


def candidates_exchanged(record: QuestionRecord, context: str) -> str:
    """The context with the points of the destination and of another candidate exchanged."""
    points = dict(record.gold["candidates"])
    right = points.pop(record.gold["text"])
    other = next(iter(points.values()))
    return context.replace(right, "(?)").replace(other, right).replace("(?)", other)


def test_texts_tell_no_coordinates(made: Generated) -> None:
    for record in made.records:
        text = words_of(record.prompt)
        for name, *_, written in record.gold.get("printed", ()):
            assert name in text
            assert written not in text
        assert not re.search(r"\d\.\d{5}", text)
