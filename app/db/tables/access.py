"""API keys, sessions of maintainers on pages, and what maintainers did."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import SCHEMA, Base, Key


class ApiKey(Base):
    """A key of REST: its hash, never the key. The api role reads no row; it asks `known_key`."""

    __tablename__ = "api_key"
    __table_args__ = (
        CheckConstraint("role in ('reader', 'submitter', 'maintainer')", name="role"),
        CheckConstraint("requests_per_minute > 0", name="rate"),
    )

    id: Mapped[Key]
    prefix: Mapped[str] = mapped_column(unique=True, comment="the part of the key that may be shown")
    hash: Mapped[str] = mapped_column(comment="SHA-256 of the whole key, hexadecimal")
    name: Mapped[str] = mapped_column(comment="whose it is")
    role: Mapped[str]
    requests_per_minute: Mapped[int]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None] = mapped_column(comment="null: never")
    revoked_at: Mapped[datetime | None]
    replaces_id: Mapped[int | None] = mapped_column(
        ForeignKey(f"{SCHEMA}.api_key.id"), comment="the key that this one was made to follow"
    )


class PageSession(Base):
    """A maintainer who signed in on a page: the hash of the cookie, never the cookie."""

    __tablename__ = "page_session"

    id: Mapped[Key]
    token_hash: Mapped[str] = mapped_column(unique=True, comment="SHA-256 of the cookie's value, hexadecimal")
    key_id: Mapped[int] = mapped_column(
        ForeignKey(f"{SCHEMA}.api_key.id"), comment="the key that it was opened with"
    )
    opened_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    ended_at: Mapped[datetime | None] = mapped_column(comment="when its owner signed out")


class Audit(Base):
    """One thing that a maintainer did, in the transaction that did it; lines are only ever added."""

    __tablename__ = "audit"

    id: Mapped[Key]
    at: Mapped[datetime]
    key_id: Mapped[int | None] = mapped_column(
        ForeignKey(f"{SCHEMA}.api_key.id"), comment="null: at the command line"
    )
    request_id: Mapped[str | None] = mapped_column(comment="as the answer's X-Request-Id gave it")
    action: Mapped[str] = mapped_column(comment="noun and verb, such as run.pause")
    subject: Mapped[str] = mapped_column(comment="what it was done to")
    detail: Mapped[dict[str, Any]] = mapped_column(comment="what was asked for; never a secret")
