"""From the text of a question alone: every parameter of every question, and a solution of its own that gives the gold.

The reader (text.py) sees a text, the map's plain columns and the facts; its solution (solving.py) is its own too.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import Settings
from app.db.engine import use_schema
from app.questions.phrasing import Wording, phrase
from app.questions.picking import Pick, Space, Tuple, open_space
from app.questions.snapshots import find_snapshots_with_facts
from app.questions.text_forms import length_in_words
from app.templates.templates import Template
from tests.readers.changes import CHANGES, spoiled, without_each_definition
from tests.readers.dataset import Question, import_with_facts, make_questions, open_atlas
from tests.readers.judging import Judge
from tests.readers.places import Atlas, Unreadable
from tests.readers.text import read
from tests.readers.trying import REGISTERS, check_all_read, says
from tests.support.town import Imported, benchmarks

GSQA = benchmarks()["gsqa"]
FEWEST_TEXTS = 6
OURS = (
    "agreeing",
    "conventions",
    "definitions",
    "everyday_words",
    "judging",
    "measuring",
    "nouns",
    "places",
    "reading",
    "solving",
    "text",
    "vocabulary",
)
"""The modules of the reader."""


@dataclass(frozen=True)
class Trial:
    """A map with facts, what the reader sees of it, and the questions to read, by the register of their texts."""

    imported: Imported
    atlas: Atlas
    questions: Mapping[str, Sequence[Question]]


@pytest.fixture(scope="module")
def trial(
    make_database: Callable[[], Settings], extracts: Path, tmp_path_factory: pytest.TempPathFactory
) -> Trial:
    """Some questions of every template on Liechtenstein, in both registers."""
    file = extracts / "liechtenstein-2022-07-24.osm.pbf"
    imported = import_with_facts(make_database(), file, "liechtenstein", tmp_path_factory.mktemp("register"))
    made = make_questions(imported, "some", "mixed", "--bank", "24", "--per-template", "24")
    questions = {register: [one for one in made if one.register == register] for register in REGISTERS}
    return Trial(imported, open_atlas(imported), questions)


@pytest.mark.parametrize("register", REGISTERS)
def test_every_question_is_read_and_solved(trial: Trial, register: str) -> None:
    questions = trial.questions[register]
    check_all_read(trial.atlas, questions)
    assert {question.template for question in questions} == set(GSQA.templates)


# --- every phrasing ---------------------------------------------------------------------------------------


def spaces_of(imported: Imported, template: Template) -> list[Space]:
    """The template's space, once for each meaning of "in a region" where it has such a parameter."""
    meanings = ("clipped", "intersects") if "semantics" in template.header.parameters else ("",)
    with imported.connect() as connection:
        (snapshot,) = find_snapshots_with_facts(connection, [imported.name])
        use_schema(connection, snapshot.schema)
        return [
            open_space(
                connection,
                template,
                0,
                snapshot.outline,
                {"semantics": one} if one else {},
                snapshot.facts,
            )
            for one in meanings
        ]


def picked_as(space: Space, parameters: Mapping[str, Any]) -> Tuple:
    """The tuple of stored parameters, but for the meaning of "in a region", which is the space's."""
    picks = {}
    for name, value in parameters.items():
        if name == "distance":
            picks[name] = [Pick(value, value, length_in_words(value))]
        elif name == "semantics":
            picks[name] = [space.choices[name][0]]
        else:
            picks[name] = [next(pick for pick in space.choices[name] if pick.value == value)]
    return Tuple(picks)


@pytest.mark.parametrize("register", REGISTERS)
@pytest.mark.parametrize("name", GSQA.templates)
def test_every_phrasing_is_read(trial: Trial, name: str, register: str) -> None:
    template = GSQA.templates[name]
    stored = [question for question in trial.questions[register] if question.template == name]
    texts = template.phrasings["en"][register]
    assert len(texts) >= FEWEST_TEXTS
    for space in spaces_of(trial.imported, template):
        for number, text in enumerate(texts):
            picked = picked_as(space, stored[number % len(stored)].parameters)
            alone = replace(template, phrasings={"en": {register: [text]}})
            _, said = phrase(GSQA, alone, picked, Wording("en", 0, register), "")
            reading = read(said, trial.atlas)
            assert (reading.template, reading.precise) == (name, register == "precise"), said
            assert says(reading, picked.parameters), (said, reading.parameters)


# --- the reader can fail ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("register", "change"), CHANGES)
def test_a_changed_text_is_read_otherwise(trial: Trial, register: str, change: str) -> None:
    """A word or a number that is altered, or left out, alters what is read, or makes the text unreadable."""
    names, alter = CHANGES[register, change]
    changed = Counter[str]()
    for question in trial.questions[register]:
        text = alter(question.text)
        if question.template not in names.split() or text == question.text:
            continue
        changed[question.template] += 1
        assert not is_read_the_same(trial.atlas, question, text), text
    assert set(changed) == set(names.split())


def is_read_the_same(atlas: Atlas, question: Question, text: str) -> bool:
    """Whether the reader finds no difference between a question's text and another."""
    try:
        return read(text, atlas) == read(question.text, atlas)
    except Unreadable:
        return False


def test_a_precise_text_needs_each_of_its_definitions(trial: Trial) -> None:
    """But the unit, where the question itself tells it."""
    for question in trial.questions["precise"]:
        for sentence, text in without_each_definition(question.text):
            told = re.fullmatch(r"Answer in (.+)\.", sentence)
            if told is None or told[1] not in text:
                assert not is_read_the_same(trial.atlas, question, text), text


@pytest.mark.parametrize("register", REGISTERS)
def test_another_gold_is_not_the_solution(trial: Trial, register: str) -> None:
    judge = Judge(trial.atlas)
    spoils = Counter[str]()
    for question in trial.questions[register]:
        reading = read(question.text, trial.atlas)
        for gold in spoiled(question.gold):
            spoils[question.template] += 1
            assert judge.faults(reading, gold), (question.text, gold)
    assert set(spoils) == set(GSQA.templates)


def test_a_point_that_is_not_told_is_missed(trial: Trial) -> None:
    """Where a text tells the point of an area, other points of it would most often give another answer."""
    judge, missed = Judge(trial.atlas), []
    for question in trial.questions["precise"]:
        text = re.sub(r"; latitude -?\d+\.\d+, longitude -?\d+\.\d+(?=\))", "", question.text)
        if text != question.text:
            missed.append(bool(judge.faults(read(text, trial.atlas), question.gold)))
    assert sum(missed) > len(missed) / 2 > 0, (sum(missed), len(missed))


# --- its independence -------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", OURS)
def test_the_reader_imports_nothing_of_what_it_reads(module: str) -> None:
    tree = ast.parse((Path(__file__).parent / f"{module}.py").read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    ours = {
        name for name in imported if name and name.split(".")[0] in ("app", "osm_import", "tests", "workers")
    }
    assert ours <= {f"tests.readers.{name}" for name in OURS}
