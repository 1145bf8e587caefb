"""Requests of readers that are sent twice are answered the same again, too."""

from alembic import op

revision: str = "0031"
down_revision: str | None = "0030"
branch_labels = None
depends_on = None

# An answer is told to who can name all that its request asked for, and to nobody else. Requests with one word come one
# after the other.
ANSWER = """
create function trigpoint.answer_of_request(by_key bigint, word text, of_hash text, forgotten timestamptz)
returns table (is_same boolean, status integer, location text, body jsonb)
language plpgsql security definer set search_path = trigpoint, pg_temp as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('trigpoint request ' || by_key::text || ' ' || word, 0));
    delete from sent_request where key_id = by_key and created_at < forgotten;
    return query
    select
        true,
        sent_request.status,
        sent_request.location,
        sent_request.body
    from sent_request
    where key_id = by_key and idempotency_key = word and request_hash = of_hash
    union all
    select false, null::integer, null::text, null::jsonb
    from sent_request
    where key_id = by_key and idempotency_key = word and request_hash <> of_hash;
end
$$;
"""
SIGNATURE = "trigpoint.answer_of_request(bigint, text, text, timestamptz)"


def upgrade() -> None:
    op.execute(ANSWER)
    op.execute(f"revoke execute on function {SIGNATURE} from public")
    op.execute(f"grant execute on function {SIGNATURE} to trigpoint_api, trigpoint_maintainer")
    op.execute("grant insert on trigpoint.sent_request to trigpoint_api")
    op.execute("revoke select, delete on trigpoint.sent_request from trigpoint_maintainer")


def downgrade() -> None:
    op.execute("grant select, delete on trigpoint.sent_request to trigpoint_maintainer")
    op.execute("revoke insert on trigpoint.sent_request from trigpoint_api")
    op.execute(f"drop function {SIGNATURE}")
