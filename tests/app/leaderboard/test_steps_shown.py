"""Scores that count hidden questions say so wherever they are shown: a mark before the number, and the size of the step."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard import formatting as words
from tests.support.command_line import trigpoint
from tests.support.factories import MadeVersion, make_run, make_version, option_question
from tests.support.planted_secrets import make_key
from tests.support.scored_runs import score
from tests.support.service import patient_client, serving

PUBLIC, HIDDEN = 10, 20
STEP = 5 / 30
"""Of 20 hidden questions of 30, steps of 5 questions."""
SAID = "≈: hidden questions count, rounded to steps of 5 questions, 16.7 points of the score."


class Made(NamedTuple):
    settings: Settings
    client: httpx.Client
    half: int
    good: int
    sample: int
    headers: dict[str, str]

    def rest(self, path: str) -> Any:
        return self.client.get(f"/v1{path}", headers=self.headers).raise_for_status().json()

    def page(self, path: str) -> str:
        return self.client.get(path).raise_for_status().text

    def cli(self, *words: str) -> str:
        done = trigpoint(self.settings, *words, COLUMNS="200")
        assert done.status == 0, done.err
        return done.out


def _answers(public: int, hidden: int) -> list[str]:
    right = {*range(public), *(PUBLIC + number for number in range(hidden))}
    return ["ABCD"[(i if i in right else i + 1) % 4] for i in range(PUBLIC + HIDDEN)]


def _sampled(settings: Settings, version: MadeVersion) -> int:
    run = make_run(settings, version, _answers(5, 0)[:PUBLIC], "sampled")
    with connect(settings, Role.WORKER) as connection:
        connection.execute(
            text("update run set sample = cast(:ids as text[]) where id = :run"),
            {"ids": version.questions[:PUBLIC], "run": run},
        )
        connection.commit()
    return run


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Iterator[Made]:
    """17 and 25 of 30 right as it is told; a sample of the public questions; a data set that hides nothing."""
    settings = make_database()
    split = ["public"] * PUBLIC + ["hidden"] * HIDDEN
    questions = [option_question(i, i % 4, split=split[i]) for i in range(PUBLIC + HIDDEN)]
    version = make_version(settings, questions, name="half_hidden")
    half = make_run(settings, version, _answers(7, 11), "half")
    good = make_run(settings, version, _answers(10, 14), "good")
    sample = _sampled(settings, version)
    open_version = make_version(
        settings, [option_question(i, i % 4) for i in range(4)], name="all_public", made_map=version.map
    )
    for run in (half, good, sample, make_run(settings, open_version, list("ABCA"), "half")):
        score(settings, run)
    headers = {"Authorization": f"Bearer {make_key(settings, 'reader')}"}
    with serving(settings) as address, patient_client(address) as client:
        yield Made(settings, client, half, good, sample, headers)


def test_rest_gives_the_step_beside_every_score(made: Made) -> None:
    board = made.rest("/leaderboards/half_hidden")
    assert (board["step"], board["hidden_step"]) == (STEP, 5)
    assert {row["run"]: row["step"] for row in board["rows"]} == {
        made.half: STEP,
        made.good: STEP,
        made.sample: None,
    }
    assert all(row["step"] is None for one in board["templates"].values() for row in one["rows"])
    (entry,) = made.rest("/leaderboards/half_hidden/history")["rows"][0]["entries"]
    assert (entry["step"], entry["n"]) == (STEP, 30)
    entries = made.rest("/benchmarks/urban_knowledge/leaderboard")["rows"]
    assert {one["dataset"]: one["step"] for row in entries for one in row["entries"]} == {
        "half_hidden": STEP,
        "all_public": None,
    }


def test_rest_gives_the_step_of_differences(made: Made) -> None:
    whole = made.rest("/datasets/half_hidden/comparisons")
    assert [one["step"] for one in [*whole["runs"], *whole["pairs"]]] == [STEP] * 3
    asked = made.rest(f"/comparisons?runs={made.half},{made.good}")
    assert [one["step"] for one in [*asked["runs"], *asked["pairs"]]] == [STEP] * 3
    common = made.rest(f"/comparisons?runs={made.half},{made.sample}")
    assert [one["step"] for one in [*common["runs"], *common["pairs"]]] == [STEP, None, None]
    scope = "template:" + next(iter(made.rest("/leaderboards/half_hidden")["templates"]))
    of_template = made.rest(f"/datasets/half_hidden/comparisons?scope={scope}")
    assert {one["step"] for one in [*of_template["runs"], *of_template["pairs"]]} == {None}
    duel = made.rest(f"/datasets/half_hidden/comparisons/{made.half}/{made.good}")
    assert (duel["first"]["step"], duel["second"]["step"]) == (STEP, STEP)
    assert {one["scope"]: one["step"] for one in duel["scopes"]}["all"] == STEP
    assert {one["step"] for one in duel["scopes"] if one["scope"] != "all"} == {None}
    beside = made.rest(f"/datasets/half_hidden/comparisons/{made.half}/{made.sample}")
    assert (beside["first"]["step"], beside["second"]["step"]) == (STEP, None)


def test_pages_mark_stepped_numbers(made: Made) -> None:
    board = made.page("/leaderboards/half_hidden")
    assert SAID in board
    for shown in ("≈56.7", "≈83.3", ">≈17<", ">≈13<", ">≈25<"):
        assert shown in board
    assert "≈50.0" not in board, "a sample has no hidden question"
    heat = made.page("/leaderboards/half_hidden/templates")
    assert SAID in heat
    assert heat.count("≈56.7") == heat.count("≈83.3") == 1
    compare = made.page(f"/leaderboards/half_hidden/compare?first={made.good}&second={made.half}")
    assert SAID in compare
    for shown in ("≈83.3", "≈56.7", "≈+26.7"):
        assert shown in compare
    run = made.page(f"/runs/{made.half}")
    assert "≈56.7" in run
    assert "in steps of 5 questions, 16.7 points of the score" in run
    assert SAID in run
    assert ">≈17<" in run


def test_the_terminal_marks_stepped_numbers(made: Made) -> None:
    board = made.cli("leaderboard", "half_hidden", "--history")
    assert SAID in board
    lines = {line.split()[1]: line for line in board.splitlines() if " % " not in line and "≈" in line}
    assert "≈83.3" in lines["good"]
    assert "≈25" in lines["good"]
    assert f"half_hidden@1: {SAID}" in board
    reported = made.cli("report", "half_hidden")
    assert SAID in reported
    assert reported.count("≈56.7") == reported.count("≈83.3") == 1
    compared = made.cli("compare", str(made.half), str(made.good))
    assert SAID in compared
    assert "≈+26.7" in compared


@pytest.mark.parametrize("what", ["board", "heatmap"])
def test_pictures_mark_stepped_numbers(made: Made, tmp_path: Path, what: str) -> None:
    to = tmp_path / "it.svg"
    made.cli("plot", what, "half_hidden", "--to", str(to))
    drawn = to.read_text()
    assert drawn.count("≈56.7") == drawn.count("≈83.3") == 1
    assert "≈: hidden questions count, rounded to steps of 5 questions" in drawn


def test_exact_numbers_have_no_mark(made: Made) -> None:
    for page in ("", "/templates"):
        assert words.STEPPED not in made.page(f"/leaderboards/all_public{page}")
    for command in ("leaderboard", "report"):
        assert words.STEPPED not in made.cli(command, "all_public")
    assert words.STEPPED not in made.page(f"/runs/{made.sample}")
