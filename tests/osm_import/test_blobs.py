"""NUL characters in a PBF, told before the map reader meets them; whatever else is wrong is left to it."""

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from osm_import.blobs import find_nul
from tests.osm_import.raw_maps import (
    blob,
    header,
    message,
    node,
    pbf,
    raw,
    scalar,
    varint,
    with_grid,
    zlibbed,
)

BAD = node(5, name=b"a\0b", amenity="cafe")
Pack = Callable[[bytes], bytes]


def found(folder: Path, data: bytes) -> str | None:
    path = folder / "x.osm.pbf"
    path.write_bytes(data)
    return find_nul(path)


def data_blob(block: bytes, pack: Pack = zlibbed) -> bytes:
    return blob("OSMHeader", header()) + blob("OSMData", block, pack)


def table(*texts: bytes) -> bytes:
    return message(1, b"".join(message(1, text) for text in texts))


@pytest.mark.parametrize("pack", [raw, zlibbed])
def test_a_nul_is_found_however_the_blob_is_packed(tmp_path: Path, pack: Pack) -> None:
    assert found(tmp_path, pbf(with_grid(BAD), compress=pack)) == "a\0b"
    assert found(tmp_path, pbf(with_grid(), compress=pack)) is None


@pytest.mark.parametrize("pack", [raw, zlibbed])
def test_wherever_the_table_stands_and_whatever_it_begins_with(tmp_path: Path, pack: Pack) -> None:
    assert found(tmp_path, data_blob(table(b"a\0"), pack)) == "a\0"
    assert found(tmp_path, data_blob(table(b"", b"x" * 5000, b"\0"), pack)) == "\0"
    assert found(tmp_path, data_blob(scalar(17, varint(100)) + table(b"", b"a\0"), pack)) == "a\0"
    assert found(tmp_path, data_blob(table(b"", b"", b"a"), pack)) is None
    assert found(tmp_path, data_blob(b"", pack)) is None


def test_a_later_blob_is_looked_into_even_behind_an_empty_one(tmp_path: Path) -> None:
    empty = message(1, b"OSMData") + scalar(3, varint(0))
    head = blob("OSMHeader", header()) + len(empty).to_bytes(4) + empty + blob("Surprise", b"x")
    assert found(tmp_path, head + blob("OSMData", table(b"", b"a\0"))) == "a\0"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\0",
        b"\xff" * 99,
        pbf(with_grid())[:-40],
        data_blob(b"\x0a" + b"\xff" * 500),
        data_blob(b"\x0a" + varint(2**31) + b"\0\0"),
        data_blob(b"", lambda _: message(3, b"no zlib")),
        data_blob(b"", lambda _: message(3, zlib.compress(b"\x0b" * 2000))),
    ],
)
def test_a_damaged_file_is_the_map_readers_affair(tmp_path: Path, data: bytes) -> None:
    assert found(tmp_path, data) is None


@given(st.lists(st.binary(max_size=300)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_the_first_text_with_a_nul_is_told_and_no_other(tmp_path: Path, texts: list[bytes]) -> None:
    first = next((text.decode("utf-8", "replace") for text in texts if b"\0" in text), None)
    assert found(tmp_path, data_blob(table(*texts))) == first
    assert found(tmp_path, data_blob(table(*texts), raw)) == first
