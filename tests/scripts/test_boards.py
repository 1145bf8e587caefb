"""The comparison of boards that `make test-compose` rests on, and the passwords it is given."""

import json
import os
import stat
import subprocess
from pathlib import Path

import localenv
import same_boards

from app.core.settings import PROJECT_ROOT

ROW = {
    "name": "oracle",
    "run": 1,
    "score": 1.0,
    "states": {"correct": 4},
    "spent": {"calls": 4, "latency_p95_ms": 5},
}
BOARD = {"dataset": "demo", "rows": [ROW]}


def compare(tmp_path: Path, one: object, other: object) -> int:
    """The exit status for two boards."""
    for name, board in (("one", one), ("other", other)):
        (tmp_path / name).write_text(json.dumps(board))
    return same_boards.main(str(tmp_path / "one"), str(tmp_path / "other"))


def test_boards_that_differ_in_a_score_a_count_or_a_row_are_told_apart(tmp_path: Path) -> None:
    assert compare(tmp_path, BOARD, BOARD | {"rows": [ROW | {"score": 0.999}]}) == 1
    assert compare(tmp_path, BOARD, BOARD | {"rows": [ROW | {"states": {"correct": 3}}]}) == 1
    assert (
        compare(tmp_path, BOARD, BOARD | {"rows": [ROW | {"spent": {"calls": 3, "latency_p95_ms": 5}}]}) == 1
    )
    assert compare(tmp_path, BOARD, BOARD | {"rows": [ROW, ROW]}) == 1


def test_boards_of_two_machines_are_the_same(tmp_path: Path) -> None:
    elsewhere = ROW | {"run": 7, "spent": {"calls": 4, "latency_p95_ms": 7}}
    assert compare(tmp_path, BOARD, BOARD | {"rows": [elsewhere]}) == 0


def test_an_empty_board_proves_nothing(tmp_path: Path) -> None:
    assert compare(tmp_path, {"rows": []}, {"rows": []}) == 1


def test_passwords_of_containers_are_drawn_once_for_their_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "env"
    for _ in range(2):
        subprocess.run([PROJECT_ROOT / "scripts" / "compose-env", file], check=True)
        values = localenv.read(file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    first = file.read_bytes()
    subprocess.run([PROJECT_ROOT / "scripts" / "compose-env", file], check=True, env=dict(os.environ))
    assert file.read_bytes() == first
    assert {f"TRIGPOINT_PASSWORD_{role.upper()}" for role in localenv.ROLES} <= values.keys()
