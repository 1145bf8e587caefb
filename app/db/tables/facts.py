"""External facts: what sources say, which items were asked for, and what data set versions stand on.

Gold of T7 and T8: no public role reads any of these tables.
"""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, Computed, Index, UniqueConstraint
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from app.db.tables.base import Base, Key


class Fact(Base):
    """What a file or Wikidata says now; a later load or fetch may replace it."""

    __tablename__ = "fact"
    __table_args__ = (
        CheckConstraint("source in ('wikidata', 'file')", name="source"),
        CheckConstraint("kind in ('name', 'number', 'year')", name="kind"),
        UniqueConstraint(
            "source", "snapshot_name", "subject", "attribute", postgresql_nulls_not_distinct=True
        ),
        Index("ix_fact_subject", "subject"),
    )

    id: Mapped[Key]
    fact_id: Mapped[str] = mapped_column(comment="hash of all but the time")
    snapshot_name: Mapped[str | None] = mapped_column(comment="the maps it is about; null for all")
    subject: Mapped[str] = mapped_column(comment="an osm_key, or a Wikidata item")
    attribute: Mapped[str]
    kind: Mapped[str]
    value: Mapped[str] = mapped_column(comment="normalised: a year, a number without its unit, a name")
    key: Mapped[str] = mapped_column(comment="equal where two values say the same")
    unit: Mapped[str]
    names: Mapped[list[str]] = mapped_column(ARRAY(Text), comment="all accepted forms of a name")
    source: Mapped[str]
    credit: Mapped[str] = mapped_column(comment="how a text names the source")
    source_url: Mapped[str | None]
    retrieved_at: Mapped[datetime]
    licence: Mapped[str]


class WikidataItem(Base):
    """An item that was asked for, and when: it is not asked for again within a stated age."""

    __tablename__ = "wikidata_item"

    id: Mapped[str] = mapped_column(primary_key=True)
    retrieved_at: Mapped[datetime]
    source_url: Mapped[str] = mapped_column(comment="the address that answered, without the query")
    found: Mapped[bool]
    revision: Mapped[int | None] = mapped_column(BigInteger, comment="of the item, as Wikidata counts them")
    refused: Mapped[list[str]] = mapped_column(ARRAY(Text), comment="statements that are no facts, and why")


class MapFact(Base):
    """All that the sources said of one map's places at one time; a set is named by its content and never changes."""

    __tablename__ = "map_fact"
    __table_args__ = (
        Index("ix_map_fact_topic", "set_id", "osm_key", "topic"),
        Index("ix_map_fact_descriptor", "set_id", "descriptor"),
    )

    set_id: Mapped[str] = mapped_column(primary_key=True, comment="hash of the set's rows but their times")
    osm_key: Mapped[str] = mapped_column(primary_key=True)
    fact_id: Mapped[str] = mapped_column(primary_key=True)
    subject: Mapped[str]
    attribute: Mapped[str]
    kind: Mapped[str]
    value: Mapped[str]
    key: Mapped[str]
    unit: Mapped[str]
    names: Mapped[list[str]] = mapped_column(ARRAY(Text))
    words: Mapped[str] = mapped_column(comment="how a question names the attribute")
    source: Mapped[str]
    credit: Mapped[str]
    source_url: Mapped[str | None]
    retrieved_at: Mapped[datetime | None]
    licence: Mapped[str]
    chosen: Mapped[bool] = mapped_column(
        comment="the one that counts of equal ones; none where they contradict"
    )
    topic: Mapped[str] = mapped_column(
        Computed("attribute || '@' || credit", persisted=True),
        comment="what T7 asks for: attribute and source",
    )
    descriptor: Mapped[str] = mapped_column(
        Computed("attribute || '=' || key", persisted=True), comment="what T8 names a place by"
    )
