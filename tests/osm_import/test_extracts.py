"""Describing an extract: names, dates, boxes, and everything that is no map."""

import gzip
import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import osmium
import pytest

from app.core.clock import SystemClock
from app.core.errors import BadExtract, TrigpointError, UsageError
from app.core.seeds import below
from app.core.settings import Settings
from osm_import.extracts import default_name, open_extract, safe_name
from osm_import.progress import Silent
from tests.osm_import.conftest import read_all

OSM = '<osm version="0.6">{}</osm>'
NODE = '<node id="1" version="1" lat="47" lon="9" timestamp="2020-01-0{}T00:00:00Z"><tag k="amenity" v="cafe"/></node>'


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(local_dir=tmp_path / "local", geofabrik_url="http://127.0.0.1:9/nothing")


def test_a_pbf_describes_itself(write_map: Callable[..., Path], settings: Settings) -> None:
    path = write_map(box=(9.0, 47.0, 9.5, 47.5))
    extract = open_extract(str(path), settings, Silent(), SystemClock())
    assert extract.timestamp == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert extract.box is not None
    assert tuple(extract.box) == pytest.approx((9.0, 47.0, 9.5, 47.5))
    assert extract.checksum == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (extract.source, extract.sequence, extract.poly) == ("toy.osm.pbf", None, None)


def test_without_a_header_the_latest_object_dates_the_map(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "x.osm"
    path.write_text(OSM.format(NODE.format(7) + NODE.replace('id="1"', 'id="2"').format(3)))
    extract = open_extract(str(path), settings, Silent(), SystemClock())
    assert extract.timestamp == datetime(2020, 1, 7, tzinfo=UTC)
    assert extract.box is None


def test_objects_without_dates_leave_the_map_undated(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "x.osm.gz"
    path.write_bytes(gzip.compress(OSM.format('<node id="1" lat="1" lon="2"/>').encode()))
    assert open_extract(str(path), settings, Silent(), SystemClock()).timestamp is None


@pytest.mark.parametrize("poly_name", ["toy-latest.poly", "toy.poly"])
def test_a_poly_beside_the_file_is_read(
    write_map: Callable[..., Path], settings: Settings, poly_name: str
) -> None:
    path = write_map(name="toy-latest.osm.pbf")
    path.with_name(poly_name).write_text("toy\n1\n 9 47\n 10 47\n 10 48\nEND\nEND\n")
    extract = open_extract(str(path), settings, Silent(), SystemClock())
    assert extract.poly is not None
    assert extract.poly.area == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.osm.pbf", b"<!DOCTYPE html><html>", "is a web page, not a map"),
        ("a.osm", b"\xef\xbb\xbf\n<HTML><body>", "is a web page, not a map"),
        ("a.osm.gz", gzip.compress(b"<html>", mtime=0), "is a web page, not a map"),
        ("a.osm.pbf", b"", "is empty"),
        ("a.osm.pbf", b"PK\x03\x04" + bytes(200), "does not begin like an OpenStreetMap file"),
        ("a.osm.gz", b"plain text", "does not begin like an OpenStreetMap file"),
        ("a.osm.gz", gzip.compress(b"<osm version='0.6'>" * 99, mtime=0)[:40], "cannot be unpacked"),
        ("a.osm.bz2", b"BZh91AY", "cannot be unpacked"),
        ("a.osm", b'{"type": "FeatureCollection"}', "does not begin like an OpenStreetMap file"),
        ("a.osm", b'<osmChange version="0.6"></osmChange>', "is a change file"),
        ("a.osm", b'<osm version="0.6"><node id="1" lat="1" lon="1"/>', "was cut off"),
        ("a.osm", b'<osm version="0.6"><node id="1" lat="x" lon="1"/></osm>', "is damaged"),
        ("a.osm", b'<osm version="0.6"><node id="1" changeset="6:9" lat="1" lon="1"/></osm>', "is damaged"),
        ("a.geojson", b"{}", "is not a map file by its name"),
        ("a.shp.zip", b"PK", "is not a map file by its name"),
    ],
)
def test_what_is_no_map_gets_one_sentence(
    tmp_path: Path, settings: Settings, name: str, content: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadExtract) as caught:
        open_extract(str(path), settings, Silent(), SystemClock())
    assert name in str(caught.value)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_history_files_are_refused(tmp_path: Path, settings: Settings) -> None:
    history = tmp_path / "x.osh.pbf"  # the ending makes the writer mark the file as a history
    with osmium.SimpleWriter(str(history)) as writer:
        writer.add_node(osmium.osm.mutable.Node(id=1, location=(9, 47)))
    path = history.rename(tmp_path / "x.osm.pbf")
    with pytest.raises(BadExtract, match="history or change file"):
        open_extract(str(path), settings, Silent(), SystemClock())


@pytest.mark.parametrize("source", ["gone.osm.pbf", "./gone", "/no/such/file", "what is this?"])
def test_missing_files(settings: Settings, source: str) -> None:
    with pytest.raises(UsageError, match="There is no file"):
        open_extract(source, settings, Silent(), SystemClock())


def test_a_folder_is_no_map(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        open_extract(str(tmp_path), settings, Silent(), SystemClock())


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("Helsinki.osm.pbf", "helsinki"),
        ("liechtenstein-2022-07-24.osm.pbf", "liechtenstein"),
        ("São Paulo.osm.gz", "s_o_paulo"),
        ("-.osm.pbf", "map"),
        ("a" * 50 + ".osm", "a" * 30),
    ],
)
def test_default_names(file: str, name: str) -> None:
    assert default_name(Path(file)) == name
    assert safe_name(name) == name


@pytest.mark.parametrize("flips", range(20))
def test_a_damaged_real_file_is_read_or_refused(
    extracts: Path, tmp_path: Path, settings: Settings, flips: int
) -> None:
    """Twenty seeded mutations of a real file: one sentence, or a map; never another error."""
    data = bytearray((extracts / "liechtenstein-2013-08-03.osm.pbf").read_bytes())
    for n in range(1 + flips % 4):
        data[below(len(data), flips, "byte", n)] ^= 1 << below(8, flips, "bit", n)
    path = tmp_path / "bent.osm.pbf"
    path.write_bytes(data)
    refusal = ""
    try:
        open_extract(str(path), settings, Silent(), SystemClock())
        read_all(path)
    except TrigpointError as error:
        refusal = str(error)
    assert not refusal or "bent.osm.pbf" in refusal
