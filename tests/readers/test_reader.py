"""From the text of a question alone: every parameter of every question, and a solution of its own that gives the gold.

The reader (text.py) sees a text, the map's plain columns and the facts; its solution (solving.py) is its own too.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import Settings
from app.db.engine import use_schema
from app.questions.phrasing import Wording, phrase
from app.questions.picking import Pick, Space, Tuple, distance_label, open_space
from app.questions.snapshots import find_snapshots_with_facts
from app.templates.templates import Template
from tests.readers.dataset import Question, load_register, make_questions, open_atlas
from tests.readers.judging import faults
from tests.readers.places import Atlas, Unreadable
from tests.readers.solving import Solver
from tests.readers.text import read
from tests.readers.vocabulary import COMPASS, CUISINES, MUSEUMS
from tests.support.town import Imported, benchmarks, import_map

GSQA = benchmarks()["gsqa"]
SHOWN = 20
"""Faults that a failing test prints."""


@dataclass(frozen=True)
class Trial:
    """A map with facts, what the reader sees of it, and the questions to read."""

    imported: Imported
    atlas: Atlas
    questions: Sequence[Question]


Importer = Callable[[str], Imported]


@pytest.fixture(scope="module")
def import_extract(
    make_database: Callable[[], Settings], extracts: Path, tmp_path_factory: pytest.TempPathFactory
) -> Importer:
    """Imports an extract of Liechtenstein by its date, with a register of facts, into a database of its own; once."""

    @cache
    def make(date: str) -> Imported:
        settings = make_database()
        file = extracts / f"liechtenstein-{date}.osm.pbf"
        import_map(settings, file, "liechtenstein")
        made = Imported(settings, "liechtenstein", file)
        load_register(made, tmp_path_factory.mktemp("register"))
        return made

    return make


@pytest.fixture(scope="module")
def trial(import_extract: Importer) -> Trial:
    """Some questions of every template."""
    imported = import_extract("2022-07-24")
    questions = make_questions(imported, "some", "--bank", "12", "--per-template", "12")
    return Trial(imported, open_atlas(imported), questions)


def misread(atlas: Atlas, questions: Iterable[Question]) -> Iterator[str]:
    """A sentence for each fault: the question, its text, and what was misread or solved otherwise."""
    solver = Solver(atlas)
    for question in questions:
        where = f"{question.template} {question.id}, {question.text!r}"
        try:
            reading = read(question.text, atlas)
        except Unreadable as error:
            yield f"{where}: {error}"
            continue
        if reading.template != question.template:
            yield f"{where}: read as {reading.template}"
        elif reading.parameters != question.parameters:
            pairs = ((name, reading.parameters.get(name)) for name in question.parameters)
            wrong = {name: value for name, value in pairs if value != question.parameters[name]}
            yield f"{where}: {question.parameters} read as {wrong or reading.parameters}"
        else:
            for fault in faults(reading, solver, question.gold):
                yield f"{where}: {fault}"


def check_all_read(atlas: Atlas, questions: Sequence[Question]) -> None:
    found = list(misread(atlas, questions))
    by_template = Counter(fault.split(" ", 1)[0] for fault in found)
    assert not found, f"{len(found)} of {len(questions)}, {by_template}:\n" + "\n".join(found[:SHOWN])
    assert {question.template for question in questions} == set(GSQA.templates)


def test_every_question_is_read_and_solved(trial: Trial) -> None:
    check_all_read(trial.atlas, trial.questions)


@pytest.mark.long
@pytest.mark.parametrize(
    ("date", "semantics", "least"),
    [
        ("2022-07-24", "clipped", 2500),
        ("2022-07-24", "intersects", 2500),
        ("2013-08-03", "clipped", 1900),
    ],
)
def test_a_whole_data_set_is_read_and_solved(
    import_extract: Importer, date: str, semantics: str, least: int
) -> None:
    imported = import_extract(date)
    options = ("--bank", "1000", "--per-template", "100", "--choose", f"semantics={semantics}")
    questions = make_questions(imported, f"whole_{semantics}", *options)
    assert len(questions) >= least
    check_all_read(open_atlas(imported), questions)


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
            picks[name] = [Pick(value, value, distance_label(value))]
        elif name == "semantics":
            picks[name] = [space.choices[name][0]]
        else:
            picks[name] = [next(pick for pick in space.choices[name] if pick.value == value)]
    return Tuple(picks)


@pytest.mark.parametrize("name", GSQA.templates)
def test_every_phrasing_is_read(trial: Trial, name: str) -> None:
    template = GSQA.templates[name]
    stored = [question for question in trial.questions if question.template == name]
    texts = template.phrasings["en"]["precise"]
    assert len(texts) >= 22
    for space in spaces_of(trial.imported, template):
        for number, text in enumerate(texts):
            picked = picked_as(space, stored[number % len(stored)].parameters)
            alone = replace(template, phrasings={"en": {"precise": [text]}})
            _, said = phrase(GSQA, alone, picked, Wording("en", 0), "")
            reading = read(said, trial.atlas)
            assert (reading.template, reading.parameters) == (name, picked.parameters), said


# --- the reader can fail ----------------------------------------------------------------------------------

Change = Callable[[str], str]
NARROWED = "restaurants?|cafés?|fast food places?|museums?"
"""Nouns that a word before them narrows."""


def replaced(*pairs: tuple[str, str]) -> Change:
    def change(text: str) -> str:
        for old, new in pairs:
            text = text.replace(old, new)
        return text

    return change


def farther(text: str) -> str:
    """Every distance with a digit in front."""
    return re.sub(r"(\d+(?:\.\d+)?) (k?m)\b", r"1\1 \2", text)


def turned(text: str) -> str:
    """Every compass word of a sector as the opposite one."""
    names = sorted(COMPASS, key=len, reverse=True)
    pattern = re.compile(rf"\b(to the |true )({'|'.join(names)})\b")
    return pattern.sub(lambda found: found[1] + COMPASS[(COMPASS.index(found[2]) + 4) % 8], text)


def turned_once(text: str) -> str:
    """One of two compass words of a sector as another."""
    return re.sub(r"\btrue (north|south|east|west)\b(?!-)", "true north-east", text)


CHANGES: Mapping[str, tuple[str, Change]] = {
    "another distance": ("T1 T2 T3 T4 T13 T14 T15 T16 T21 T23 T25", farther),
    "another direction": ("T3 T9 T15 T19", turned),
    "two directions": ("T3 T9 T15 T19", turned_once),
    "no map": (" ".join(GSQA.templates), replaced(("OpenStreetMap", "the map"))),
    "no straight line": (
        "T1 T2 T3 T5 T6 T7 T8 T9 T13 T14 T15 T17 T18 T19 T21 T22 T23 T25 T26",
        replaced(("traight", "hort"), ("s the crow flies", "s people walk"), ("circle", "ring")),
    ),
    "no reference point": (
        " ".join(name for name in GSQA.templates if name not in ("T11", "T12", "T27", "T28")),
        replaced((" Places mapped as areas count as a point inside them.", "")),
    ),
    "no unit": ("T25 T26 T27 T28", replaced(("metres", "units"))),
    "no meaning of degrees": ("T21 T22", replaced(("clockwise", "measured"), ("true north", "somewhere"))),
    "no width": (
        "T3 T4 T9 T10 T15 T16 T19 T20",
        replaced(("22.5 degrees", "a bit"), ("45-degree ", ""), ("45 degrees", "any width")),
    ),
    "another kind": (
        "T1 T3 T4 T5 T8 T9 T10 T13 T15 T16 T17 T19 T20 T21 T22 T23 T24 T25 T26",
        replaced(("restaurant", "pub"), ("café", "restaurant"), ("fast food place", "café")),
    ),
    "no remark": (
        "T2 T6 T14 T18",
        lambda text: re.sub(
            rf"\b(?:{'|'.join((*CUISINES, *MUSEUMS))}) (?={NARROWED})| with [a-z-]+(?: seating| service)?",
            "",
            text,
        ),
    ),
    "another remark": (
        "T2 T6 T14 T18",
        lambda text: re.sub(rf"\b[\w-]+ (?={NARROWED})", "Finnish ", text),
    ),
    "no brackets": ("T1 T5 T11 T24 T27", lambda text: re.sub(r" \([^)]*\)", "", text)),
    "another name": ("T1 T5 T11 T12 T24 T28", lambda text: re.sub(r"(\w) \(", r"\1x (", text)),
    "the whole": (
        "T11 T12 T27 T28",
        replaced(("only the part inside", "the whole of whatever lies partly inside")),
    ),
    "no semantics": ("T11 T12 T27 T28", replaced(("counting only the part inside", "as usual"))),
    "another way": (
        "T12 T28",
        replaced(
            ("stream", "secondary road"),
            ("path (", "footway ("),
            ("service road", "motorway"),
            ("residential street", "living street"),
            ("primary road", "trunk road"),
        ),
    ),
    "another fact": (
        "T7 T8",
        replaced(
            ("architect", "mascot"),
            ("height in metres", "number of beds"),
            ("capacity", "gravity"),
            ("year of", "day of"),
        ),
    ),
    "another source": ("T7", replaced(("as given by ", "as given by the neighbours of "))),
}
"""By what changes: the templates whose texts it must change, and how."""


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_text_is_read_otherwise(trial: Trial, change: str) -> None:
    """A word or a number that is altered, or left out, alters what is read, or makes the text unreadable."""
    names, alter = CHANGES[change]
    changed = Counter[str]()
    for question in trial.questions:
        text = alter(question.text)
        if question.template not in names.split() or text == question.text:
            continue
        changed[question.template] += 1
        try:
            reading = read(text, trial.atlas)
        except Unreadable:
            continue
        assert (reading.template, reading.parameters) != (question.template, question.parameters), text
    assert set(changed) == set(names.split())


def spoiled(gold: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Gold with one part of it altered: a place fewer or another, another number, another name, another fact."""
    for name, value in gold.items():
        if isinstance(value, int | float):
            yield {**gold, name: value + max(1, 0.01 * value)}
        elif name == "objects" and value:
            yield {**gold, name: [*value[1:], {**value[0], "osm_key": "n1"}]}
            yield {**gold, name: value[1:]}
            for part in ("distance", "azimuth", "lat", "area", "length"):
                if part in value[0]:
                    yield {**gold, name: [{**value[0], part: value[0][part] * 1.0001 + 0.01}, *value[1:]]}
        elif name == "names":
            yield {**gold, name: [*value, "Nowhere"]}
        elif name == "fact" and "names" not in gold:
            yield {**gold, name: {**value, "value": value["value"] + "0"}}


def test_another_gold_is_not_the_solution(trial: Trial) -> None:
    solver = Solver(trial.atlas)
    spoils = Counter[str]()
    for question in trial.questions:
        reading = read(question.text, trial.atlas)
        for gold in spoiled(question.gold):
            spoils[question.template] += 1
            assert faults(reading, solver, gold), (question.text, gold)
    assert set(spoils) == set(GSQA.templates)


# --- its independence -------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", ["judging", "places", "solving", "text", "vocabulary"])
def test_the_reader_imports_nothing_of_what_it_reads(module: str) -> None:
    tree = ast.parse((Path(__file__).parent / f"{module}.py").read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    ours = {
        name for name in imported if name and name.split(".")[0] in ("app", "osm_import", "tests", "workers")
    }
    assert ours <= {
        f"tests.readers.{name}" for name in ("judging", "places", "solving", "text", "vocabulary")
    }
