"""`trigpoint map draw`: a picture with its record, or a sentence and no file."""

import hashlib
import json
from pathlib import Path

import pytest

from app.drawing.engine import engine_versions, say_what_is_missing
from app.drawing.record import read_record
from tests.support.command_line import trigpoint
from tests.support.town import Imported


@pytest.fixture(autouse=True)
def drawing_engine() -> None:
    """Skips where mapnik or a font is absent."""
    if say_what_is_missing():
        pytest.skip("mapnik or its fonts are absent: scripts/visual installs them")


def test_a_map_is_drawn_with_its_record(helsinki: Imported, tmp_path: Path) -> None:
    out = tmp_path / "station.png"
    drawn = trigpoint(
        helsinki.settings, "map", "draw", helsinki.name, "--at", "24.9435,60.1705", "--zoom", "17",
        "--size", "700x500", "--out", str(out), "--json",
    )  # fmt: skip
    assert drawn.status == 0, drawn.err
    told = json.loads(out.with_name("station.png.json").read_text(encoding="utf-8"))
    assert told["sha256"] == drawn.json["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
    assert told["engine"] == engine_versions()
    record = read_record(told)
    assert (record.frame["width"], record.frame["height"]) == (700, 500)
    assert len(record.symbols) == drawn.json["symbols"] > 20
    assert "Kaivokatu" in {one.text for one in record.labels if one.kind == "road"}
    assert all(one.whole for one in (*record.symbols, *record.labels))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--at", "24.9,60.3"), "beyond the outline of the map"),
        (("--at", "east"), "--at takes longitude and latitude in degrees"),
        (("--at", "24.944,60.171", "--size", "10"), "--size takes pixels as WIDTHxHEIGHT"),
        (("--at", "24.944,60.171", "--zoom", "3"), "A map is drawn at zoom 8 to 21, not 3"),
        (("--at", "24.944,60.171", "--size", "9000x100"), "A picture has 200 to 2048 pixels a side"),
    ],
)
def test_what_cannot_be_drawn_leaves_no_file(
    helsinki: Imported, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    out = tmp_path / "no.png"
    refused = trigpoint(helsinki.settings, "map", "draw", helsinki.name, *arguments, "--out", str(out))
    assert refused.status != 0
    assert sentence in refused.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(helsinki: Imported, tmp_path: Path) -> None:
    out = tmp_path / "absent" / "map.png"
    refused = trigpoint(
        helsinki.settings, "map", "draw", helsinki.name, "--at", "24.944,60.171", "--zoom", "19",
        "--size", "300x200", "--out", str(out),
    )  # fmt: skip
    assert refused.status == 2
    assert "cannot be written: No such file or directory" in refused.err
    assert not out.parent.exists()
