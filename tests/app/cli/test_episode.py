"""`trigpoint episode`: what a person reads in 80 columns, JSON, files of trajectories, and what is refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from atif import Trajectory

from app.core.settings import Settings
from tests.support.command_line import trigpoint
from tests.support.stored_episodes import SECRET, MadeAgents, make_agents


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> tuple[Settings, MadeAgents]:
    settings = make_database()
    return settings, make_agents(settings)


def test_an_episode_as_a_person_reads_it(
    made: tuple[Settings, MadeAgents], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, agents = made
    monkeypatch.setenv("COLUMNS", "80")
    done = trigpoint(settings, "episode", str(agents.first), agents.questions[1][:12])
    assert done.status == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 80 or "x" * 100 in done.out
    for said in (
        "1. chat, 100 + 20 tokens, 500 ms",
        "thought: Searching",
        "3. tool distance, 500 ms",
        "bad argument: <script>alert(1)</script> [U+202E]gnp.exe[U+0007]",
        "went wrong",
    ):
        assert said in done.out, done.out
    assert "\x07" not in done.out


def test_an_episode_as_json(made: tuple[Settings, MadeAgents]) -> None:
    settings, agents = made
    done = trigpoint(settings, "episode", str(agents.first), agents.questions[0], "--json")
    found = json.loads(done.out)
    assert [one["state"] for one in found["steps"]] == ["lost", "done", "done", "done", "done", "done"]


@pytest.mark.parametrize("form", ["episodes", "atif"])
def test_all_episodes_as_a_file(made: tuple[Settings, MadeAgents], tmp_path: Path, form: str) -> None:
    settings, agents = made
    file = tmp_path / "told.jsonl"
    done = trigpoint(settings, "episode", str(agents.first), "--to", str(file), "--format", form, "--json")
    assert json.loads(done.out) == {
        "run": agents.first,
        "episodes": 3,
        "format": form,
        "file": str(file),
    }
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(lines) == 3
    assert SECRET not in file.read_text()
    if form == "atif":
        assert all(Trajectory.model_validate(one) for one in lines)


def test_what_is_refused(made: tuple[Settings, MadeAgents], tmp_path: Path) -> None:
    settings, agents = made
    run, question = str(agents.first), agents.questions[0]
    for arguments, said in (
        ((run,), "Name a question"),
        ((run, question, "--to", str(tmp_path / "x")), "Name a question"),
        ((run, "zzz"), "asks no public question whose id begins with 'zzz'"),
        ((run, agents.hidden), "asks no public question"),
        ((run, ""), "begin with ''"),
        ((run, question, "--repeat", "1"), "with repeat 1 and rotation 0"),
        (("999", question), "There is no run 999"),
        ((run, "--to", str(tmp_path / "x"), "--format", "odd"), "no format 'odd'"),
        ((run, "--to", str(tmp_path / "no" / "x")), "cannot be written"),
        (("999", "--to", str(tmp_path / "x")), "There is no run 999"),
    ):
        done = trigpoint(settings, "episode", *arguments)
        assert done.status != 0
        assert said in done.err.replace("\n", " "), done.err
    assert not list(tmp_path.iterdir())
