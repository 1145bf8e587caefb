"""Downloads from a loopback server that counts requests, breaks off, lies about checksums and limits its rate."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import monotonic

import pytest

from app.core.clock import SystemClock
from app.core.errors import BadExtract, EndpointUnavailable, ImportFailed, NotFound, UsageError
from app.core.settings import Settings
from app.core.waiting import seconds_to_wait
from osm_import.downloading import WAITS
from osm_import.extracts import open_extract
from osm_import.progress import Silent

POLY = "toyland\n1\n 9 47\n 10 47\n 10 48\nEND\nEND\n"


@dataclass
class Mirror:
    """A Geofabrik-like server: files by path, and what is to go wrong."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    """(path, Range header) of each request."""
    agents: set[str] = field(default_factory=set)
    break_after: int | None = None
    """Close the connection after so many bytes of a map, once."""
    ignore_range: bool = False
    status: int | None = None
    retry_after: str = "120"
    busy: dict[str, int] = field(default_factory=dict)
    """How often a path answers 503 before it is served."""


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    state = Mirror()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers.get("Range")
            state.requests.append((self.path, wanted))
            state.agents.add(self.headers.get("User-Agent", ""))
            body = state.files.get(self.path)
            state.busy[self.path] = state.busy.get(self.path, 0) - 1
            busy = 503 if state.busy[self.path] >= 0 else None
            if state.status or busy or body is None:
                self.send_response(state.status or busy or 404)
                self.send_header("Retry-After", state.retry_after)
                self.end_headers()
                return
            tag = hashlib.sha1(body, usedforsecurity=False).hexdigest()
            start = 0
            if wanted and not state.ignore_range and self.headers.get("If-Range") == tag:
                start = int(wanted.removeprefix("bytes=").rstrip("-"))
            self.send_response(206 if start else 200)
            self.send_header("ETag", tag)
            self.send_header("Content-Length", str(len(body) - start))
            self.end_headers()
            if state.break_after is not None and self.path.endswith(".pbf"):
                self.wfile.write(body[start : start + state.break_after])
                state.break_after = None
                self.close_connection = True
                return
            self.wfile.write(body[start:])

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def settings(mirror: Mirror, tmp_path: Path) -> Settings:
    return Settings(local_dir=tmp_path / "local", geofabrik_url=mirror.url)


@pytest.fixture
def stocked(mirror: Mirror, write_map: Callable[..., Path]) -> Mirror:
    """The mirror holds region `toyland` in `europe`, with checksum and outline."""
    body = write_map("n200 v1 x9.5 y47.5 Tamenity=cafe").read_bytes()
    regions = [
        {"properties": {"id": "europe", "urls": {}}},
        {
            "properties": {
                "id": "toyland",
                "urls": {"pbf": "https://download.geofabrik.de/europe/toyland-latest.osm.pbf"},
            }
        },
    ]
    mirror.files = {
        "/index-v1.json": json.dumps({"features": regions}).encode(),
        "/europe/toyland-latest.osm.pbf": body,
        "/europe/toyland-latest.osm.pbf.md5": hashlib.md5(body, usedforsecurity=False).hexdigest().encode()
        + b"  toyland",
        "/europe/toyland.poly": POLY.encode(),
    }
    return mirror


@pytest.mark.parametrize("name", ["toyland", "europe/toyland"])
def test_a_region_by_name(stocked: Mirror, settings: Settings, name: str) -> None:
    extract = open_extract(name, settings, Silent(), SystemClock())
    assert extract.path.read_bytes() == stocked.files["/europe/toyland-latest.osm.pbf"]
    assert extract.poly is not None
    assert extract.source.endswith("/europe/toyland-latest.osm.pbf")
    assert all(agent.startswith("trigpoint/") for agent in stocked.agents)


def test_what_is_here_is_not_fetched_again(stocked: Mirror, settings: Settings) -> None:
    open_extract("toyland", settings, Silent(), SystemClock())
    open_extract("toyland", settings, Silent(), SystemClock())
    assert [path for path, _ in stocked.requests].count("/europe/toyland-latest.osm.pbf") == 1


@pytest.mark.parametrize("ignore_range", [False, True])
def test_a_broken_connection_is_taken_up_again(
    stocked: Mirror, settings: Settings, ignore_range: bool
) -> None:
    stocked.break_after, stocked.ignore_range = 50, ignore_range
    extract = open_extract("toyland", settings, Silent(), SystemClock())
    assert extract.path.read_bytes() == stocked.files["/europe/toyland-latest.osm.pbf"]
    ranges = [wanted for path, wanted in stocked.requests if path.endswith(".pbf")]
    assert ranges == [None, "bytes=50-"]


def test_a_map_that_changed_meanwhile_is_not_glued_together(stocked: Mirror, settings: Settings) -> None:
    stocked.break_after = 0
    with pytest.raises(EndpointUnavailable, match="goes on where it stopped"):
        open_extract("toyland", settings, Silent(), SystemClock())
    part = settings.local_dir / "extracts" / "toyland-latest.osm.pbf.part"
    part.write_bytes(b"bytes of yesterday's map")
    part.with_name(part.name + ".etag").write_text("yesterday")
    extract = open_extract("toyland", settings, Silent(), SystemClock())
    assert extract.path.read_bytes() == stocked.files["/europe/toyland-latest.osm.pbf"]


def test_a_wrong_checksum_is_refused_and_nothing_stays(stocked: Mirror, settings: Settings) -> None:
    stocked.files["/europe/toyland-latest.osm.pbf.md5"] = b"0" * 32
    with pytest.raises(BadExtract, match="does not have the MD5"):
        open_extract("toyland", settings, Silent(), SystemClock())
    assert [path.name for path in (settings.local_dir / "extracts").iterdir()] == []


def test_a_url(stocked: Mirror, settings: Settings) -> None:
    extract = open_extract(f"{stocked.url}/europe/toyland-latest.osm.pbf", settings, Silent(), SystemClock())
    assert extract.path.name == "toyland-latest.osm.pbf"


def test_a_web_page_under_a_maps_address(stocked: Mirror, settings: Settings) -> None:
    stocked.files["/sorry.osm.pbf"] = b"<!DOCTYPE html><html>not here</html>"
    with pytest.raises(BadExtract, match="is a web page"):
        open_extract(f"{stocked.url}/sorry.osm.pbf", settings, Silent(), SystemClock())


@pytest.mark.parametrize(
    ("source", "error", "words"),
    [
        ("toylnad", NotFound, "Did you mean toyland?"),
        ("{}/gone.osm.pbf", NotFound, r"There is nothing at .*HTTP 404"),
        ("{}/page.html", UsageError, "does not end like a map file"),
    ],
)
def test_names_that_nobody_has(
    stocked: Mirror, settings: Settings, source: str, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        open_extract(source.format(stocked.url), settings, Silent(), SystemClock())


def test_a_server_that_limits_its_rate(stocked: Mirror, settings: Settings) -> None:
    stocked.status = 429
    with pytest.raises(EndpointUnavailable, match="asks to wait 120 seconds"):
        open_extract("toyland", settings, Silent(), SystemClock())
    assert len(stocked.requests) == 1


def test_a_busy_server_is_waited_for(stocked: Mirror, settings: Settings) -> None:
    index, pbf = "/index-v1.json", "/europe/toyland-latest.osm.pbf"
    stocked.retry_after, stocked.busy = "1", {index: 1, pbf: 2}
    begun = monotonic()
    extract = open_extract("toyland", settings, Silent(), SystemClock())
    assert monotonic() - begun >= 3
    assert extract.path.read_bytes() == stocked.files[pbf]
    paths = [path for path, _ in stocked.requests]
    assert (paths.count(index), paths.count(pbf)) == (2, 3)


def test_a_busy_server_is_not_waited_for_without_end(stocked: Mirror, settings: Settings) -> None:
    stocked.status, stocked.retry_after = 503, "0"
    with pytest.raises(EndpointUnavailable, match="answers HTTP 503"):
        open_extract("toyland", settings, Silent(), SystemClock())
    assert len(stocked.requests) == 1 + WAITS


def test_a_server_that_does_not_say_when_is_asked_once(stocked: Mirror, settings: Settings) -> None:
    stocked.status, stocked.retry_after = 503, "soon"
    with pytest.raises(EndpointUnavailable, match="Try again later"):
        open_extract("toyland", settings, Silent(), SystemClock())
    assert len(stocked.requests) == 1


@pytest.mark.parametrize(
    ("header", "wait"),
    [("0", 0), (" 7 ", 7), ("Sat, 01 Jan 2000 00:00:00 GMT", 0), ("Sat, 01 Jan 2000 00:00:00 -0000", 0)],
)
def test_what_a_server_may_ask_for(header: str, wait: float) -> None:
    assert seconds_to_wait(header) == wait


def test_a_date_to_wait_for_counts_from_now() -> None:
    wait = seconds_to_wait(format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True))
    assert wait is not None
    assert 3500 < wait <= 3600


@pytest.mark.parametrize("header", [None, "", "soon", "-1", "1e3", "nan", "²"])
def test_what_is_no_time_to_wait(header: str | None) -> None:
    assert seconds_to_wait(header) is None


def test_an_index_that_is_none(stocked: Mirror, settings: Settings) -> None:
    stocked.files["/index-v1.json"] = b"<html>"
    with pytest.raises(BadExtract, match="TRIGPOINT_GEOFABRIK_URL"):
        open_extract("toyland", settings, Silent(), SystemClock())


def test_a_server_that_is_down(settings: Settings) -> None:
    nowhere = settings.model_copy(update={"geofabrik_url": "http://127.0.0.1:9"})
    with pytest.raises(EndpointUnavailable, match=r"127\.0\.0\.1:9 cannot be reached"):
        open_extract("toyland", nowhere, Silent(), SystemClock())


def test_a_full_disk(stocked: Mirror, settings: Settings) -> None:
    folder = settings.local_dir / "extracts"
    folder.mkdir(parents=True)
    (folder / "toyland-latest.osm.pbf.part").symlink_to("/dev/full")
    with pytest.raises(ImportFailed, match="The disk is full"):
        open_extract("toyland", settings, Silent(), SystemClock())
    assert not (folder / "toyland-latest.osm.pbf").exists()
