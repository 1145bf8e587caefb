"""Where a Nominatim server placed an address, kept so that scores can be made again bit-equal.

The addresses are of models' answers, to hidden questions too: no public role reads them.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import Base


class GeocodedAddress(Base):
    """One address asked of one server, once; lon and lat are null where the server knew no place."""

    __tablename__ = "geocoded_address"
    __table_args__ = (CheckConstraint("(lon is null) = (lat is null)", name="whole_point"),)

    source_url: Mapped[str] = mapped_column(primary_key=True, comment="the server's address")
    address: Mapped[str] = mapped_column(primary_key=True, comment="as it was asked for")
    request_url: Mapped[str] = mapped_column(comment="what answered, without the query")
    retrieved_at: Mapped[datetime]
    lon: Mapped[float | None]
    lat: Mapped[float | None]
    result: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB(none_as_null=True), comment="which place the first result is"
    )
    licence: Mapped[str]
