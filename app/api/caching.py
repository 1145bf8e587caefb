"""Answers with an ETag made of their bytes: equal boards have equal tags in every process."""

import hashlib

from fastapi import Request, Response
from pydantic import BaseModel

from app.core.identity import canonical_json


def tagged_json(request: Request, model: BaseModel) -> Response:
    """`model` as canonical JSON, or 304 where the client holds these bytes already."""
    body = canonical_json(model.model_dump(mode="json")).encode()
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if _holds(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


def _holds(if_none_match: str, tag: str) -> bool:
    """Whether the header names `tag`, by the weak comparison that RFC 9110 asks for."""
    known = [part.strip().removeprefix("W/") for part in if_none_match.split(",")]
    return tag in known or "*" in known
