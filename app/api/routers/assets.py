"""GET /v1/assets/{sha256}: the bytes of a picture that a question shows."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from app.api.caching import immutable
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.published.assets import read_asset
from app.questions.prompts import FILE_ENDINGS

router = APIRouter(tags=["questions"])
PICTURES = {media_type: {"schema": {"type": "string", "format": "binary"}} for media_type in FILE_ENDINGS}


@router.get(
    "/assets/{sha256}",
    response_class=Response,
    responses={**refusals(304, 401, 404, 429), 200: {"content": PICTURES}},
)
def get_asset(
    request: Request,
    service: ServiceOf,
    sha256: Annotated[
        str,
        Path(
            pattern="^[0-9a-f]{64}$",
            description="SHA-256 of the picture's bytes",
            examples=["2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"],
        ),
    ],
) -> Response:
    """A picture that a published question shows, PNG or JPEG. It never changes: keep it as long as you like."""
    with service.engine.connect() as connection:
        found = read_asset(connection, sha256)
    return immutable(request, found.content, found.media_type, sha256, found.licence)
