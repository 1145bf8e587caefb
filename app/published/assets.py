"""Pictures that everybody may see: those that a published question shows. Read as the api role."""

from typing import NamedTuple

from sqlalchemy import Connection, text

from app.core.errors import NotFound

ASSET = text("""
select
    asset.media_type,
    asset.licence,
    asset.content
from asset
where asset.sha256 = :sha256
""")


class PublishedAsset(NamedTuple):
    """A picture with its media type, and the line that says whom to name and under which licence."""

    media_type: str
    licence: str
    content: bytes


def read_asset(connection: Connection, sha256: str) -> PublishedAsset:
    """The picture of that SHA-256; raises NotFound where no published question shows one."""
    row = connection.execute(ASSET, {"sha256": sha256}).one_or_none()
    if row is None:
        raise NotFound(f"No published question shows a picture {sha256!r}.")
    return PublishedAsset(row.media_type, row.licence, bytes(row.content))
