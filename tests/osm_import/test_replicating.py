"""Extracts that are brought up to date by change files: what is fetched, what comes of it, what is refused."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import osmium
import pytest

from app.core.errors import BadExtract, EndpointUnavailable, NotFound
from osm_import.downloading import Remote, find_region
from osm_import.progress import Silent
from osm_import.replicating import MOST_CHANGES, State, fetch_state, forget_older, read_state, updates_url
from tests.support.extract_server import FIRST, PBF, UPDATES, Source, publishing, stamp


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Source]:
    with publishing(tmp_path) as made:
        yield made


def remote_of(source: Source) -> Remote:
    return find_region("europe/toyland", source.url)


NOW = datetime(2026, 1, 1, tzinfo=UTC)


def fetch(source: Source, folder: Path) -> Path:
    remote = remote_of(source)
    return fetch_state(remote, read_state(updates_url(remote), NOW), folder, Silent())


def header_of(file: Path) -> tuple[str, str]:
    header = osmium.io.Reader(str(file), osmium.osm.NOTHING).header()
    return header.get("osmosis_replication_sequence_number"), header.get("osmosis_replication_timestamp")


def test_a_state_is_read(source: Source) -> None:
    at = datetime(2024, 5, 7, 20, 59, 3, tzinfo=UTC)
    assert read_state(updates_url(remote_of(source)), NOW) == State(FIRST, at)
    for text in (b"", b"sequenceNumber=x\ntimestamp=2024-05-07T20\\:59\\:03Z", b"sequenceNumber=7\n"):
        source.files[f"{UPDATES}/state.txt"] = text
        with pytest.raises(BadExtract, match="not a replication state"):
            read_state(updates_url(remote_of(source)), NOW)
    for year in ("2003", "2106"):
        source.files[f"{UPDATES}/state.txt"] = (
            f"sequenceNumber=7\ntimestamp={year}-05-07T20\\:59\\:03Z".encode()
        )
        with pytest.raises(BadExtract, match=f"newest state is of {year}-05-07; no map is"):
            read_state(updates_url(remote_of(source)), NOW)
    with pytest.raises(NotFound, match="where its changes lie"):
        updates_url(Remote(f"{source.url}/x.osm.pbf", None, None))


def test_base_and_changes_alone_make_the_file(source: Source, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        fetch(source, folder)
    source.change(("Adler", "Zum Adler"), ("Krone", None))
    source.change(("Zum Adler", "Adlerhof"))
    files = [fetch(source, folder) for folder in folders]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert header_of(files[0]) == (str(FIRST + 2), stamp(FIRST + 2))
    names = {tag.v for one in osmium.FileProcessor(str(files[0])) for tag in one.tags if tag.k == "name"}
    assert "Adlerhof" in names
    assert not names & {"Adler", "Zum Adler", "Krone"}
    asked = len(source.asked)
    assert fetch(source, folders[0]) == files[0]
    assert len(source.asked) == asked + 2, "index and state alone: the file is here"
    forget_older(files[0])
    poly = files[0].name.replace(".osm.pbf", ".poly")
    assert sorted(path.name for path in folders[0].iterdir()) == [files[0].name, poly]


def test_too_far_behind_the_whole_file_is_fetched(source: Source, tmp_path: Path) -> None:
    fetch(source, tmp_path / "kept")
    source.sequence += MOST_CHANGES
    source.files[f"{UPDATES}/state.txt"] = (
        f"sequenceNumber={source.sequence + 1}\ntimestamp=2024-09-01T00\\:00\\:00Z".encode()
    )
    source.sequence += 1
    source.xml = source.xml.replace('"Adler"', '"Adlerhof"')
    header = source.sequence
    source.sequence = FIRST + 20  # a date that there is
    source.publish_whole()
    whole = source.files[PBF]
    source.sequence = header
    with pytest.raises(BadExtract, match=f"The change {FIRST + 21} is missing"):
        fetch(source, tmp_path / "kept")
    assert source.fetched(".pbf") == 2
    assert (tmp_path / "kept" / "toyland-latest.osm.pbf").read_bytes() == whole


def test_a_change_that_comes_by_half(source: Source, tmp_path: Path) -> None:
    fetch(source, tmp_path / "kept")
    path = source.change(("Adler", "Zum Adler"))
    source.halved.add(path)
    with pytest.raises(EndpointUnavailable, match="by half"):
        fetch(source, tmp_path / "kept")
    assert header_of(fetch(source, tmp_path / "kept"))[0] == str(FIRST + 1)
    source.files[source.change(("Krone", "Neue Krone"))] = b"<html>busy</html>"
    with pytest.raises(EndpointUnavailable, match="damaged"):
        fetch(source, tmp_path / "kept")
    assert not list((tmp_path / "kept").glob("*.part"))
