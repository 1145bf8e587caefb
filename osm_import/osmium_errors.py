"""Import stage: errors of the map reader as one sentence for whoever gave the file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import osmium
from osmium.osm.types import OSMEntity

from app.core.errors import BadExtract


@contextmanager
def osmium_errors(path: Path) -> Iterator[None]:
    """Turn the map reader's errors into one sentence that names the file and says what to do."""
    try:
        yield
    except (RuntimeError, ValueError, OverflowError, MemoryError, osmium.InvalidLocationError) as error:
        reason = str(error)
        cut_off = any(
            word in reason
            for word in ("EOF", "truncated", "close failed", "no element found", "unclosed token")
        )
        what = "was cut off" if cut_off else "is damaged"
        raise BadExtract(
            f"{path.name} cannot be read to its end ({reason}): it {what}. Download it again."
        ) from error


def read_entities(path: Path, processor: osmium.FileProcessor) -> Iterator[OSMEntity]:
    """What the processor yields; its errors, and not those of whoever takes the objects, become BadExtract."""
    with osmium_errors(path):
        yield from processor
