"""Answers of REST that are no board: health and problems."""

from typing import Literal

from pydantic import BaseModel


class Health(BaseModel):
    """The service and its database answer."""

    status: Literal["ok"] = "ok"
    version: str


class Problem(BaseModel):
    """An error by RFC 9457; `code` is its kind as a word for programs."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    instance: str
    request_id: str
