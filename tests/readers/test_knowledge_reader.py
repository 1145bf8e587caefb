"""From the text and the options of a multiple-choice question alone: the right option, found on the map file.

The reader (knowledge_text.py) sees text and options; its solution (knowledge_solving.py) sees the file that was imported,
by pyosmium. Neither sees what the question was made from.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from app.core.settings import PROJECT_ROOT, Settings
from tests.readers.knowledge_dataset import Question, make_questions
from tests.readers.knowledge_map import MapFile
from tests.readers.knowledge_solving import solve
from tests.readers.knowledge_text import Unclear, read
from tests.support.town import Imported, import_map

MOST = 60
"""Questions of a template on one map."""
SHOWN = 20
"""Disagreements that a failing test prints."""


@dataclass(frozen=True)
class Trial:
    """A map file, and questions about it."""

    world: MapFile
    questions: Sequence[Question]

    def of(self, register: str) -> list[Question]:
        """Those of one register."""
        return [question for question in self.questions if question.register == register]


TryOn = Callable[[Path, int], Trial]


@pytest.fixture(scope="module")
def try_on(make_database: Callable[[], Settings]) -> TryOn:
    """Imports a file into a database of its own, once, and makes questions about it."""

    @cache
    def on(file: Path, most: int) -> Trial:
        if not file.is_file():
            pytest.skip(f"{file} is absent")
        settings = make_database()
        import_map(settings, file, "tried")
        imported = Imported(settings, "tried", file)
        options = ("--bank", str(most), "--per-template", str(most))
        return Trial(MapFile(file), make_questions(imported, "mixed", *options))

    return on


@pytest.fixture(scope="module")
def trial(try_on: TryOn, extracts: Path) -> Trial:
    """Some questions of every template that a small map gives, in both registers."""
    return try_on(extracts / "manhattan-part-2020-01-15.osm.pbf", 8)


def find(world: MapFile, question: Question) -> int:
    """The index of the option that the reader finds right. Raises Unclear."""
    shown = [" ".join(option.split()) for option in question.options]
    return solve(read(question.text, shown, world), shown, world)


def disagreements(world: MapFile, questions: Iterable[Question]) -> Iterator[tuple[str, str]]:
    """Template and a sentence for each question in which the reader finds another option, or none."""
    for question in questions:
        try:
            found = find(world, question)
        except Unclear as error:
            said = str(error)
        else:
            if found == question.right_option:
                continue
            said = f"solved as {question.options[found]}"
        right = question.options[question.right_option]
        yield question.template, f"{question.text!r}: {said}; {right} of {question.options}"


def told_apart(trial: Trial, register: str) -> tuple[Counter[str], Counter[str], str]:
    """How many questions of each template there are, in how many the reader finds another option, and some of these."""
    questions = trial.of(register)
    found = list(disagreements(trial.world, questions))
    asked, wrong = Counter(one.template for one in questions), Counter(template for template, _ in found)
    figures = f"{register}: {len(questions) - len(found)} of {len(questions)} agree; others {dict(wrong)}"
    print(figures)  # noqa: T201 - figures for whoever runs it with -s
    return asked, wrong, "\n".join([figures, *(f"{template} {said}" for template, said in found[:SHOWN])])


def check_precise(trial: Trial) -> None:
    _, wrong, shown = told_apart(trial, "precise")
    assert not wrong, shown


def check_everyday(trial: Trial) -> None:
    asked, wrong, shown = told_apart(trial, "everyday")
    assert wrong.total() <= 0.01 * asked.total(), shown


def test_some_questions_are_read_and_solved(trial: Trial) -> None:
    assert len({question.template for question in trial.questions}) >= 16
    for register in ("precise", "everyday"):
        assert len(trial.of(register)) > 40
        assert not list(disagreements(trial.world, trial.of(register)))


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "templates", "least"),
    [
        ("baltimore-2015-02-27.osm.pbf", 19, 900),
        ("liechtenstein-2022-07-24.osm.pbf", 18, 900),
        ("Helsinki.osm.pbf", 19, 900),
    ],
)
def test_a_whole_data_set_is_read_and_solved(
    try_on: TryOn, extracts: Path, file: str, templates: int, least: int
) -> None:
    """Of each template thirty questions in each register, where the map has so many."""
    folder = PROJECT_ROOT / ".local" / "extracts" if file == "Helsinki.osm.pbf" else extracts
    whole = try_on(folder / file, MOST)
    assert len({question.template for question in whole.questions}) >= templates
    assert len(whole.questions) >= least
    check_precise(whole)
    check_everyday(whole)


# --- the reader can fail ----------------------------------------------------------------------------------


def test_the_place_of_an_option_tells_nothing(trial: Trial) -> None:
    for question in trial.questions:
        turned = replace(question, options=[*question.options[1:], question.options[0]])
        assert find(trial.world, turned) == (question.right_option - 1) % 4


def test_without_the_right_option_none_is_right(trial: Trial) -> None:
    """Where the right option is exchanged for one of another question; of areas in order another one is right then."""
    tried = Counter[str]()
    for question, other in zip(trial.questions, trial.questions[1:], strict=False):
        others = [option for option in other.options if option not in question.options]
        if question.template != other.template or not others or question.template.startswith(RELATIVE):
            continue
        options = list(question.options)
        options[question.right_option] = others[0]
        try:
            found = find(trial.world, replace(question, options=options))
        except Unclear:
            found = -1
        tried[question.template] += found != question.right_option
        assert found == -1 or found == question.right_option, (question.text, options)
    assert len(tried) > 10


RELATIVE = ("Compare_", "Find_Nearest_POI", "Infer_POI_From_Scene")
"""Templates in which the right option is only the best of four."""

Change = Callable[[str], str]


def replaced(*pairs: tuple[str, str]) -> Change:
    def change(text: str) -> str:
        pattern = re.compile("|".join(re.escape(old) for old, _ in pairs))
        return pattern.sub(lambda found: dict(pairs)[found[0]], text)

    return change


CHANGES: Mapping[str, tuple[tuple[str, ...], Change]] = {
    "another rank": (
        ("Compare_Area_Size", "Compare_POI_Count"),
        replaced(
            ("smallest", "largest"),
            ("second largest", "smallest"),
            ("third largest", "smallest"),
            ("largest", "smallest"),
        ),
    ),
    "the contrary": (
        ("Identify_Connections",),
        replaced(("is not connected", "is connected"), ("is directly", "is not")),
    ),
    "another street": (
        ("Retrieve_Coordinates", "Classify_POI", "Query_Length", "Find_Nearest_POI"),
        replaced((" Street", " Ring")),
    ),
    "another kind": (
        ("Retrieve_Coordinates", "Retrieve_POI_Address"),
        lambda text: re.sub(r"\((?!longitude)[a-z ]+\b", "(mine", text),
    ),
    "another number": (
        ("Retrieve_POI_Name", "Retrieve_AOI_Name"),
        lambda text: re.sub(r"\b(\d+)\b(?= [A-Z])", r"9\g<1>", text),
    ),
}
"""By what changes: the templates whose texts it changes, and how."""


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_text_has_another_answer(trial: Trial, change: str) -> None:
    templates, alter = CHANGES[change]
    changed = Counter[str]()
    for question in trial.questions:
        text = alter(question.text)
        if question.template not in templates or text == question.text:
            continue
        changed[question.template] += 1
        try:
            found = find(trial.world, replace(question, text=text))
        except Unclear:
            continue
        assert found != question.right_option, text
    assert set(changed) == set(templates)


# --- its independence -------------------------------------------------------------------------------------

MODULES = ("map", "nouns", "roads", "scenes", "solving", "text", "words")


@pytest.mark.parametrize("module", MODULES)
def test_the_reader_imports_nothing_of_what_it_reads(module: str) -> None:
    tree = ast.parse((Path(__file__).parent / f"knowledge_{module}.py").read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    ours = {
        name for name in imported if name and name.split(".")[0] in ("app", "osm_import", "tests", "workers")
    }
    assert ours <= {f"tests.readers.knowledge_{name}" for name in MODULES}
