"""The texts of questions without an answer: what is seen of a text tells nothing of whether it has one."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.core import seeds
from app.questions.accepting import Accepted
from app.questions.alike_texts import Lookalikes, choose_alike, tells_point
from app.questions.generating import Recipe, generate
from app.questions.gold import UNANSWERABLE
from app.questions.readings import REFERENCE_POINT, Reading
from app.questions.records import QuestionRecord
from app.questions.snapshots import find_snapshots
from tests.app.questions.test_unanswerable import some_templates
from tests.support.town import Imported

PLAIN, TELLING, DOUBTFUL = (
    Reading(),
    Reading(frozenset({REFERENCE_POINT}), {"w1": (9.5, 47.1)}),
    Reading(frozenset({"plane"})),
)


def some(count: int, reading: Reading) -> list[Accepted]:
    whose: Any = SimpleNamespace(id="T1", has_everyday_words=lambda parameters: True)
    picked: Any = SimpleNamespace(parameters={})
    where: Any = SimpleNamespace(checksum="abc")
    unset = cast("Any", None)
    return [
        Accepted(f"{reading.matter} {i}", where, whose, "", picked, {}, unset, {}, None, None, unset, reading)
        for i in range(count)
    ]


def first(bank: Any, most: int) -> Any:
    return bank[:most]


@pytest.mark.parametrize(
    ("plain", "telling", "room"), [(40, 40, 54), (40, 0, 3), (40, 3, 15), (0, 40, 1), (40, 9, 39)]
)
def test_room_is_left_by_the_rarer_kind(plain: int, telling: int, room: int) -> None:
    """A quarter of the models tells a point, so that of 16 questions four must, and of 4 one."""
    bank = some(plain, PLAIN) + some(telling, TELLING)
    found = Lookalikes(bank, some(30, PLAIN) + some(10, TELLING), 1)
    assert found.room == room
    chosen = found.choose(found.room, first)
    assert len(chosen) == found.room
    assert abs(sum(map(tells_point, chosen)) - found.room / 4) < 1


def test_nothing_is_asked_where_nothing_else_is() -> None:
    assert choose_alike([Lookalikes(some(9, PLAIN), [], 1)], 5, first) == []


def test_as_many_are_only_precise_as_are_among_the_others() -> None:
    found = Lookalikes(some(400, PLAIN), some(30, PLAIN) + some(10, DOUBTFUL), "a secret")
    chosen = found.choose(400, first)
    assert sum(one.only_precise for one in chosen) == pytest.approx(100, abs=30)
    other = Lookalikes(found.bank, found.models, "another secret").choose(400, first)
    assert [one.only_precise for one in other] != [one.only_precise for one in chosen]


def seen(record: QuestionRecord) -> tuple[str, str | None, bool]:
    """What a text shows beside its words: template, register, and whether it tells a point."""
    return record.template, record.register, "(latitude " in record.text or "; latitude " in record.text


def chance_of_finding(records: list[QuestionRecord], seed: int) -> float:
    """How often a learner thinks the one without an answer the likelier of two questions of a template.

    It learns from one half of the questions how often each look has no answer, and is asked about the other half.
    """
    taught = [one for one in records if seeds.unit(seed, "half", one.id) < 0.5]
    asked = [one for one in records if one not in taught]

    def likely(record: QuestionRecord) -> float:
        alike = [one for one in taught if seen(one) == seen(record)]
        return (1 + sum(one.gold_kind == UNANSWERABLE for one in alike)) / (2 + len(alike))

    guesses = {one.id: likely(one) for one in asked}
    pairs = [
        (guesses[without.id] > guesses[other.id]) + 0.5 * (guesses[without.id] == guesses[other.id])
        for without in asked
        for other in asked
        if without.template == other.template
        and without.gold_kind == UNANSWERABLE
        and other.gold_kind != UNANSWERABLE
    ]
    return sum(pairs) / len(pairs)


@pytest.mark.long
def test_no_look_of_a_text_tells_whether_it_has_an_answer(liechtenstein: Imported) -> None:
    with liechtenstein.connect() as connection:
        recipe = Recipe(
            some_templates(),
            find_snapshots(connection, [liechtenstein.name]),
            7,
            150,
            100,
            0.5,
            unanswerable=0.3,
            register="mixed",
            secret_draws=True,
            secret="as long as it is known to nobody",
        )
        records = list(generate(connection, recipe, lambda *progress: None).records)
    without = [one for one in records if one.gold_kind == UNANSWERABLE]
    assert len(without) >= 150
    assert {seen(one)[1:] for one in without} == {seen(one)[1:] for one in records}, (
        "no look is of one kind alone"
    )
    chance = sum(chance_of_finding(records, seed) for seed in range(10)) / 10
    assert abs(chance - 0.5) <= 0.05
