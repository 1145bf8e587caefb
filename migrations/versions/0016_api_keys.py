"""API keys, of which only hashes are stored, and the record of what maintainers did."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0016"
down_revision: str | None = "0015"
branch_labels = None
depends_on = None

# The api role finds a key by its hash and reads no hash: it has no right on the table, only on this function.
KNOWN_KEY = """
create function trigpoint.known_key(given_prefix text, given_hash text)
returns table (
    id bigint,
    prefix text,
    name text,
    role text,
    requests_per_minute integer,
    expires_at timestamptz,
    revoked_at timestamptz
)
language sql stable security definer set search_path = trigpoint, pg_temp as $$
    select
        api_key.id,
        api_key.prefix,
        api_key.name,
        api_key.role,
        api_key.requests_per_minute,
        api_key.expires_at,
        api_key.revoked_at
    from api_key
    where
        api_key.prefix = given_prefix
        and api_key.hash = given_hash
$$;
revoke execute on function trigpoint.known_key(text, text) from public;
grant execute on function trigpoint.known_key(text, text) to trigpoint_api;
"""
# What was done stays as it was noted: nobody but the owner may change a line or take it away.
RIGHTS = """
grant select (
    id, prefix, name, role, requests_per_minute, created_at, expires_at, revoked_at, replaces_id
) on trigpoint.api_key to trigpoint_maintainer;
grant insert, update (expires_at, revoked_at) on trigpoint.api_key to trigpoint_maintainer;
grant select, insert on trigpoint.audit to trigpoint_maintainer;
"""


def upgrade() -> None:
    op.create_table(
        "api_key",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False, comment="the part of the key that may be shown"),
        sa.Column("hash", sa.Text(), nullable=False, comment="SHA-256 of the whole key, hexadecimal"),
        sa.Column("name", sa.Text(), nullable=False, comment="whose it is"),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("requests_per_minute", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True, comment="null: never"),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("replaces_id", sa.BigInteger(), nullable=True, comment="the key that this one was made to follow"),
        sa.CheckConstraint("role in ('reader', 'submitter', 'maintainer')", name=op.f("ck_api_key_role")),
        sa.CheckConstraint("requests_per_minute > 0", name=op.f("ck_api_key_rate")),
        sa.ForeignKeyConstraint(["replaces_id"], ["trigpoint.api_key.id"], name=op.f("fk_api_key_replaces_id_api_key")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_key")),
        sa.UniqueConstraint("prefix", name=op.f("uq_api_key_prefix")),
        schema="trigpoint",
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("key_id", sa.BigInteger(), nullable=True, comment="null: at the command line"),
        sa.Column("request_id", sa.Text(), nullable=True, comment="as the answer's X-Request-Id gave it"),
        sa.Column("action", sa.Text(), nullable=False, comment="noun and verb, such as run.pause"),
        sa.Column("subject", sa.Text(), nullable=False, comment="what it was done to"),
        sa.Column("detail", postgresql.JSONB(), nullable=False, comment="what was asked for; never a secret"),
        sa.ForeignKeyConstraint(["key_id"], ["trigpoint.api_key.id"], name=op.f("fk_audit_key_id_api_key")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
        schema="trigpoint",
    )
    op.execute(KNOWN_KEY)
    op.execute(RIGHTS)


def downgrade() -> None:
    op.execute("drop function trigpoint.known_key(text, text)")
    op.drop_table("audit", schema="trigpoint")
    op.drop_table("api_key", schema="trigpoint")
