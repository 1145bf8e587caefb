"""Sessions of maintainers on pages, and questions that they write by hand with the tool calls that are their evidence."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0062"
down_revision: str | None = "0061"
branch_labels = None
depends_on = None

# A maintainer takes nothing away: a result that is unpinned stays as a row, and so does every answer.
GRANTS = """
grant select (id, key_id, opened_at, ends_at, ended_at) on trigpoint.page_session to trigpoint_maintainer;
grant insert, update (ended_at) on trigpoint.page_session to trigpoint_maintainer;
grant select on trigpoint.draft, trigpoint.draft_evidence, trigpoint.draft_answer
    to trigpoint_maintainer, trigpoint_worker;
grant insert on trigpoint.draft, trigpoint.draft_evidence, trigpoint.draft_answer to trigpoint_maintainer;
grant update (
    snapshot_id, revision, state, class, dimension, question, options, key, content_hash, changed_at
) on trigpoint.draft to trigpoint_maintainer;
grant update (snapshot_id, tools_version, result_hash, lines, newer, removed_at) on trigpoint.draft_evidence
    to trigpoint_maintainer;
grant update (snapshot_id, revision, state, content_hash, changed_at) on trigpoint.draft to trigpoint_worker;
grant update (snapshot_id, tools_version, result_hash, newer) on trigpoint.draft_evidence to trigpoint_worker
"""
# The hash of a session's token is read by nobody: who has the token is found by this function.
KNOWN_SESSION = """
create function trigpoint.known_page_session(token_hash text)
returns table (
    session_id bigint,
    ends_at timestamptz,
    id bigint,
    first_id bigint,
    prefix text,
    name text,
    role text,
    requests_per_minute int,
    expires_at timestamptz,
    revoked_at timestamptz
)
language sql stable security definer set search_path = trigpoint, pg_temp as $$
with recursive found as (
    select
        page_session.id as session_id,
        page_session.ends_at,
        api_key.*
    from page_session
    inner join api_key on page_session.key_id = api_key.id
    where
        page_session.token_hash = $1
        and page_session.ended_at is null
),

line as (
    select
        found.id,
        found.replaces_id
    from found
    union all
    select
        api_key.id,
        api_key.replaces_id
    from api_key
    inner join line on api_key.id = line.replaces_id
)

select
    found.session_id,
    found.ends_at,
    found.id,
    line.id as first_id,
    found.prefix,
    found.name,
    found.role,
    found.requests_per_minute,
    found.expires_at,
    found.revoked_at
from found
cross join line
where line.replaces_id is null
$$;
revoke execute on function trigpoint.known_page_session(text) from public;
grant execute on function trigpoint.known_page_session(text) to trigpoint_api
"""
STATES = "state in ('writing', 'waiting', 'agreed', 'disputed', 'flagged', 'dropped')"


def upgrade() -> None:
    op.create_table(
        "page_session",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False, comment="SHA-256 of the cookie's value, hexadecimal"),
        sa.Column("key_id", sa.BigInteger(), nullable=False, comment="the key that it was opened with"),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True, comment="when its owner signed out"),
        sa.ForeignKeyConstraint(["key_id"], ["trigpoint.api_key.id"], name=op.f("fk_page_session_key_id_api_key")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_page_session")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_page_session_token_hash")),
        schema="trigpoint",
    )
    op.create_table(
        "draft",
        sa.Column("id", sa.Text(), nullable=False, comment="64 random bits, hexadecimal"),
        sa.Column("benchmark", sa.Text(), nullable=False),
        sa.Column("dataset", sa.Text(), nullable=False, comment="the name that it is published under"),
        sa.Column("snapshot_id", sa.BigInteger(), nullable=False, comment="the map on which its tools are called"),
        sa.Column("author_id", sa.BigInteger(), nullable=False, comment="the first key of its author's line"),
        sa.Column("revision", sa.Integer(), server_default="1", nullable=False, comment="raised by each change"),
        sa.Column("state", sa.Text(), server_default="writing", nullable=False),
        sa.Column("class", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Text(), server_default="", nullable=False),
        sa.Column("question", sa.Text(), server_default="", nullable=False),
        sa.Column("options", postgresql.JSONB(), server_default="[]", nullable=False),
        sa.Column("key", sa.Integer(), nullable=True, comment="place of the right option from 0; -1: no answer; null: open"),
        sa.Column("content_hash", sa.Text(), nullable=True, comment="of what was handed in: answers count for this alone"),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(STATES, name=op.f("ck_draft_state")),
        sa.ForeignKeyConstraint(["snapshot_id"], ["trigpoint.snapshot.id"], name=op.f("fk_draft_snapshot_id_snapshot")),
        sa.ForeignKeyConstraint(["author_id"], ["trigpoint.api_key.id"], name=op.f("fk_draft_author_id_api_key")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft")),
        schema="trigpoint",
    )
    op.create_index("ix_draft_dataset", "draft", ["dataset", "created_at", "id"], schema="trigpoint")
    op.create_table(
        "draft_evidence",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("draft_id", sa.Text(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("arguments", postgresql.JSONB(), nullable=False),
        sa.Column("snapshot_id", sa.BigInteger(), nullable=False, comment="the map that answered"),
        sa.Column("tools_version", sa.Integer(), nullable=False),
        sa.Column("result_hash", sa.Text(), nullable=False),
        sa.Column("lines", postgresql.JSONB(), nullable=False, comment="the result as the context prints it"),
        sa.Column(
            "newer",
            postgresql.JSONB(),
            nullable=True,
            comment="another result on a newer map, {snapshot_id, tools_version, result_hash, lines}",
        ),
        sa.Column("pinned_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["draft_id"], ["trigpoint.draft.id"], name=op.f("fk_draft_evidence_draft_id_draft")),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["trigpoint.snapshot.id"], name=op.f("fk_draft_evidence_snapshot_id_snapshot")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft_evidence")),
        schema="trigpoint",
    )
    op.create_index("ix_draft_evidence_draft_id", "draft_evidence", ["draft_id", "id"], schema="trigpoint")
    op.create_table(
        "draft_answer",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("draft_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False, comment="of the question as it was answered"),
        sa.Column("author_key", sa.Integer(), nullable=False, comment="the author's key when this was answered"),
        sa.Column("key_id", sa.BigInteger(), nullable=False, comment="the first key of its giver's line"),
        sa.Column("choice", sa.Integer(), nullable=True, comment="as key of draft; null: the question is dropped"),
        sa.Column("note", sa.Text(), server_default="", nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind in ('second', 'adjudication')", name=op.f("ck_draft_answer_kind")),
        sa.ForeignKeyConstraint(["draft_id"], ["trigpoint.draft.id"], name=op.f("fk_draft_answer_draft_id_draft")),
        sa.ForeignKeyConstraint(["key_id"], ["trigpoint.api_key.id"], name=op.f("fk_draft_answer_key_id_api_key")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft_answer")),
        schema="trigpoint",
    )
    op.create_index("ix_draft_answer_draft_id", "draft_answer", ["draft_id", "id"], schema="trigpoint")
    op.execute(KNOWN_SESSION)
    op.execute(GRANTS)
    op.drop_constraint(op.f("ck_proof_kind"), "proof", schema="trigpoint")
    op.create_check_constraint(
        op.f("ck_proof_kind"), "proof", "kind in ('sql', 'program', 'imported', 'evidence')", schema="trigpoint"
    )


def downgrade() -> None:
    op.drop_constraint(op.f("ck_proof_kind"), "proof", schema="trigpoint")
    op.create_check_constraint(
        op.f("ck_proof_kind"), "proof", "kind in ('sql', 'program', 'imported')", schema="trigpoint"
    )
    op.execute("drop function trigpoint.known_page_session(text)")
    for table in ("draft_answer", "draft_evidence", "draft", "page_session"):
        op.drop_table(table, schema="trigpoint")
