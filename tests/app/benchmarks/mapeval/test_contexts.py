"""Contexts of mapeval: answers follow from what is printed, and from nothing else."""

import re
from collections.abc import Callable, Mapping

import pytest

from app.benchmarks.mapeval.contexts import writing
from app.core.settings import Role
from app.db.engine import connect, use_schema
from app.questions.contexts import CONTEXT, AskedFor, NoContext, Shown, context_fault
from app.questions.dials import Dials
from app.questions.drawing import OptionsWanted
from app.questions.generating import Generated
from app.questions.gold import NO_ANSWER, VALUE
from app.questions.prompts import context_of, prompt_as_text, without_contexts, words_of
from app.questions.records import QuestionRecord
from app.templates.templates import LEAKY
from tests.app.benchmarks.mapeval.conftest import EACH, make
from tests.support.sql_alone import of_sql_alone
from tests.support.town import Imported

NAME = "mapeval"
MOST_WORDS = 1500


def fault_of(record: QuestionRecord, change: Callable[[str], str] = str) -> str | None:
    """Why the gold does not follow from the context as it was changed."""
    context = context_of(record.prompt)
    assert context is not None
    shown = Shown(record.template, change(context), record.options)
    return context_fault(NAME, shown, record.solutions, record.gold)


def of_template(made: Generated, template: str) -> QuestionRecord:
    return next(record for record in made.records if record.template == template)


def test_every_question_has_a_context_from_which_its_answer_follows(made: Generated) -> None:
    for record in made.records:
        context = context_of(record.prompt)
        assert context is not None
        assert len(context.split()) <= MOST_WORDS
        if record.gold_kind == VALUE:
            assert fault_of(record) is None, record.template
    assert {record.template for record in made.records} == {*of_sql_alone(NAME).templates}


def test_contexts_are_about_as_long_as_those_of_the_paper_and_differ_in_length(made: Generated) -> None:
    words = [len((context_of(record.prompt) or "").split()) for record in made.records]
    assert 350 < sum(words) / len(words) < 520
    assert min(words) < 300
    assert max(words) > 500


def test_the_lines_that_the_answer_needs_are_enough_and_others_are_told_beside_them(made: Generated) -> None:
    for record in made.records:
        needed = record.solutions[CONTEXT]["lines"]
        if record.gold_kind != VALUE:
            assert needed == []
            continue
        context = context_of(record.prompt)
        assert context is not None
        lines = context.split("\n")
        assert 0 < len(needed) < len([line for line in lines if line])

        def only_needed(text: str, needed: list[int] = needed) -> str:
            kept = [
                line if number in needed or not line else None for number, line in enumerate(text.split("\n"))
            ]
            return re.sub(r"\n{3,}", "\n\n", "\n".join(line for line in kept if line is not None)).strip("\n")

        assert fault_of(record, only_needed) is None, record.template


@pytest.mark.parametrize(
    ("template", "change"),
    [
        ("Straight_Line_Distance", lambda text: re.sub(r"\n- Location: [^\n]*", "", text)),
        ("Open_At", lambda text: re.sub(r"\n- Open: [^\n]*", "", text)),
        ("Nearest_Of_Type", lambda text: re.sub(r"\n1\. [^,\n]*,", "\n1. Nowhere,", text)),
        ("Count_Within", lambda text: re.sub(r"\n1\. [^\n]*", "", text)),
    ],
)
def test_another_context_leads_elsewhere(
    made: Generated, template: str, change: Callable[[str], str]
) -> None:
    assert fault_of(of_template(made, template), change) is not None


def test_the_question_is_the_same_without_its_context(made: Generated) -> None:
    for record in made.records:
        assert prompt_as_text(without_contexts(record.prompt)) == words_of(record.prompt)
        assert record.text.endswith(words_of(record.prompt))


@pytest.mark.long
def test_contexts_are_the_same_when_they_are_made_again(liechtenstein: Imported, made: Generated) -> None:
    again = make(liechtenstein)
    assert [record.prompt for record in again.records] == [record.prompt for record in made.records]


@pytest.mark.long
def test_the_leaky_variant_shows_that_option_only_where_it_is_right(liechtenstein: Imported) -> None:
    leaky = make(liechtenstein, wanted=OptionsWanted(LEAKY))
    for record in leaky.records:
        assert (NO_ANSWER in (record.options or ())) == (record.template == "Not_On_The_Map")


def test_nothing_private_is_told(made: Generated) -> None:
    told: Mapping[str, int] = {
        word: sum(word in record.text for record in made.records)
        for word in ("phone", "email", "@", "http", "Wikidata")
    }
    assert not any(told.values())


def test_a_map_without_the_places_of_a_further_list_has_contexts(
    liechtenstein: Imported, made: Generated, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = of_template(made, "Direction_From")
    told: list[int] = []
    with connect(liechtenstein.settings, Role.WORKER) as connection:
        use_schema(connection, record.snapshot.schema)
        for types in (("lighthouse",), ("lighthouse", "restaurant")):
            monkeypatch.setattr(writing, "FURTHER_TYPES", types)
            asked = AskedFor(
                connection, record.snapshot, record.template, record.id, 11, record.parameters, record.binds,
                record.gold, record.options, [],
            )  # fmt: skip
            told.append(writing.write_context(asked).text.count("Nearby places"))
    assert told == [0, 1]


def test_so_many_needless_lines_are_told_as_is_wanted(liechtenstein: Imported) -> None:
    """Beside the same needed lines, of the same questions; answers follow from each of the contexts."""
    only = of_sql_alone(NAME).only(["Attribute_Of"])
    lines: list[dict[str, list[str]]] = []
    for noise in (0, 13):
        made = make(liechtenstein, only, dials=Dials(noise=noise))
        assert all(fault_of(record) is None for record in made.records)
        assert {len(record.solutions[CONTEXT]["lines"]) > 0 for record in made.records} == {True}
        found = {record.id: (context_of(record.prompt) or "").split("\n") for record in made.records}
        lines.append({question: [line for line in told if line] for question, told in found.items()})
    none, more = lines
    assert len(none) == EACH
    assert none.keys() == more.keys()
    for question, needed in none.items():
        assert len(more[question]) - len(needed) == 13
        assert {*needed} <= {*more[question]}


def test_a_map_that_has_not_so_many_lines_around_gives_no_context(
    liechtenstein: Imported, made: Generated, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = of_template(made, "Direction_From")
    monkeypatch.setattr(writing, "FURTHER_TYPES", ("lighthouse", "museum"))
    with connect(liechtenstein.settings, Role.WORKER) as connection:
        use_schema(connection, record.snapshot.schema)
        asked = AskedFor(
            connection, record.snapshot, record.template, record.id, 11, record.parameters, record.binds,
            record.gold, record.options, [], noise=100,
        )  # fmt: skip
        with pytest.raises(NoContext, match="too_little_noise"):
            writing.write_context(asked)
