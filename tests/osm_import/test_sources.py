"""What a source may name, what a snapshot may be called, and files that change while they are read."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.clock import SystemClock
from app.core.errors import BadExtract, UsageError
from app.core.settings import Settings
from osm_import.extracts import check_name, check_unchanged, open_extract
from osm_import.progress import Silent
from tests.osm_import.raw_maps import node, pbf, with_grid


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(local_dir=tmp_path / "local", geofabrik_url="http://127.0.0.1:9/nothing")


def test_a_pipe_is_no_map_and_is_not_waited_for(settings: Settings, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.osm.pbf")
    with pytest.raises(UsageError, match=r"x\.osm\.pbf is a pipe or a device"):
        open_extract(str(tmp_path / "x.osm.pbf"), settings, Silent(), SystemClock())


def test_a_link_to_a_device_is_no_map(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "x.osm.pbf").symlink_to("/dev/zero")
    with pytest.raises(UsageError, match="is a pipe or a device"):
        open_extract(str(tmp_path / "x.osm.pbf"), settings, Silent(), SystemClock())


@pytest.mark.parametrize(
    "source", ["", "x" * 5000 + ".osm.pbf", "a\0b.osm.pbf", "~nobody-of-that-name/x.osm", "/dev/null/x.osm"]
)
def test_names_that_no_file_can_have(settings: Settings, source: str) -> None:
    with pytest.raises(UsageError, match="There is no file") as caught:
        open_extract(source, settings, Silent(), SystemClock())
    assert len(str(caught.value)) < 300


def test_a_name_that_is_no_utf8_is_refused_readably(settings: Settings, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.osm.pbf"))
    path.write_bytes(pbf(with_grid()))
    with pytest.raises(BadExtract, match=r"is not UTF-8\. Rename") as caught:
        open_extract(str(path), settings, Silent(), SystemClock())
    assert "/caf\ufffd.osm.pbf" in str(caught.value)


@pytest.mark.parametrize("ending", ["osh", "osc"])
def test_history_and_change_files_are_known_by_name(settings: Settings, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x.{ending}.pbf"
    path.write_bytes(pbf(with_grid()))
    with pytest.raises(BadExtract, match="history or change file by its name"):
        open_extract(str(path), settings, Silent(), SystemClock())


def test_changesets_date_no_map(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "x.osm"
    path.write_text(
        '<osm version="0.6"><changeset id="1" created_at="2020-01-01T00:00:00Z" open="false"/></osm>'
    )
    assert open_extract(str(path), settings, Silent(), SystemClock()).timestamp is None


def test_a_nul_in_a_text_is_refused_before_the_map_is_read(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "x.osm.pbf"
    path.write_bytes(pbf(with_grid(node(5, name=b"a\0b", amenity="cafe"))))
    with pytest.raises(BadExtract, match=r"NUL character \(U\+0000\): 'a\\x00b'"):
        open_extract(str(path), settings, Silent(), SystemClock())


@pytest.mark.parametrize("name", ["toy", "a_1", "x" * 30, "0"])
def test_names_of_snapshots(name: str) -> None:
    check_name(name)


@pytest.mark.parametrize("name", ["", "Toy", "a-b", "_a", "é", "a\nb", "x" * 31, "x" * 5000, "toy;drop"])
def test_names_that_no_snapshot_may_have(name: str) -> None:
    with pytest.raises(UsageError, match="is not a name for a snapshot") as caught:
        check_name(name)
    assert len(str(caught.value)) < 150


def test_a_file_that_nobody_touches_is_unchanged(write_map: Callable[..., Path], settings: Settings) -> None:
    check_unchanged(open_extract(str(write_map()), settings, Silent(), SystemClock()))


def _grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"x")


def _touch(path: Path) -> None:
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))


def _replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes() + b"x")
    other.replace(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [(_grow, "changed"), (_touch, "changed"), (_replace, "changed"), (Path.unlink, "was removed")],
)
def test_a_file_that_changes_while_it_is_read_is_refused(
    write_map: Callable[..., Path], settings: Settings, change: Callable[[Path], None], words: str
) -> None:
    path = write_map()
    extract = open_extract(str(path), settings, Silent(), SystemClock())
    change(path)
    with pytest.raises(BadExtract, match=rf"toy\.osm\.pbf {words} while it was read"):
        check_unchanged(extract)
