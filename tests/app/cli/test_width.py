"""Commands that print tables: at 80 columns no line is longer, and every name is whole."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.text import Text

from app.core.settings import Settings
from tests.support.command_line import Done, trigpoint
from tests.support.factories import FAILED, FAILURE, make_run, make_version, option_question
from tests.support.scored_runs import score

WIDTH = 80
DATASET = "questions-of-the-village-in-the-mountains"
MODELS = (
    "organisation/a-model-with-a-long-name-70b",
    "organisation/b-model-with-a-long-name-70b",
    "東京大学地理情報研究室の言語モデル第二版",
)
OWNER = "東京大学 地理情報研究室 山田太郎"
ENDPOINT = "endpoint-of-the-laboratory-in-the-cellar"
SUBMITTED = "submitted-by-somebody-with-a-long-name-1"
TEMPLATES = ("Calculate_Distance_Context", "Compare_Type_Diversity", "Find_Cover_AOI_All")
ADDRESS = "http://127.0.0.1:9/v1"


@dataclass(frozen=True)
class Stored:
    """What there is to show: a data set, its runs, a dispute, a submission."""

    settings: Settings
    runs: tuple[int, ...]
    question: str

    def show(self, *arguments: str) -> Done:
        return trigpoint(self.settings, *arguments, COLUMNS=str(WIDTH))


@pytest.fixture(scope="module")
def stored(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Stored:
    settings = make_database()
    questions = [option_question(i, key=i % 4, template=TEMPLATES[i % 3]) for i in range(12)]
    version = make_version(settings, questions, name=DATASET)
    made = make_version(settings, questions, name=DATASET, number=2, made_map=version.map)
    runs = [
        make_run(settings, made, ["ABCD"[(i + number) % 4] for i in range(12)], label)
        for number, label in enumerate(MODELS)
    ]
    runs.append(make_run(settings, made, [FAILED] * 12, "broken", status="incomplete"))
    for run in runs:
        score(settings, run)
    answers = tmp_path_factory.mktemp("answers") / "answers.jsonl"
    answers.write_text("".join(f'{{"id": "{one}", "answer": "B"}}\n' for one in made.questions))
    reference = f"{DATASET}@2"
    for arguments in (
        ("key", "create", OWNER, "--role", "maintainer"),
        (
            "endpoint",
            "add",
            ENDPOINT,
            "--url",
            ADDRESS,
            "--model",
            MODELS[0],
            "--requests-per-minute",
            "12000",
        ),
        ("submit", reference, str(answers), "--name", SUBMITTED, "--contact", "nobody"),
        (
            "dispute",
            "open",
            reference,
            made.questions[0],
            "--reason",
            "ambiguous",
            "--text",
            "It is not clear.",
        ),
        (
            "schedule",
            "add",
            f"follows-{DATASET[:30]}",
            "--dataset",
            DATASET,
            "--region",
            "europe/liechtenstein",
        ),
    ):
        done = trigpoint(settings, *arguments)
        assert done.status == 0, done.err
    return Stored(settings, tuple(runs), made.questions[0])


def check(done: Done, *names: str) -> None:
    """No line is too long but for one word or command that is; every name is in one piece, and nothing is JSON."""
    for line in (done.out + done.err).splitlines():
        assert Text(line).cell_len <= WIDTH or len(line.split()) == 1, line
    for name in names:
        assert name in done.out
    for mark in ("{", "['", "None", "Traceback", "\u2026", "\u202f"):
        assert mark not in done.out


@pytest.mark.parametrize(
    "more",
    [
        (),
        ("--by-template",),
        ("--by", "dimension"),
        ("--by", "city"),
        ("--by", "answer_type"),
        ("--cost",),
        ("--history",),
        ("--benchmark",),
        ("--sql",),
    ],
    ids=" ".join,
)
def test_boards(stored: Stored, more: tuple[str, ...]) -> None:
    names = TEMPLATES if more == ("--by-template",) else ()
    check(stored.show("leaderboard", DATASET, *more), DATASET, *MODELS, SUBMITTED, *names)


def test_figures_of_papers_beside_a_board(stored: Stored) -> None:
    check(stored.show("leaderboard", DATASET, "--reference"), *MODELS)


def test_lists(stored: Stored) -> None:
    check(stored.show("run", "list"), f"{DATASET}@2", *MODELS)
    check(stored.show("endpoint", "list"), ENDPOINT, MODELS[0], ADDRESS)
    check(stored.show("key", "list"), OWNER)
    check(stored.show("submission", "list"), f"{DATASET}@2", SUBMITTED)
    check(stored.show("dispute", "list"), f"{DATASET}@2", stored.question)
    check(stored.show("schedule", "list"), DATASET, "europe/liechtenstein")
    check(stored.show("snapshots", "--all"), "village@2026-01-02T03:04:05Z")
    check(stored.show("templates", "check"), *TEMPLATES)


def test_single_things(stored: Stored) -> None:
    for run, label in zip(stored.runs, (*MODELS, FAILURE), strict=True):
        check(stored.show("run", "show", str(run), "--positions"), f"{DATASET}@2", label.split()[0])
    check(stored.show("run", "answers", str(stored.runs[0])), stored.question, "A: Adler")
    check(stored.show("submission", "show", "1"), SUBMITTED)
    check(stored.show("dispute", "show", "1"), stored.question, *MODELS)
    check(stored.show("schedule", "show", f"follows-{DATASET[:30]}"), DATASET)
    check(stored.show("doctor"))


def test_comparing_and_reports(stored: Stored) -> None:
    first, second, third, broken = map(str, stored.runs)
    check(stored.show("compare", first, second, third), *MODELS)
    check(stored.show("report", first, second, third, broken), *MODELS, *TEMPLATES)
    check(stored.show("report", DATASET), *MODELS, *TEMPLATES)


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "show", "999"),
        ("run", "answers", "999"),
        ("leaderboard", "no-such-data-set"),
        ("compare", "998", "999"),
        ("report", "999"),
        ("dispute", "show", "999"),
        ("submission", "show", "999"),
        ("endpoint", "check", "nobody"),
        ("schedule", "show", "nobody"),
        ("key", "revoke", "00000000"),
        ("snapshot", "drop", "nowhere"),
        ("generate", "gsqa", "--snapshot", "nowhere", "--out", "x"),
        ("evaluate", "no-such-data-set", "--solver", "oracle"),
        ("refresh", "no-such-data-set", "--snapshot", "nowhere"),
        ("churn", "no-such-data-set"),
        ("verify", "no-such-data-set"),
        ("export", "no-such-data-set", "--to", "x"),
    ],
    ids=" ".join,
)
def test_what_is_not_there_is_said_in_a_sentence(stored: Stored, arguments: tuple[str, ...]) -> None:
    done = stored.show(*arguments)
    assert done.status != 0
    assert done.err.startswith("trigpoint:")
    check(done)
    check(Done(done.status, done.err, ""))


@pytest.mark.parametrize(
    "content", ["not JSON", "[1, 2", '{"a": {"b": [1]}}', "[]", "\ufeff{}", "null", '"\\ud800"']
)
@pytest.mark.parametrize(
    "arguments",
    [
        ("submit", f"{DATASET}@2", "FILE"),
        ("score-cases", "FILE"),
        ("facts", "load", "FILE"),
        ("review", "load", f"{DATASET}@2", "FILE", "--reviewer", "Ada"),
        ("scripted-endpoint", "--policy", "written", "--answers", "FILE"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_file_that_is_wrong_is_told_in_a_sentence(
    stored: Stored, arguments: tuple[str, ...], content: str, tmp_path: Path
) -> None:
    file = tmp_path / "wrong.json"
    file.write_text(content)
    done = stored.show(*(str(file) if one == "FILE" else one for one in arguments))
    assert done.status != 0
    assert done.err.startswith("trigpoint:")
    for mark in (
        "Traceback",
        "ValidationError",
        "JSONDecodeError",
        "Expecting",
        "dict",
        "input_value",
        "pydantic",
    ):
        assert mark not in done.out + done.err
