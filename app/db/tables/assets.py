"""Pictures that prompts show, named by their content."""

from datetime import datetime

from sqlalchemy import CheckConstraint, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import Base


class Asset(Base):
    """A picture, as it is served and exported; a trigger refuses every change of a row."""

    __tablename__ = "asset"
    __table_args__ = (
        CheckConstraint("sha256 = encode(sha256(content), 'hex')", name="sha256"),
        CheckConstraint("media_type in ('image/png', 'image/jpeg')", name="media_type"),
        CheckConstraint("size = octet_length(content) and size <= 4194304", name="size"),
    )

    sha256: Mapped[str] = mapped_column(primary_key=True, comment="of `content`, in hexadecimal")
    media_type: Mapped[str]
    size: Mapped[int] = mapped_column(comment="bytes")
    width: Mapped[int] = mapped_column(comment="pixels")
    height: Mapped[int] = mapped_column(comment="pixels")
    licence: Mapped[str] = mapped_column(comment="who is to be named, and the licence, on one line")
    content: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]
