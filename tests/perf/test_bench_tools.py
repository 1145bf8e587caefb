"""The benchmark of tools measures every kind of call on one copy, and all of its clients are answered."""

import json
from pathlib import Path

import pytest

from perf import cluster
from perf.bench_tools import main
from perf.copies import DEFAULT


@pytest.mark.long
def test_the_command_measures_tools_on_one_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not DEFAULT.is_file():
        pytest.skip(f"{DEFAULT} is absent")
    monkeypatch.setattr(cluster, "FOLDER", tmp_path)
    assert main(["--copies", "1", "--calls", "5", "--clients", "4", "--long", "60"]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    measured = figures["in_process"]
    assert set(measured) == {"search", "details", "nearby", "route", "matrix"}
    for name, one in measured.items():
        assert one["calls"] > 0, f"no call of {name} was answered"
    for name in ("search", "details", "nearby"):
        assert measured[name]["calls"] == 5
        assert 0 < measured[name]["p50_ms"] <= measured[name]["p99_ms"]
    assert figures["statuses"] == {"200": 60}
    assert figures["calls_a_second"] > 0
    assert figures["memory_mb"]["before"] > 0
