"""Import stage: find or download an extract, and describe it. Reads the file's bytes and header, writes nothing.

An extract is told from another by its SHA-256; its date is the header's replication timestamp,
else the latest timestamp of an object in it (dating.py).
"""

import bz2
import gzip
import hashlib
import os
import re
import stat
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import osmium
from shapely import MultiPolygon

from app.core.clock import Clock
from app.core.errors import BadExtract, UsageError
from app.core.settings import Settings
from osm_import.blobs import find_nul, read_header
from osm_import.dating import date_map
from osm_import.downloading import Remote, download_extract, extract_stem, find_region
from osm_import.heads import Box, Head
from osm_import.osmium_errors import not_uploaded, osmium_errors, unpacking_errors
from osm_import.outlines import parse_poly
from osm_import.progress import Progress
from osm_import.xml_files import Marks, find_marks, is_xml, map_source, read_head

FORMATS = (".osm.pbf", ".osm.gz", ".osm.bz2", ".osm", ".pbf")
SEVERAL_VERSIONS = (".osh.pbf", ".osc.pbf")
"""Endings of history and change files."""
_SAFE_NAME = re.compile(r"[^a-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Extract:
    """A map file and what it says about itself."""

    path: Path
    source: str
    """File name or URL, without folders of this machine."""
    checksum: str
    """SHA-256 of the file, hexadecimal."""
    timestamp: datetime | None
    """The map's date, UTC."""
    sequence: int | None
    """Replication sequence of the server it was cut from."""
    box: Box | None
    poly: MultiPolygon | None
    generator: str
    size: int
    """Bytes, before anything of it was read."""
    mtime_ns: int
    """When it was last written to, before anything of it was read."""
    deleted: int = 0
    """Objects that an editor has marked as deleted: they are left out."""
    in_memory: bool = False
    """Whether it is XML that has to be unpacked or changed before the map reader can read it."""
    notes: tuple[str, ...] = ()
    """What whoever imports it should know, in sentences."""


def open_extract(source: str, settings: Settings, progress: Progress, clock: Clock) -> Extract:
    """Describe the extract that `source` names: a path, an http(s) URL, or the name of a Geofabrik region.

    Raises BadExtract for a file that is none, NotFound for a region that nobody has,
    EndpointUnavailable where a server does not answer.
    """
    path, label = find_file(source, settings, progress)
    before = path.stat()
    check_beginning(path)
    head, marks = _look_into(path)
    with osmium_errors(path):
        header = osmium.io.Reader(str(path), osmium.osm.NOTHING).header()
    if header.has_multiple_object_versions:
        raise BadExtract(
            f"{path.name} is a history or change file: it holds several versions of one object. "
            "Use the plain extract (NAME-latest.osm.pbf)."
        )
    if path.name.endswith(".pbf") and (text := find_nul(path)) is not None:
        raise BadExtract(
            f"{path.name} holds a text with a NUL character (U+0000): {_shown(text)!r}. No map may; "
            "correct the object with that text, or take the extract from elsewhere."
        )
    told = [head.timestamp] if head.timestamp else _header_times(header)
    in_memory = marks.deleted > 0 or marks.short_end
    dated = date_map(path, map_source(path, in_memory), told, clock.now())
    return Extract(
        path=path,
        source=label,
        checksum=_sha256(path, progress),
        timestamp=dated.timestamp,
        sequence=_number(header.get("osmosis_replication_sequence_number")),
        box=_header_box(header, head),
        poly=_read_poly(path),
        generator=header.get("generator"),
        size=before.st_size,
        mtime_ns=before.st_mtime_ns,
        deleted=marks.deleted,
        in_memory=in_memory,
        notes=tuple(note for note in (_deleted_note(path, marks.deleted), dated.note) if note),
    )


def _look_into(path: Path) -> tuple[Head, Marks]:
    """What a file says that the map reader does not pass on. Raises BadExtract for edits that are not uploaded."""
    if not is_xml(path):
        return read_header(path), Marks()
    with unpacking_errors(path):
        head, marks = read_head(path), find_marks(path)
    if marks.not_uploaded is not None:
        raise not_uploaded(path, marks.not_uploaded)
    return head, marks


def _deleted_note(path: Path, deleted: int) -> str | None:
    if not deleted:
        return None
    what = "1 object that is" if deleted == 1 else f"{deleted:,} objects that are"
    return f'{path.name} holds {what} marked as deleted (action="delete"), and left out.'


def check_unchanged(extract: Extract) -> None:
    """Raise BadExtract where the file is no longer the one that open_extract described."""
    try:
        now = extract.path.stat()
    except FileNotFoundError:
        now = None
    if now is None or (now.st_size, now.st_mtime_ns) != (extract.size, extract.mtime_ns):
        what = "changed" if now else "was removed"
        raise BadExtract(
            f"{extract.path.name} {what} while it was read. Import again when nobody writes to it any more."
        )


def find_file(source: str, settings: Settings, progress: Progress) -> tuple[Path, str]:
    """The file that `source` names, downloaded where need be, and a label for it without local folders."""
    path = _local_path(source)
    if path is not None:
        return path, path.name
    if source.startswith(("http://", "https://")):
        parts = urlsplit(source)
        if not parts.path.endswith(FORMATS):
            raise UsageError(f"{_shown(source)} does not end like a map file ({', '.join(FORMATS[:4])}).")
        md5 = source + ".md5" if source.endswith(".pbf") else None
        folder = settings.local_dir / "extracts"
        return download_extract(Remote(source, md5, None), folder, progress), f"{parts.netloc}{parts.path}"
    if source.endswith(FORMATS) or source.startswith((".", "/", "~")) or not re.fullmatch(r"[\w/-]+", source):
        raise UsageError(
            f"There is no file {_shown(source) or 'without a name'}. "
            "Check the path, or give the name of a Geofabrik region."
        )
    remote = find_region(source, settings.geofabrik_url)
    return download_extract(remote, settings.local_dir / "extracts", progress), remote.pbf.partition("://")[2]


def _local_path(source: str) -> Path | None:
    """The regular file that `source` names; None where there is nothing of that name."""
    try:
        path = Path(source).expanduser()
        mode = path.stat().st_mode if source else None
    except PermissionError as error:
        raise UsageError(f"{_shown(source)} may not be read by this user. Change its permissions.") from error
    except (OSError, ValueError, RuntimeError):  # too long, a loop of links, a NUL in it, ~nobody
        return None
    if mode is None:
        return None
    if stat.S_ISDIR(mode):
        raise UsageError(f"{_shown(source)} is a folder. Name one map file in it ({', '.join(FORMATS[:4])}).")
    if not stat.S_ISREG(mode):
        raise UsageError(
            f"{_shown(source)} is a pipe or a device, not a file. Save the map as a file, and import that."
        )
    if _readable(str(path)) != str(path):
        raise BadExtract(f"The name of {_shown(source)} is not UTF-8. Rename the file or its folder.")
    return path


def _readable(text: str) -> str:
    """`text` with a question mark in place of what is no UTF-8."""
    return os.fsencode(text).decode("utf-8", "replace") if not text.isascii() else text


def _shown(text: str, most: int = 200) -> str:
    """`text` as an error shows it: readable, and not endless."""
    text = _readable(text)
    return text if len(text) <= most else f"{text[:most]}…"


def default_name(path: Path) -> str:
    """The snapshot's name for a file: what stands before the first '-' or '.', in safe characters."""
    return safe_name(re.split(r"[-.]", path.name, maxsplit=1)[0]) or "map"


def safe_name(name: str) -> str:
    """`name` in lower-case letters, digits and underscores, at most 30."""
    return _SAFE_NAME.sub("_", name.lower()).strip("_")[:30]


def check_name(name: str) -> None:
    """Raise UsageError for what is not a name for a snapshot."""
    if not name or safe_name(name) != name:
        raise UsageError(
            f"{_shown(name, 40)!r} is not a name for a snapshot. Use lower-case letters, digits and _, at most 30."
        )


def check_beginning(path: Path) -> None:
    """Raise BadExtract, in one sentence, for a file whose first bytes are not those of a map."""
    name = path.name
    if not name.endswith(FORMATS):
        raise BadExtract(f"{name} is not a map file by its name. Trigpoint reads {', '.join(FORMATS[:4])}.")
    if name.endswith(SEVERAL_VERSIONS):
        raise BadExtract(
            f"{name} is a history or change file by its name. Use the plain extract (NAME-latest.osm.pbf)."
        )
    with unpacking_errors(path):
        with path.open("rb") as file:
            head = file.read(4096)
        if name.endswith(".gz") and head[:2] == b"\x1f\x8b":
            with gzip.open(path) as unpacked:
                head = unpacked.read(4096)
        elif name.endswith(".bz2") and head[:3] == b"BZh":
            with bz2.open(path) as unpacked:
                head = unpacked.read(4096)
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not head:
        raise BadExtract(f"{name} is empty. Download it again.")
    if start.startswith((b"<!doctype html", b"<html")):
        raise BadExtract(f"{name} is a web page, not a map: the download failed. Download it again.")
    if name.endswith(".pbf"):
        is_map = b"OSMHeader" in head[:64]
    else:
        if b"<osmchange" in start:
            raise BadExtract(f"{name} is a change file, not a map. Use the plain extract.")
        is_map = b"<osm" in start
    if not is_map:
        raise BadExtract(
            f"{name} does not begin like an OpenStreetMap file. Check that it is one, and its ending."
        )


def _sha256(path: Path, progress: Progress) -> str:
    progress.start("checksum", path.stat().st_size)
    state = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            state.update(chunk)
            progress.advance(len(chunk))
    return state.hexdigest()


def _header_times(header: osmium.io.Header) -> list[datetime]:
    """The dates that the map reader finds in the header, the surest first."""
    found = []
    for key in ("osmosis_replication_timestamp", "timestamp"):
        with suppress(ValueError):
            found.append(datetime.fromisoformat(header.get(key)))
    return found


def _header_box(header: osmium.io.Header, head: Head) -> Box | None:
    """The box in the header; the map reader swaps the sides of one that crosses the antimeridian, so that is ours."""
    if len(head.boxes) == 1 and head.boxes[0].crosses:
        return head.boxes[0]
    box = header.box()
    if not box.valid():
        return None
    low, high = box.bottom_left, box.top_right
    return Box(low.lon, low.lat, high.lon, high.lat)


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and text.isascii() else None


def _read_poly(path: Path) -> MultiPolygon | None:
    stem = extract_stem(path.name)
    for name in (stem, stem.removesuffix("-latest")):
        poly = path.with_name(name + ".poly")
        if poly.is_file():
            return parse_poly(poly.read_text(encoding="utf-8", errors="replace"), poly.name)
    return None
