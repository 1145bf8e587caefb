"""External facts: gold of T7 and T8, for those who make and prove questions only."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels = None
depends_on = None

# What versions stand on is only ever added to: nobody may change or take away a row of map_fact.
RIGHTS = """
grant select, insert, update, delete on trigpoint.fact, trigpoint.wikidata_item to trigpoint_worker;
grant select, insert on trigpoint.map_fact to trigpoint_worker;
grant select on trigpoint.fact, trigpoint.wikidata_item, trigpoint.map_fact to trigpoint_maintainer;
"""


def upgrade() -> None:
    op.create_table(
        "fact",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("fact_id", sa.Text(), nullable=False, comment="hash of all but the time"),
        sa.Column("snapshot_name", sa.Text(), nullable=True, comment="the maps it is about; null for all"),
        sa.Column("subject", sa.Text(), nullable=False, comment="an osm_key, or a Wikidata item"),
        sa.Column("attribute", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False, comment="normalised: a year, a number without its unit, a name"),
        sa.Column("key", sa.Text(), nullable=False, comment="equal where two values say the same"),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("names", postgresql.ARRAY(sa.Text()), nullable=False, comment="all accepted forms of a name"),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("credit", sa.Text(), nullable=False, comment="how a text names the source"),
        sa.Column("source_url", sa.Text(), nullable=True),
        sa.Column("retrieved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("licence", sa.Text(), nullable=False),
        sa.CheckConstraint("source in ('wikidata', 'file')", name=op.f("ck_fact_source")),
        sa.CheckConstraint("kind in ('name', 'number', 'year')", name=op.f("ck_fact_kind")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fact")),
        sa.UniqueConstraint(
            "source", "snapshot_name", "subject", "attribute",
            name=op.f("uq_fact_source_snapshot_name_subject_attribute"), postgresql_nulls_not_distinct=True,
        ),
        schema="trigpoint",
    )
    op.create_index("ix_fact_subject", "fact", ["subject"], unique=False, schema="trigpoint")
    op.create_table(
        "wikidata_item",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("retrieved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("source_url", sa.Text(), nullable=False, comment="the address that answered, without the query"),
        sa.Column("found", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=True, comment="of the item, as Wikidata counts them"),
        sa.Column("refused", postgresql.ARRAY(sa.Text()), nullable=False, comment="statements that are no facts, and why"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_wikidata_item")),
        schema="trigpoint",
    )
    op.create_table(
        "map_fact",
        sa.Column("set_id", sa.Text(), nullable=False, comment="hash of the set's rows but their times"),
        sa.Column("osm_key", sa.Text(), nullable=False),
        sa.Column("fact_id", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("attribute", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("names", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("words", sa.Text(), nullable=False, comment="how a question names the attribute"),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("credit", sa.Text(), nullable=False),
        sa.Column("source_url", sa.Text(), nullable=True),
        sa.Column("retrieved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("licence", sa.Text(), nullable=False),
        sa.Column("chosen", sa.Boolean(), nullable=False, comment="the one that counts of equal ones; none where they contradict"),
        sa.Column("topic", sa.Text(), sa.Computed("attribute || '@' || credit", persisted=True), nullable=False, comment="what T7 asks for: attribute and source"),
        sa.Column("descriptor", sa.Text(), sa.Computed("attribute || '=' || key", persisted=True), nullable=False, comment="what T8 names a place by"),
        sa.PrimaryKeyConstraint("set_id", "osm_key", "fact_id", name=op.f("pk_map_fact")),
        schema="trigpoint",
    )
    op.create_index("ix_map_fact_topic", "map_fact", ["set_id", "osm_key", "topic"], unique=False, schema="trigpoint")
    op.create_index("ix_map_fact_descriptor", "map_fact", ["set_id", "descriptor"], unique=False, schema="trigpoint")
    op.execute(RIGHTS)


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: versions may stand on these facts.")
