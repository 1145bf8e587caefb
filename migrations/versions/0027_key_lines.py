"""A key that replaces another has what that one submitted; maintainers end submissions on the record."""

from alembic import op

revision: str = "0027"
down_revision: str | None = "0026"
branch_labels = None
depends_on = None

BEFORE = """
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
"""
KNOWN_KEY = """
create function trigpoint.known_key(given_prefix text, given_hash text)
returns table (
    id bigint,
    first_id bigint,
    prefix text,
    name text,
    role text,
    requests_per_minute integer,
    expires_at timestamptz,
    revoked_at timestamptz
)
language sql stable security definer set search_path = trigpoint, pg_temp as $$
    with recursive line as (
        select
            api_key.id,
            api_key.replaces_id
        from api_key
        where
            api_key.prefix = given_prefix
            and api_key.hash = given_hash
        union all
        select
            api_key.id,
            api_key.replaces_id
        from api_key
        inner join line on api_key.id = line.replaces_id
    )

    select
        api_key.id,
        (select line.id from line where line.replaces_id is null),
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
"""
DROP = "drop function trigpoint.known_key(text, text)"
RIGHTS = """
revoke execute on function trigpoint.known_key(text, text) from public;
grant execute on function trigpoint.known_key(text, text) to trigpoint_api;
"""
END = "function trigpoint.end_submission(bigint, bigint, boolean, timestamptz)"


def upgrade() -> None:
    """Tell the first key of a line with each key."""
    for statement in (DROP, KNOWN_KEY, RIGHTS, f"grant execute on {END} to trigpoint_maintainer"):
        op.execute(statement)


def downgrade() -> None:
    """Tell it no more."""
    for statement in (DROP, BEFORE, RIGHTS, f"revoke execute on {END} from trigpoint_maintainer"):
        op.execute(statement)
