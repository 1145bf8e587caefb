"""`trigpoint items` and `trigpoint lite` on a real database: 24 runs over 32 questions, an eighth of them hidden."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.app.item_response.test_fitting import simulate
from tests.support.command_line import trigpoint
from tests.support.factories import FAILED, MISSING, MadeVersion, make_run, make_version, option_question
from tests.support.scored_runs import score

ITEMS, RUNS = 32, 24
PER_MODEL = 2
REVERSED, NEVER, ALWAYS = 0, 1, 2
"""Places of questions on which strong runs fail, nobody succeeds, and everybody does."""
HIDDEN = tuple(range(7, ITEMS, 8))
TEMPLATES = ("Find_Nearest_POI", "Find_Cover_AOI")


@dataclass(frozen=True)
class Made:
    """A version, its runs in order, and the true value of each of them on each question."""

    settings: Settings
    version: MadeVersion
    runs: list[int]
    right: np.ndarray


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Made:
    """Models `model-0` … with two runs each; beside them runs of no use for a fit."""
    settings = make_database()
    questions = [
        option_question(
            place, place % 4, template=TEMPLATES[place % 2], split="hidden" if place in HIDDEN else "public"
        )
        for place in range(ITEMS)
    ]
    version = make_version(settings, questions, name="items")
    right, *_, ability = simulate(11, RUNS, ITEMS)
    strong = ability > np.median(ability)
    right[:, REVERSED], right[:, NEVER], right[:, ALWAYS] = ~strong, 0, 1
    letters = ["ABCD"[place % 4] for place in range(ITEMS)]
    wrong = ["BCDA"[place % 4] for place in range(ITEMS)]
    runs = []
    for number, row in enumerate(right):
        given = [letters[place] if is_right else wrong[place] for place, is_right in enumerate(row)]
        runs.append(make_run(settings, version, given, f"model-{number // PER_MODEL}"))
    given = [letters[place] if is_right else wrong[place] for place, is_right in enumerate(right[0])]
    runs.append(make_run(settings, version, given, "copy of model-0"))
    runs.append(make_run(settings, version, letters, "oracle", "oracle"))
    for run in runs:
        score(settings, run)
    make_run(settings, version, [FAILED, *letters[1:]], "broken", status="incomplete")
    make_run(settings, version, [*letters[:-1], MISSING], "running", status="running")
    make_run(settings, version, letters, "not scored")
    return Made(settings, version, runs, right)


@pytest.fixture(scope="module")
def lite(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lite") / "lite.json"
    done = trigpoint(made.settings, "lite", "choose", "items", "--size", "12", "--out", str(path), "--json")
    assert done.status == 0, done.err
    return path


def refused(made: Made, *arguments: str) -> str:
    done = trigpoint(made.settings, *arguments)
    assert done.status in (1, 2), done.out
    return done.err


def test_items_are_those_of_public_questions_over_complete_runs(made: Made) -> None:
    done = trigpoint(made.settings, "items", "items", "--json")
    assert done.status == 0, done.err
    found = done.json
    public = [one for place, one in enumerate(made.version.questions) if place not in HIDDEN]
    assert [one["id"] for one in found["items"]] == public
    assert [one["run"] for one in found["runs"]] == made.runs[:RUNS]
    assert found["equal"] == {str(made.runs[RUNS]): made.runs[0]}
    assert not any(made.version.questions[place] in done.out for place in HIDDEN)
    by_id = {one["id"]: one for one in found["items"]}
    remarks = {place: by_id[made.version.questions[place]]["remark"] for place in range(3)}
    assert remarks == {REVERSED: "reversed", NEVER: "never right", ALWAYS: "always right"}
    seen = by_id[made.version.questions[REVERSED]]
    assert seen["strongest"] < seen["weakest"]
    assert seen["discrimination"] < 0
    assert by_id[made.version.questions[NEVER]]["difficulty"] is None
    for run, row in zip(found["runs"], made.right, strict=True):
        shown = [value for place, value in enumerate(row) if place not in HIDDEN]
        assert run["mean"] == pytest.approx(np.mean(shown), abs=1e-4)
    assert trigpoint(made.settings, "items", "items", "--json").out == done.out


def test_the_terminal_shows_the_hardest_first(made: Made) -> None:
    done = trigpoint(made.settings, "items", "items", "--show", "3", COLUMNS="100")
    assert "items@1: 28 public questions, 24 runs (1 more have the same values as one of them)." in done.out
    assert "Right in all runs: 1. Right in none: 1. Reversed: 1." in done.out
    look = done.out.split("To look at:")[1]
    assert look.index("reversed") < look.index("never right")


def test_remarked_questions_go_to_a_review_whose_marks_load(made: Made, tmp_path: Path) -> None:
    page = tmp_path / "look.csv"
    done = trigpoint(made.settings, "items", "items", "--review", str(page), "--with-gold", "--json")
    assert done.status == 0, done.err
    asked = done.json["reviewed"]
    assert asked[:2] == [made.version.questions[REVERSED], made.version.questions[NEVER]]
    content = page.read_text()
    assert all(one in content for one in asked)
    lines = content.replace(",,\n", ",wrong,\n")
    marked = tmp_path / "marked.csv"
    marked.write_text(lines)
    loaded = trigpoint(made.settings, "review", "load", "items", str(marked), "--reviewer", "Ada", "--json")
    assert loaded.status == 0, loaded.err
    assert loaded.json["added"] == len(asked)
    assert "is there already" in refused(made, "items", "items", "--review", str(page))


def test_too_few_runs_are_refused_with_the_number_needed(made: Made, tmp_path: Path) -> None:
    few = [word for run in made.runs[:4] for word in ("--runs", str(run))]
    assert "has 4 runs to learn from; 10 are needed" in refused(made, "items", "items", *few)
    some = [word for run in made.runs[:18] for word in ("--runs", str(run))]
    out = ("--size", "12", "--out", str(tmp_path / "no.json"))
    assert "18 runs to learn from; 20 are needed" in refused(made, "lite", "choose", "items", *out, *some)
    assert not (tmp_path / "no.json").exists()


def test_runs_of_no_use_are_refused_by_name(made: Made) -> None:
    reads_gold, broken, running, unscored = range(made.runs[-1], made.runs[-1] + 4)
    reasons = {
        reads_gold: "its solver `oracle` reads gold",
        broken: "it is not complete",
        running: "it is not complete",
        unscored: "it is not scored yet",
    }
    for run, reason in reasons.items():
        assert f"Run {run} cannot be used: {reason}" in refused(made, "items", "items", "--runs", str(run))
    assert "There is no run 999" in refused(made, "items", "items", "--runs", "999")


def test_a_lite_set_says_what_it_is_made_of(made: Made, lite: Path, tmp_path: Path) -> None:
    found = json.loads(lite.read_text())
    assert len(found["items"]) == 12
    assert sum(one["weight"] for one in found["items"]) == pytest.approx(1, abs=1e-5)
    assert found["recipe"]["runs"] == made.runs[:RUNS]
    assert found["recipe"]["dataset"] == "items@1"
    assert not {one["id"] for one in found["items"]} & {made.version.questions[place] for place in HIDDEN}
    assert 0 < found["error"] < 0.5
    again = tmp_path / "again.json"
    arguments = ("lite", "choose", "items", "--size", "12", "--out")
    assert trigpoint(made.settings, *arguments, str(again)).status == 0
    assert again.read_bytes() == lite.read_bytes()
    assert "is there already" in refused(made, *arguments, str(again))
    assert "choose fewer" in refused(
        made, "lite", "choose", "items", "--size", "28", "--out", str(tmp_path / "x")
    )


def test_a_run_is_estimated_by_the_set(made: Made, lite: Path) -> None:
    file = json.loads(lite.read_text())
    off = []
    for run, row in zip(made.runs[:8], made.right, strict=False):
        found = trigpoint(made.settings, "lite", "estimate", str(run), str(lite), "--json").json
        shown = np.mean([value for place, value in enumerate(row) if place not in HIDDEN])
        assert found["full"] == pytest.approx(shown)
        assert found["was_used"]
        assert found["low"] <= found["estimate"] <= found["high"]
        off.append(abs(found["estimate"] - found["full"]))
    assert (np.array(off) <= file["error"]).sum() >= 7
    done = trigpoint(made.settings, "lite", "estimate", str(made.runs[0]), str(lite))
    assert "It was asked all" in done.out
    assert "the interval is too narrow" in done.out


def test_a_run_that_was_asked_the_set_alone_is_estimated(made: Made, lite: Path) -> None:
    """Its answers are those of a run over all questions, which the same set estimates."""
    ids = [one["id"] for one in json.loads(lite.read_text())["items"]]
    letters = ["ABCD"[place % 4] for place in range(ITEMS)]
    given = [
        letters[place] if one in ids and place % 3 else "D" if one in ids else MISSING
        for place, one in enumerate(made.version.questions)
    ]
    run = make_run(made.settings, made.version, given, "asked the set")
    with connect(made.settings, Role.OWNER) as connection:
        connection.execute(
            text("update run set sample = :ids, total = :total where id = :run"),
            {"ids": sorted(ids), "total": len(ids), "run": run},
        )
        connection.commit()
    score(made.settings, run)
    found = trigpoint(made.settings, "lite", "estimate", str(run), str(lite), "--json").json
    assert found["full"] is None
    assert not found["was_used"]
    assert found["estimate"] - found["low"] <= json.loads(lite.read_text())["error"] + 1e-9
    assert f"Run {run} cannot be used: it was asked a part" in refused(
        made, "items", "items", "--runs", str(run)
    )


def test_estimates_refuse_what_does_not_fit(made: Made, lite: Path, tmp_path: Path) -> None:
    other = make_version(made.settings, [option_question(900)], name="other")
    foreign = make_run(made.settings, other, ["A"], "elsewhere")
    score(made.settings, foreign)
    assert "it is not of items@1" in refused(made, "lite", "estimate", str(foreign), str(lite))
    assert "There is no run 999" in refused(made, "lite", "estimate", "999", str(lite))
    for content in ("", "[]", '{"format": 3}', lite.read_text().replace('"weight":', '"wait":')):
        broken = tmp_path / "broken.json"
        broken.write_text(content)
        assert "is no lite set" in refused(made, "lite", "estimate", str(made.runs[0]), str(broken))
    assert "cannot be read" in refused(made, "lite", "estimate", str(made.runs[0]), str(tmp_path / "nothing"))


def test_evaluate_refuses_a_set_of_another_version(made: Made, lite: Path) -> None:
    make_version(made.settings, [option_question(901)], name="third")
    only = ("--solver", "oracle", "--only", str(lite))
    assert "are of items@1, not of third@1" in refused(made, "evaluate", "third", *only)
    assert "give one of them" in refused(made, "evaluate", "items", *only, "--sample", "3")
