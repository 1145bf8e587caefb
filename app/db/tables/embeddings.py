"""Embeddings of texts, paid for once: entries of maps and texts of questions, by their content."""

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import SCHEMA, Base


class Embedding(Base):
    """One text as one endpoint's model embeds it; only ever added to, so that the same run gives the same prompts."""

    __tablename__ = "embedding"

    endpoint_id: Mapped[int] = mapped_column(ForeignKey(f"{SCHEMA}.endpoint.id"), primary_key=True)
    text_hash: Mapped[str] = mapped_column(primary_key=True, comment="of the text, as it was sent")
    vector: Mapped[bytes] = mapped_column(LargeBinary, comment="of length 1, little-endian float32")
    created_at: Mapped[datetime]
