"""The pictures that a worker's calls show, read from the database when they are first needed."""

import asyncio
from collections import OrderedDict

from sqlalchemy.exc import DBAPIError

from app.core.errors import ProofError, ServiceUnavailable
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.db.outages import first_line, will_pass
from app.inference.images import ImageBytes
from app.questions import queries_assets

MOST_KEPT = 64 * 1024 * 1024
"""Bytes of pictures that a worker keeps; those that were used longest ago go first."""


class ImageLoader:
    """Loads pictures by SHA-256, for one event loop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._kept: OrderedDict[str, ImageBytes] = OrderedDict()

    async def load(self, sha256: str) -> ImageBytes:
        """The picture. Raises ProofError where there is none of that hash, ServiceUnavailable in an outage."""
        if sha256 not in self._kept:
            self._kept[sha256] = await asyncio.to_thread(self._read, sha256)
        self._kept.move_to_end(sha256)
        found = self._kept[sha256]
        while len(self._kept) > 1 and sum(len(one.content) for one in self._kept.values()) > MOST_KEPT:
            self._kept.popitem(last=False)
        return found

    def _read(self, sha256: str) -> ImageBytes:
        try:
            with connect(self._settings, Role.WORKER) as connection:
                row = connection.exec_driver_sql(
                    queries_assets.LOAD_TO_SEND, {"sha256": sha256}
                ).one_or_none()
        except DBAPIError as error:
            if not will_pass(error):
                raise
            raise ServiceUnavailable(
                f"the picture {sha256} could not be read: {first_line(error)}"
            ) from error
        if row is None:
            raise ProofError(f"the picture {sha256} is not in the database")
        return ImageBytes(row.media_type, bytes(row.content), row.is_shown)
