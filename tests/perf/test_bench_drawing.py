"""The benchmark of pictures draws every zoom on one copy."""

import json
from pathlib import Path

import pytest

from app.drawing.engine import say_what_is_missing
from perf import cluster
from perf.bench_drawing import main
from perf.copies import DEFAULT


@pytest.mark.long
def test_the_command_measures_pictures_on_one_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not DEFAULT.is_file():
        pytest.skip(f"{DEFAULT} is absent")
    if say_what_is_missing():
        pytest.skip("mapnik or its fonts are absent: scripts/visual installs them")
    monkeypatch.setattr(cluster, "FOLDER", tmp_path)
    assert main(["--pictures", "3", "--size", "400x300"]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert set(figures["zooms"]) == {str(zoom) for zoom in range(14, 22)}
    for one in figures["zooms"].values():
        assert one["pictures"] + sum(one["refused"].values()) == 3
    assert figures["zooms"]["18"]["pictures"] > 0
    assert 0 < figures["zooms"]["18"]["median_s"] <= figures["zooms"]["18"]["slowest_s"]
