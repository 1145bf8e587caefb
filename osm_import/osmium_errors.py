"""Import stage: what is wrong with a map file, the map reader's errors among it, as one sentence."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import osmium
from osmium.osm.types import OSMEntity

from app.core.errors import BadExtract, UsageError


@contextmanager
def osmium_errors(path: Path) -> Iterator[None]:
    """Turn the map reader's errors into one sentence that names the file and says what to do."""
    try:
        yield
    except (RuntimeError, ValueError, OverflowError, MemoryError, osmium.InvalidLocationError) as error:
        reason = str(error)
        if "out of order" in reason:
            raise not_sorted(path, reason) from error
        cut_off = any(
            word in reason
            for word in ("EOF", "truncated", "close failed", "no element found", "unclosed token")
        )
        what = "was cut off" if cut_off else "is damaged"
        raise BadExtract(
            f"{path.name} cannot be read to its end ({reason}): it {what}. Download it again."
        ) from error


@contextmanager
def unpacking_errors(path: Path) -> Iterator[None]:
    """Turn errors of opening and unpacking a file into one sentence."""
    try:
        yield
    except PermissionError as error:
        raise UsageError(f"{path} may not be read by this user. Change its permissions.") from error
    except (OSError, EOFError, zlib.error) as error:
        raise BadExtract(
            f"{path.name} cannot be unpacked ({error}): it was cut off. Download it again."
        ) from error


def not_sorted(path: Path, why: str) -> BadExtract:
    """What to say of a file whose objects do not come in an order in which they can be read."""
    return BadExtract(
        f"{path.name} is not sorted: {why}. Sort it first (osmium sort {path.name} -o sorted.osm.pbf)."
    )


def not_uploaded(path: Path, first: str) -> BadExtract:
    """What to say of a file with objects whose ids are negative; `first` is one of them, such as `node -1`."""
    return BadExtract(
        f"{path.name} holds unsaved edits: {first} has a negative id, as editors give to objects that are not uploaded "
        "yet. Upload them and download the map again, or renumber it first (osmium renumber)."
    )


def read_entities(path: Path, processor: osmium.FileProcessor) -> Iterator[OSMEntity]:
    """What the processor yields; its errors, and not those of whoever takes the objects, become BadExtract."""
    with osmium_errors(path):
        yield from processor
