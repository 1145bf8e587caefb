"""Pictures that prompts show: stored once, named by the SHA-256 of their bytes, never changed."""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.errors import ProofError, UsageError
from app.questions import queries_assets
from app.questions.image_sizes import read_image
from app.questions.prompts import ImagePart

LARGEST = 4 * 1024 * 1024
"""Bytes that a picture may have: it travels inside a chat call, as text that is a third longer."""


class StoredAsset(NamedTuple):
    """A picture's media type, the line that names its licence, and its bytes."""

    media_type: str
    licence: str
    content: bytes


def store_asset(connection: Connection, content: bytes, licence: str, alt: str, clock: Clock) -> ImagePart:
    """Store a picture unless it is there, and give the part of a prompt that shows it. The caller commits.

    `licence` is one line that says whom to name and under which licence, `alt` says in words what the picture is.
    Raises UsageError for bytes that are no PNG or JPEG picture, or too many.
    """
    if len(content) > LARGEST:
        raise UsageError(f"A picture has at most {LARGEST >> 20} MB; this one has {len(content):,} bytes.")
    image = read_image(content)
    sha256 = hashlib.sha256(content).hexdigest()
    values = {
        "sha256": sha256,
        "media_type": image.media_type,
        "size": len(content),
        "width": image.width,
        "height": image.height,
        "licence": licence,
        "content": content,
        "now": clock.now(),
    }
    connection.exec_driver_sql(queries_assets.INSERT, values)
    return ImagePart(sha256, image.media_type, alt)


def load_assets(connection: Connection, images: Iterable[ImagePart]) -> dict[str, StoredAsset]:
    """The pictures that these parts show, by SHA-256.

    Raises ProofError where one is not stored, or is not what the part says.
    """
    wanted = {one.sha256: one for one in images}
    if not wanted:
        return {}
    rows = connection.exec_driver_sql(queries_assets.LOAD, {"hashes": sorted(wanted)})
    found = {row.sha256: StoredAsset(row.media_type, row.licence, bytes(row.content)) for row in rows}
    for sha256, part in wanted.items():
        asset = found.get(sha256)
        fault = "is not stored" if asset is None else fault_of(part, asset)
        if fault is not None:
            raise ProofError(f"The picture {sha256} of a prompt {fault}.")
    return found


def check_stored(connection: Connection, images: Iterable[ImagePart]) -> None:
    """Raise ProofError unless every picture that these parts show is stored, with the media type that they say."""
    wanted = {(one.sha256, one.media_type) for one in images}
    if not wanted:
        return
    binds = {"hashes": sorted(sha256 for sha256, _ in wanted)}
    there = {(row.sha256, row.media_type) for row in connection.exec_driver_sql(queries_assets.TYPES, binds)}
    for sha256, media_type in sorted(wanted - there):
        raise ProofError(f"The picture {sha256} ({media_type}) of a prompt is not stored.")


def fault_of(part: ImagePart, asset: StoredAsset) -> str | None:
    """What is wrong with the stored bytes of a picture, or None."""
    if hashlib.sha256(asset.content).hexdigest() != part.sha256:
        return "is stored with other bytes than its name says"
    if asset.media_type != part.media_type:
        return f"is {asset.media_type}, not {part.media_type}"
    return None
