"""`trigpoint run answers`: public questions with gold and score, hidden ones not at all; files a spreadsheet may open."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from app.cli.local_worker import worker_environment
from app.cli.main import build_application
from app.core.errors import NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.scores.scoring import score_run
from tests.support.factories import make_run, make_version, option_question

HOSTILE = ["=1+1", " @SUM(A1)", "-2"]
CALL = (
    "insert into step (run_id, batch_id, fencing_token, version_id, question_id, question_revision, presentation_key,"
    " repeat, ordinal, attempt, kind, state, request_hash, request, response, usage, sent_at, answered_at)"
    " select run_id, 1, 1, version_id, question_id, question_revision, presentation_key, repeat, 0, 0, 'chat', 'done',"
    " 'x', cast(:request as jsonb), '{}', cast(:usage as jsonb), created_at, created_at + interval '1.5 seconds'"
    " from prediction"
)


@pytest.fixture
def run(
    database: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Any]:
    """A scored run over four public questions and two hidden ones; called with options, it shows the answers."""
    for name, value in worker_environment(database).items():
        monkeypatch.setenv(name, value)
    public = [option_question(i, key=0) for i in range(4)]
    hidden = [option_question(i, key=0, split="hidden") for i in (4, 5)]
    version = make_version(database, [*public, *hidden])
    run_id = make_run(database, version, ["A", *HOSTILE, "A", "hidden words"])
    asked = json.dumps({"model": "m", "messages": [{"role": "user", "content": "=Which?"}]})
    with connect(database, Role.WORKER) as connection:
        # an endpoint may count as it likes
        usage = json.dumps({"prompt_tokens": 30, "completion_tokens": 2.4})
        connection.execute(text(CALL), {"request": asked, "usage": usage})
        score_run(connection, run_id)
        connection.commit()

    def show(*options: str, run: int = run_id) -> Any:
        arguments = ["run", "answers", str(run), *options, "--json"]
        capsys.readouterr()
        build_application(tuple(arguments))(arguments, standalone_mode=False)
        return json.loads(capsys.readouterr().out)

    return show


def test_public_answers_are_shown_and_hidden_ones_are_not(run: Callable[..., Any]) -> None:
    found = run()
    assert (found["n"], found["label"]) == (4, "toy model")
    first = found["answers"][0]
    assert (first["answer"], first["outcome"], first["score"], first["gold"]["index"]) == (
        "A",
        "correct",
        1.0,
        0,
    )
    assert first["prompt"] == [{"role": "user", "content": "=Which?"}]
    assert (first["prompt_tokens"], first["completion_tokens"], first["milliseconds"]) == (30, 2, 1500)
    assert "hidden words" not in json.dumps(found)


def test_a_file_of_lines_holds_answers_word_for_word(run: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    assert run("--to", str(file))["n"] == 4
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [line["answer"] for line in lines] == ["A", *HOSTILE]


def test_no_cell_of_a_sheet_begins_a_formula(run: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "answers.csv"
    run("--to", str(file))
    with file.open(encoding="utf-8", newline="") as sheet:
        rows = list(csv.DictReader(sheet))
    assert [row["answer"] for row in rows] == ["A", *(f"'{answer}" for answer in HOSTILE)]
    assert rows[0]["score"] == "1.0"
    assert not [
        cell for row in rows for cell in row.values() if cell.lstrip().startswith(("=", "+", "-", "@"))
    ]


def test_what_cannot_be_written_or_found_is_one_sentence(run: Callable[..., Any], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"must end in \.csv or \.jsonl"):
        run("--to", str(tmp_path / "answers.txt"))
    with pytest.raises(UsageError, match="cannot be written"):
        run("--to", str(tmp_path / "nowhere" / "answers.csv"))
    with pytest.raises(NotFound, match="no run"):
        run(run=999)
