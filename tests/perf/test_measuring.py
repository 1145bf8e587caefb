"""What a tree of processes costs: children of children count, and a failing command says so."""

import os
import sys
from pathlib import Path

import pytest

from app.core.errors import ImportFailed, UsageError
from perf.bench_import import Comparison, Run, main
from perf.measuring import Cost, measure
from perf.osm2pgsql import peer

BURN = "import time; held = b'x' * 60_000_000\nwhile time.process_time() < 0.4: pass\nprint('done')"
PARENT = f"import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', {BURN!r}]).returncode)"


def test_time_and_memory_of_a_grandchild_count(tmp_path: Path) -> None:
    cost = measure([[[sys.executable, "-c", PARENT]]], os.environ, os.getpid(), tmp_path / "log")
    assert cost.cpu >= 0.4
    assert cost.memory > 60
    assert cost.wall >= 0.4
    assert cost.output == "done\n"


def test_stages_follow_each_other_and_their_costs_add_up(tmp_path: Path) -> None:
    burn = [sys.executable, "-c", BURN]
    cost = measure([[burn], [burn, burn]], os.environ, os.getpid(), tmp_path / "log")
    assert cost.cpu >= 1.2
    assert cost.wall >= 0.8


def test_a_command_that_fails_is_named_with_its_last_words(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "raise SystemExit('no such layer')"]
    with pytest.raises(ImportFailed, match="no such layer"):
        measure([[command]], os.environ, os.getpid(), tmp_path / "log")


def make_run(wall: float, rows: int, area: float) -> Run:
    return Run(Cost(wall, 2 * wall, 100, wall, ""), dict.fromkeys(peer.LAYERS, (rows, area, 0.0)))


def test_ratios_are_taken_round_by_round(tmp_path: Path) -> None:
    file = tmp_path / "map"
    file.write_bytes(b"12")
    runs = {
        "peer": [make_run(1, 10, 4.0), make_run(4, 10, 4.0), make_run(2, 10, 4.0)],
        "five": [make_run(3, 11, 5.0), make_run(4, 11, 5.0), make_run(4, 11, 5.0)],
    }
    figures = Comparison(file, runs).as_json()
    assert figures["ratios"]["five"]["wall"] == {"median": 2.0, "max": 3.0, "rounds": [3.0, 1.0, 2.0]}
    assert figures["differences"]["five"]["poi"] == {"rows": 1, "area": 0.25, "length": 0.0}
    assert figures["sides"]["peer"]["wall_s"]["median"] == 2


def test_the_peer_gets_every_index_of_its_layers_and_no_other() -> None:
    statements = peer.index_statements()
    assert set(statements) == set(peer.LAYERS)
    for layer, found in statements.items():
        assert any(f"alter table {layer} add primary key" in one for one in found)
        assert sum(f" on {layer} using gist" in one for one in found) == 2
    assert [one.split()[0] for one in statements["poi"]][:2] == ["create", "insert"]


def test_what_is_missing_is_said_with_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UsageError, match="apt-get install osm2pgsql"):
        peer.find_program()
    assert main(["--sides", "peer,nobody"]) == 2
    assert "There is no side nobody" in capsys.readouterr().err
