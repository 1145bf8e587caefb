"""Import stage: an extract kept up to date. Reads a region's replication state and change files, writes below a folder.

A file under its final name is whole: the base, and each change up to the state that was wanted, in their order. Change
files are fetched politely, each once, and merged by pyosmium; the outcome follows from base and changes alone.
"""

import gzip
import shutil
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import osmium

from app.core.errors import BadExtract, EndpointUnavailable, NotFound
from app.core.log import get_logger
from osm_import.dating import EARLIEST, can_be
from osm_import.downloading import Remote, download_extract, download_file, fetch_text
from osm_import.osmium_errors import osmium_errors
from osm_import.progress import Progress

log = get_logger(__name__)

MOST_CHANGES = 60
"""Further behind than so many change files, the whole file is fetched anew."""
LATEST = "-latest.osm.pbf"
CHUNK = 1 << 20
SEQUENCE = "osmosis_replication_sequence_number"
TIMESTAMP = "osmosis_replication_timestamp"
BASE_URL = "osmosis_replication_base_url"


class State(NamedTuple):
    """What a source of changes has: up to which change file, up to which moment."""

    sequence: int
    timestamp: datetime


class Kept(NamedTuple):
    """A file that is here, and the sequence number that its header tells; None where it tells none."""

    path: Path
    sequence: int | None


class _Gap(Exception):
    """A change file is not there."""


def updates_url(remote: Remote) -> str:
    """Where a region's changes lie, beside its extract. Raises NotFound for a source that publishes none."""
    stem = remote.pbf.removesuffix(LATEST)
    if stem == remote.pbf:
        raise NotFound(f"{remote.pbf} does not end with {LATEST}: where its changes lie cannot be told.")
    return f"{stem}-updates/"


def read_state(updates: str, now: datetime) -> State:
    """The newest state of a region. Raises NotFound, EndpointUnavailable, BadExtract for a text that is none, or of a
    date that no map can have: after a state of 2106 nothing would ever be newer."""
    url = urljoin(updates, "state.txt")
    text = fetch_text(url) or ""
    told = dict(line.partition("=")[::2] for line in text.splitlines() if not line.startswith("#"))
    try:
        at = datetime.fromisoformat(told["timestamp"].replace("\\", "").strip()).astimezone(UTC)
        state = State(int(told["sequenceNumber"]), at)
    except (KeyError, ValueError) as error:
        raise BadExtract(
            f"{url} is not a replication state: it lacks a sequenceNumber or a timestamp. Try again later."
        ) from error
    if not can_be(at, now):
        raise BadExtract(
            f"{url} says that its newest state is of {at:%Y-%m-%d}; no map is older than {EARLIEST.year} or of the "
            "future. Nothing was fetched. Try again later."
        )
    return state


def fetch_state(remote: Remote, state: State, folder: Path, progress: Progress) -> Path:
    """The region's map as of `state`: from the kept file by its changes, else whole and then by changes.

    Raises BadExtract for files of another region or that cannot be read, EndpointUnavailable for downloads that broke
    off: then the same call again goes on.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{_stem(remote)}-{state.sequence}.osm.pbf"
    if target.is_file():
        return target
    base = _newest_kept(remote, folder, state)
    if base is not None and base.sequence is not None and state.sequence - base.sequence <= MOST_CHANGES:
        try:
            return _bring_up(remote, base.path, base.sequence, state, target, progress)
        except _Gap as gap:
            log.warning("a change is missing; the whole map is fetched", reason=str(gap))
    return _fetch_whole(remote, state, folder, target, progress)


def forget_older(path: Path) -> None:
    """Remove what the kept file at `path` was made of, once it is imported."""
    stem = path.name.rpartition("-")[0]
    kept = (path.name, path.name.removesuffix(".osm.pbf") + ".poly")
    for other in path.parent.glob(f"{stem}-*"):
        if other.is_file() and other.name not in kept:
            other.unlink()
    shutil.rmtree(path.parent / "changes", ignore_errors=True)


def _fetch_whole(remote: Remote, state: State, folder: Path, target: Path, progress: Progress) -> Path:
    latest = download_extract(remote, folder, progress)
    found = _describe(remote, latest)
    if found.sequence is not None and found.sequence < state.sequence:
        try:
            return _bring_up(remote, latest, found.sequence, state, target, progress)
        except _Gap as gap:
            raise BadExtract(
                f"{gap} The whole file is as of {found.sequence}, so {state.sequence} cannot be reached. "
                "The source mends such gaps; the next look tries again."
            ) from gap
    _keep_outline(latest, target)
    latest.replace(target)
    return target


def _newest_kept(remote: Remote, folder: Path, state: State) -> Kept | None:
    """The file here that is nearest to `state`, and not beyond it."""
    files = [path for path in folder.glob(f"{_stem(remote)}-*.osm.pbf") if not path.name.endswith(LATEST)]
    kept = [_describe(remote, path) for path in sorted(files)]
    usable = [one for one in kept if one.sequence is not None and one.sequence <= state.sequence]
    return max(usable, key=lambda one: one.sequence or 0, default=None)


def _bring_up(
    remote: Remote, base: Path, sequence: int, state: State, target: Path, progress: Progress
) -> Path:
    wanted = range(sequence + 1, state.sequence + 1)
    changes = [_fetch_change(updates_url(remote), number, base.parent, progress) for number in wanted]
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    progress.start("applying changes", None)
    _merge(base, changes, state, updates_url(remote), part)
    _keep_outline(base, target)
    part.replace(target)
    return target


def _merge(base: Path, changes: Sequence[Path], state: State, updates: str, part: Path) -> None:
    merged = osmium.MergeInputReader()
    for change in changes:
        with osmium_errors(change):
            merged.add_file(str(change))
    with osmium_errors(base):
        reader = osmium.io.Reader(str(base))
        old = reader.header()
        header = osmium.io.Header()
        if old.box().valid():
            header.add_box(old.box())
        header.set("generator", "trigpoint")
        header.set(BASE_URL, updates.rstrip("/"))
        header.set(SEQUENCE, str(state.sequence))
        header.set(TIMESTAMP, state.timestamp.strftime("%Y-%m-%dT%H:%M:%SZ"))
        writer = osmium.io.Writer(osmium.io.File(str(part), "pbf"), header)
        try:
            merged.apply_to_reader(reader, writer)
        finally:
            writer.close()
            reader.close()


def _fetch_change(updates: str, number: int, folder: Path, progress: Progress) -> Path:
    """One change file, whole. Raises _Gap where there is none, EndpointUnavailable where it broke off."""
    path = folder / "changes" / f"{number}.osc.gz"
    if path.is_file():
        return path
    path.parent.mkdir(exist_ok=True)
    url = urljoin(updates, f"{number // 1_000_000:03}/{number // 1000 % 1000:03}/{number % 1000:03}.osc.gz")
    fresh = path.with_name(f"{number}.fresh.osc.gz")
    try:
        download_file(url, fresh, None, progress)
    except NotFound as error:
        raise _Gap(f"The change {number} is missing at {url}.") from error
    _check_whole(fresh, url)
    fresh.replace(path)
    return path


def _check_whole(path: Path, url: str) -> None:
    """Raise EndpointUnavailable for a change file that cannot be unpacked to its end; it is fetched again then."""
    begin = b""
    try:
        with gzip.open(path) as unpacked:
            while chunk := unpacked.read(CHUNK):
                begin = begin or chunk[:1000]
    except (OSError, EOFError, zlib.error) as error:
        path.unlink()
        raise EndpointUnavailable(
            f"{url} came by half, or damaged ({error}). Run the same command again: it is fetched anew."
        ) from error
    if b"<osmChange" not in begin:
        path.unlink()
        raise BadExtract(f"{url} is not a change file. Check TRIGPOINT_GEOFABRIK_URL.")


def _describe(remote: Remote, path: Path) -> Kept:
    """What the file tells of its state. Raises BadExtract where it follows another region's changes."""
    with osmium_errors(path):
        header: Any = osmium.io.Reader(str(path), osmium.osm.NOTHING).header()
    followed, ours = header.get(BASE_URL), updates_url(remote)
    if followed and urlsplit(followed).path.strip("/") != urlsplit(ours).path.strip("/"):
        raise BadExtract(
            f"{path.name} follows the changes at {followed}, and the schedule's region has its own at {ours}: it is "
            f"another region's map. Nothing was imported. Remove {path}, and look at the schedule's region."
        )
    number = header.get(SEQUENCE)
    return Kept(path, int(number) if number.isdecimal() else None)


def _keep_outline(base: Path, target: Path) -> None:
    """The region's outline lies beside each of its files, under its name."""
    poly = base.with_name(base.name.removesuffix(".osm.pbf") + ".poly")
    if poly.is_file():
        shutil.copyfile(poly, target.with_name(target.name.removesuffix(".osm.pbf") + ".poly"))


def _stem(remote: Remote) -> str:
    return Path(urlsplit(remote.pbf).path).name.removesuffix(LATEST)
