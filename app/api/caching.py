"""Answers with an ETag made of their bytes: equal answers have equal tags in every process.

Tags are weak, since what is sent may be compressed. Answers that hold map data name its licence in a header, too.
"""

import hashlib
from urllib.parse import quote

from fastapi import Request, Response
from pydantic import BaseModel

from app.api.paging import next_address
from app.core.identity import canonical_json
from app.leaderboard.board import LICENCE_URL


def encoded(model: BaseModel) -> bytes:
    """`model` as canonical JSON."""
    return canonical_json(model.model_dump(mode="json", by_alias=True)).encode()


def tagged_json(
    request: Request,
    model: BaseModel,
    cursor: str | None = None,
    *,
    private: bool = False,
    licensed: bool = True,
) -> Response:
    """`model` as canonical JSON, or 304 where the client holds these bytes already; `cursor` begins the next page."""
    return tagged(request, encoded(model), "application/json", cursor, private=private, licensed=licensed)


def tagged(
    request: Request,
    body: bytes,
    media_type: str,
    cursor: str | None = None,
    *,
    private: bool = False,
    licensed: bool = True,
) -> Response:
    """`body` with its tag, or 304. `private` answers, those to a key, are for no shared cache."""
    tag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache" if private else "no-cache"}
    links = [f'<{LICENCE_URL}>; rel="license"'] if licensed else []
    if cursor is not None:
        links.append(f'<{next_address(request, cursor)}>; rel="next"')
    if links:
        headers["Link"] = ", ".join(links)
    if _holds(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=media_type)


def immutable(request: Request, body: bytes, media_type: str, name: str, licence: str) -> Response:
    """Bytes that are named by their content, or 304; any cache may keep them for a year."""
    tag = f'W/"{name}"'
    headers = {
        "ETag": tag,
        "Cache-Control": "public, max-age=31536000, immutable",
        "X-Asset-Licence": quote(licence, safe=" ,;:/()."),
    }
    if _holds(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=media_type)


def _holds(if_none_match: str, tag: str) -> bool:
    """Whether the header names `tag`, by the weak comparison that RFC 9110 asks for."""
    known = [part.strip().removeprefix("W/") for part in if_none_match.split(",")]
    return tag.removeprefix("W/") in known or "*" in known
