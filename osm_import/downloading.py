"""Import stage: fetch an extract over HTTP. Reads a region index, writes files below the local directory.

Polite: one request at a time, a user agent that says who asks, nothing fetched twice, broken downloads resumed,
waits where the server asks for it.
Invariant: a file under its final name is whole, and agrees with the published MD5 where there is one.
"""

import difflib
import hashlib
import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from app.core.errors import BadExtract, EndpointUnavailable, ImportFailed, NotFound
from app.core.log import get_logger
from app.core.waiting import seconds_to_wait
from osm_import.progress import Progress

log = get_logger(__name__)

CHUNK = 1 << 18
TIMEOUT_SECONDS = 60
ATTEMPTS = 5
"""How often one download is taken up again after the connection broke, as long as each try brings bytes."""
WAITS = 3
"""How often one request is repeated after the wait that a busy server asked for."""
LONGEST_WAIT = 60
"""Seconds; a server that asks for more is told to the user instead."""
BUSY = (429, 503)


class Remote(NamedTuple):
    """Where an extract lies: its map, and perhaps its checksum and outline."""

    pbf: str
    md5: str | None
    poly: str | None


def user_agent() -> str:
    """Who we say we are."""
    try:
        number = version("trigpoint")
    except PackageNotFoundError:
        number = "dev"
    return f"trigpoint/{number} (OpenStreetMap extract importer)"


def find_region(name: str, base_url: str) -> Remote:
    """Look a region's name up in the index under `base_url` (a Geofabrik mirror).

    A name is the index's id (`liechtenstein`), or its path (`europe/liechtenstein`).
    Raises NotFound with the nearest names, EndpointUnavailable where the server does not answer.
    """
    base = base_url.rstrip("/") + "/"
    text = fetch_text(urljoin(base, "index-v1-nogeom.json"), missing_ok=True)
    if text is None:
        text = fetch_text(urljoin(base, "index-v1.json"))
    try:
        regions = {
            str(feature["properties"]["id"]): str(feature["properties"]["urls"]["pbf"])
            for feature in json.loads(text or "")["features"]
            if "pbf" in feature["properties"].get("urls", {})
        }
    except (ValueError, KeyError, TypeError) as error:
        raise BadExtract(f"{base} does not hold a region index. Check TRIGPOINT_GEOFABRIK_URL.") from error
    path = regions.get(name) or next((url for url in regions.values() if _region_path(url) == name), None)
    if path is None:
        close = difflib.get_close_matches(name, regions, n=3)
        hint = f" Did you mean {' or '.join(close)}?" if close else ""
        raise NotFound(f"{name!r} is neither a file nor a region of {base}.{hint}")
    # The index of a mirror names the original server; we stay where we were sent.
    pbf = urljoin(base, urlsplit(path).path.lstrip("/"))
    stem = pbf.removesuffix("-latest.osm.pbf")
    return Remote(pbf, pbf + ".md5", stem + ".poly" if stem != pbf else None)


def _region_path(url: str) -> str:
    return urlsplit(url).path.strip("/").removesuffix("-latest.osm.pbf")


def download_extract(remote: Remote, folder: Path, progress: Progress) -> Path:
    """Fetch an extract into `folder`, with its outline beside it; what is there and still right is not fetched.

    Raises EndpointUnavailable, NotFound, BadExtract (wrong checksum) or ImportFailed (disk full).
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / Path(urlsplit(remote.pbf).path).name
    expected = _published_md5(remote.md5)
    if target.is_file() and expected is not None and _md5(target) == expected:
        log.info("the extract is here already", file=str(target))
    else:
        with _disk_errors(folder):
            download_file(remote.pbf, target, expected, progress)
    poly = fetch_text(remote.poly, missing_ok=True) if remote.poly else None
    if poly:
        (folder / (extract_stem(target.name) + ".poly")).write_text(poly, encoding="utf-8")
    return target


def extract_stem(file_name: str) -> str:
    """The file's name without the endings of map files."""
    for ending in (".osm.pbf", ".osm.gz", ".osm.bz2", ".osm", ".pbf"):
        if file_name.endswith(ending):
            return file_name[: -len(ending)]
    return file_name


def fetch_text(url: str, missing_ok: bool = False) -> str | None:
    """A small text over HTTP; None where there is none and that is allowed."""
    try:
        with _open(url) as response:
            body: bytes = response.read(64 << 20)
            return body.decode("utf-8", "replace")
    except NotFound:
        if missing_ok:
            return None
        raise


def _published_md5(url: str | None) -> str | None:
    text = fetch_text(url, missing_ok=True) if url else None
    words = (text or "").split()
    return words[0].lower() if words and len(words[0]) == 32 else None


def _md5(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def download_file(url: str, target: Path, expected: str | None, progress: Progress) -> None:
    """One file, which is whole once it has its name; a part that is there is gone on with.

    Raises EndpointUnavailable, NotFound, BadExtract where it has not the MD5 that is `expected`.
    """
    part = target.with_name(target.name + ".part")
    for attempt in range(1, ATTEMPTS + 1):
        before = part.stat().st_size if part.exists() else 0
        try:
            _append(url, part, progress)
            break
        except (TimeoutError, ConnectionError, http.client.IncompleteRead) as error:
            gained = (part.stat().st_size if part.exists() else 0) - before
            if gained <= 0 or attempt == ATTEMPTS:
                raise EndpointUnavailable(
                    f"The connection to {urlsplit(url).netloc} broke while {target.name} was on its way. "
                    "Run the same command again: it goes on where it stopped."
                ) from error
            log.warning("the connection broke; going on", url=url, bytes=before + gained)
    if expected is not None and _md5(part) != expected:
        part.unlink()
        raise BadExtract(f"{target.name} does not have the MD5 that {url}.md5 states. Download it again.")
    part.replace(target)


def _append(url: str, part: Path, progress: Progress) -> None:
    """One request, from where the part ends; the server may ignore that and send everything."""
    have = part.stat().st_size if part.exists() else 0
    mark = part.with_name(part.name + ".etag")
    tag = mark.read_text() if have and mark.exists() else ""
    headers = {"Range": f"bytes={have}-", "If-Range": tag} if have and tag else {}
    with _open(url, headers) as response:
        resumed = response.status == http.client.PARTIAL_CONTENT
        start = have if resumed else 0
        length = response.headers.get("Content-Length")
        total = start + int(length) if length else None
        mark.write_text(response.headers.get("ETag") or response.headers.get("Last-Modified") or "")
        progress.start("downloading", total)
        progress.advance(start)
        with part.open("ab" if resumed else "wb") as file:
            while chunk := response.read(CHUNK):
                file.write(chunk)
                progress.advance(len(chunk))
    if total is not None and part.stat().st_size < total:
        raise ConnectionError(f"{part.stat().st_size} of {total} bytes came")
    mark.unlink(missing_ok=True)


@contextmanager
def _open(url: str, headers: dict[str, str] | None = None) -> Iterator[http.client.HTTPResponse]:
    """The answer to one request; where the server is busy and says for how long, the request waits and is repeated."""
    for waits_left in reversed(range(WAITS + 1)):
        try:
            response = _request(url, headers or {})
            break
        except EndpointUnavailable as error:
            wait = error.retry_after
            if wait is None or wait > LONGEST_WAIT or not waits_left:
                raise
            log.warning("the server is busy; waiting as it asks", url=url, seconds=wait)
            time.sleep(max(1.0, wait))
    with response:
        yield response


def _request(url: str, headers: dict[str, str]) -> http.client.HTTPResponse:
    if urlsplit(url).scheme not in ("http", "https"):
        raise NotFound(f"{url} is not an http or https address.")
    request = urllib.request.Request(url, headers={"User-Agent": user_agent(), **headers})
    try:
        response: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in (404, 410):
            raise NotFound(f"There is nothing at {url} (HTTP {error.code}). Check the address.") from error
        wait = seconds_to_wait(error.headers.get("Retry-After")) if error.code in BUSY else None
        when = f" It asks to wait {wait:.0f} seconds." if wait is not None else " Try again later."
        raise EndpointUnavailable(f"{url} answers HTTP {error.code}.{when}", wait) from error
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError | ConnectionResetError):
            raise error.reason from error
        raise EndpointUnavailable(
            f"{urlsplit(url).netloc} cannot be reached: {error.reason}. "
            "Check the network, or download the extract elsewhere and import it by its path."
        ) from error
    return response


@contextmanager
def _disk_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        raise ImportFailed(
            f"The disk is full: no room in {folder}. Free some space, or set TRIGPOINT_LOCAL_DIR to another disk."
        ) from error


DISK_FULL = frozenset([28, 122])  # ENOSPC, EDQUOT
