"""Puts remarked items before a reviewer: a sheet of the existing review, as the maintainer."""

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection

from app.questions.versions import PublishedVersion
from app.reviews.inspecting import read_batches
from app.reviews.sheets import write_sheet
from app.reviews.storing import sample_version

SEED = 0


def write_for_review(
    connection: Connection, version: PublishedVersion, ids: Sequence[str], path: Path, *, with_gold: bool
) -> int:
    """Write a sheet of these questions, in their order; how many they are.

    Its marks load as those of an inspection of all questions (`trigpoint review inspect`), so that results choose no
    sample: questions without a mark count as faulty in the review's bound. Raises Conflict where another sample of the
    version is being reviewed, UsageError for a file that is there or cannot be written.
    """
    (batch,) = read_batches(connection, version, 10**9, SEED)
    whole = len(batch.questions)
    drawn = sample_version(connection, version, whole, SEED, with_gold, include_hidden=False)
    known = {one.id: one for one in drawn}
    write_sheet(path, version.reference, SEED, whole, [known[one] for one in ids])
    return len(ids)
