"""Questions of urban_reasoning on a real map: every template gives some, and each is answered from its prompt alone."""

import re
from collections import Counter

import pytest

from app.benchmarks.urban_reasoning.odd_names import is_odd_name
from app.core.clock import SystemClock
from app.core.settings import Role
from app.db.engine import connect
from app.questions.contexts import Shown, context_fault
from app.questions.derivations.hours import DAYS
from app.questions.generating import Generated, Recipe, generate
from app.questions.prompts import context_of, words_of
from app.questions.records import QuestionRecord
from app.questions.refusals import meaning
from app.questions.snapshots import find_snapshots
from app.questions.storing import store
from app.scores.registry import get_scorer
from app.scores.score import Outcome
from app.scores.scorers.urban_relation import KINDS
from app.solvers.judging.rubrics import rubrics
from app.solvers.random import distributions
from tests.support.town import Imported, benchmarks

NAME = "urban_reasoning"
EACH = 6
LATITUDE = re.compile(r"\b47(?=[°.])")
"""Degrees of a latitude; the answer is another where it is."""

FACTS = {
    "DS": {"radians", "haversine_a", "metres"},
    "DR": {"radians", "differences_in_radians"},
    "RE": {"crossings", "metres_between_nearest_points"},
    "PN": {"km_east_and_north", "farthest_from_start", "km_of_orders"},
    "NV": {"metres_of_segments", "ways"},
    "RC": {"places", "fulfil_every_wish"},
    "PR": {"bearings_of_legs", "candidates"},
}
"""What a judge of each task is told at least."""


@pytest.fixture(scope="module")
def made(liechtenstein: Imported) -> Generated:
    """A few questions of each template on Liechtenstein."""
    with connect(liechtenstein.settings, Role.WORKER) as connection:
        maps = find_snapshots(connection, [liechtenstein.name])
        recipe = Recipe(benchmarks()[NAME], maps, 3, 2 * EACH, EACH, 0.0)
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
        moved = LATITUDE.sub("46", context, count=1)
        if record.template == "Visiting_Order":
            moved = context.replace(record.gold["printed"][0][-1], "19.99")
        if record.template == "Destination":
            moved = candidates_exchanged(record, context)
        if record.template.startswith("Relation"):
            moved = second_shape_moved(record, context)
        if record.template == "Shortest_Way":
            moved = context.replace(second_corner(record), "(47.00000, 9.00000)")
        if record.template.startswith("Recommendation"):
            moved = key_closed(record, context)
        changed = Shown(record.template, moved, record.options)
        assert context_fault(NAME, changed, record.solutions, record.gold) is not None
    assert forms == {(as_json, in_degrees) for as_json in (False, True) for in_degrees in (False, True)}


def candidates_exchanged(record: QuestionRecord, context: str) -> str:
    """The context with the points of the destination and of another candidate exchanged."""
    points = dict(record.gold["candidates"])
    right = points.pop(record.gold["text"])
    other = next(iter(points.values()))
    return context.replace(right, "(?)").replace(other, right).replace("(?)", other)


def second_shape_moved(record: QuestionRecord, context: str) -> str:
    """The context with the second shape on points of the first if they do not meet, else a degree away from it."""
    (_, first), (_, second) = record.gold["printed"]
    if record.gold["relation"] in ("Parallel", "Disconnected", "Lie outside", "Separate"):
        for here, there in zip(first, second, strict=False):
            context = context.replace(there, here)
        return context
    start = context.index(
        second[0], context.rindex("name") if context.startswith("{") else context.rindex("\n")
    )
    return context[:start] + context[start:].replace("(47.", "(46.")


def key_closed(record: QuestionRecord, context: str) -> str:
    """The context with the right place closed all week but for Mondays at night."""
    name, point, *_, hours, _, _ = next(
        one for one in record.gold["offered"] if one[0] == record.gold["text"]
    )
    start = context.index(point, context.index(" ".join(name.split())))
    return context[:start] + context[start:].replace(hours, "Mo 23:30-23:45", 1)


def test_recommendations_tell_each_day_once_and_places_by_their_names(made: Generated) -> None:
    offered = [one for record in made.records for one in record.gold.get("offered", ())]
    assert offered
    for name, _, _, hours, _, review in offered:
        days = [day for rule in hours.split("; ") for day in days_of(rule.split(" ")[0])]
        assert len(days) == len(set(days)), hours
        assert not is_odd_name(name)
        assert "gets in easily" not in review


def days_of(told: str) -> list[str]:
    """The days of `Mo-We` or `Mo`."""
    first, _, last = told.partition("-")
    return list(DAYS[DAYS.index(first) : DAYS.index(last or first) + 1])


def second_corner(record: QuestionRecord) -> str:
    """Where the first segment of the shortest way meets the second, as contexts print it."""
    first, second = (record.gold["segments"][name] for name in record.gold["route"][:2])
    lat, lon = next(end for end in first if end in second)
    return f"({lat:.5f}, {lon:.5f})"


def test_relations_are_asked_for_as_often_as_one_another(made: Generated) -> None:
    found = Counter(record.gold["relation"] for record in made.records if "relation" in record.gold)
    assert set(found) == {term for terms in KINDS.values() for term in terms}
    assert max(found.values()) <= EACH


def test_a_judge_is_told_what_is_true(made: Generated) -> None:
    assert {record.gold["judge"]["rubric"] for record in made.records} == set(FACTS)
    for record in made.records:
        rubric, reference, facts = (record.gold["judge"][part] for part in ("rubric", "reference", "facts"))
        assert rubric in rubrics()
        assert set(facts) >= FACTS[rubric]
        if rubric == "PN":
            assert len(facts["km_of_orders"]) == 24
            assert min(facts["km_of_orders"], key=facts["km_of_orders"].get) == reference
        if rubric == "RC":
            far = {name: facts["places"][name]["metres"] for name in facts["fulfil_every_wish"]}
            assert len(far) > 1
            assert min(far, key=far.__getitem__) == reference
        if rubric == "PR":
            told = facts["candidates"]
            assert min(told, key=lambda name: told[name]["degrees_off_last_leg"]) == reference


def test_texts_tell_no_coordinates(made: Generated) -> None:
    for record in made.records:
        text = words_of(record.prompt)
        for name, *_, written in record.gold.get("printed", ()):
            assert name in text
            for one in [written] if isinstance(written, str) else written:
                assert one not in text
        assert not re.search(r"\d\.\d{5}", text)


def test_random_draws_an_answer_to_every_question_and_is_sometimes_right(
    liechtenstein: Imported, made: Generated
) -> None:
    with connect(liechtenstein.settings, Role.WORKER) as connection:
        version = store(connection, "reasoning_guessed", 1, made, SystemClock())
        lists = distributions(connection, version.id)
        connection.rollback()
    assert set(lists) == {record.id for record in made.records}
    for record in made.records:
        scorer = get_scorer(record.scorer)
        scores = [scorer.judge(answer, record.gold, record.options) for answer in lists[record.id]]
        assert all(score.outcome != Outcome.UNPARSEABLE for score in scores), record.template
        assert 0 < sum(score.value for score in scores) < len(scores)
        if record.template not in ("Distance", "Direction"):
            assert sum(score.outcome == Outcome.CORRECT for score in scores) == 1
