"""Full inspection of a version: its batches as pages with maps, and where each batch stands. As the maintainer."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection

from app.core.errors import UsageError
from app.questions.versions import PublishedVersion
from app.reviews import queries
from app.reviews.batches import Batch, Inspected, cut_batches, inspect_batch
from app.reviews.maps import map_of
from app.reviews.sheets import as_page
from app.reviews.storing import SampledQuestion, list_marks, sample_version


def read_batches(connection: Connection, version: PublishedVersion, size: int, seed: int) -> list[Batch]:
    """The batches of all questions of the version."""
    ids = [row.id for row in connection.exec_driver_sql(queries.LISTED, {"version_id": version.id})]
    return cut_batches(ids, size, seed)


def write_batches(
    connection: Connection,
    version: PublishedVersion,
    folder: Path,
    size: int,
    seed: int,
    with_gold: bool,
    include_hidden: bool,
) -> list[Path]:
    """Two pages a batch: all of its questions, and those of the second look; never over a file that is there.

    Raises Conflict where a sample of the version is being reviewed, UsageError where a file is there or cannot be
    written.
    """
    batches = read_batches(connection, version, size, seed)
    total = sum(len(batch.questions) for batch in batches)
    drawn = sample_version(connection, version, total, seed, with_gold, include_hidden)
    known = {one.id: replace(one, drawing=map_of(one.text)) for one in drawn}
    pages: list[tuple[Path, str]] = []
    for batch in batches:
        for part, ids in (("", batch.questions), ("-second-look", batch.second_look)):
            name = f"batch-{batch.number:03}{part}"
            shown: list[SampledQuestion] = [known[one] for one in ids]
            pages.append((folder / f"{name}.html", as_page(version.reference, seed, total, shown, name)))
    _write(pages)
    return [path for path, _ in pages]


def _write(pages: Sequence[tuple[Path, str]]) -> None:
    there = [path for path, _ in pages if path.exists()]
    if there:
        raise UsageError(f"{there[0]} is there already and may hold marks. Choose another --to.")
    for path, content in pages:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="") as file:
                file.write(content)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}. Choose another --to.") from error


def inspect_version(
    connection: Connection, version: PublishedVersion, size: int, seed: int
) -> list[Inspected]:
    """Where each batch stands, by the marks that count now."""
    marks = [(one["question"], one["reviewer"], one["mark"]) for one in list_marks(connection, version)]
    return [inspect_batch(batch, marks) for batch in read_batches(connection, version, size, seed)]
