"""The statements of keys, sessions and the record. The time is the bind `now`; the api role makes KNOWN_… alone."""

from sqlalchemy import text

KNOWN_KEY = text("""
select
    id,
    first_id,
    prefix,
    name,
    role,
    requests_per_minute,
    expires_at,
    revoked_at
from known_key(:prefix, :hash)
""")

INSERT_KEY = text("""
insert into api_key (prefix, hash, name, role, requests_per_minute, created_at, expires_at, replaces_id)
values (:prefix, :hash, :name, :role, :requests_per_minute, :now, :expires_at, :replaces_id)
""")

_KEY = """
select
    api_key.id,
    api_key.prefix,
    api_key.name,
    api_key.role,
    api_key.requests_per_minute,
    api_key.created_at,
    api_key.expires_at,
    api_key.revoked_at,
    replaced.prefix as replaces
from api_key
left join api_key as replaced on api_key.replaces_id = replaced.id
"""

FIND_KEY = text(
    _KEY
    + """
where api_key.prefix = :prefix
"""
)

FIRST_OF_LINE = text("""
with recursive line as (
    select
        api_key.id,
        api_key.replaces_id
    from api_key
    where api_key.prefix = :prefix
    union all
    select
        api_key.id,
        api_key.replaces_id
    from api_key
    inner join line on api_key.id = line.replaces_id
)

select line.id
from line
where line.replaces_id is null
""")

LIST_KEYS = text(
    _KEY
    + """
order by api_key.id
"""
)

END_KEY = text("""
update api_key
set expires_at = least(coalesce(expires_at, :at), :at)
where
    prefix = :prefix
    and revoked_at is null
returning id
""")

REVOKE_KEY = text("""
update api_key
set revoked_at = :now
where
    prefix = :prefix
    and revoked_at is null
returning id
""")

NOTE = text("""
insert into audit (at, key_id, request_id, action, subject, detail)
values (:now, :key_id, :request_id, :action, :subject, cast(:detail as jsonb))
""")

READ_AUDIT = text("""
select
    audit.id,
    audit.at,
    audit.request_id,
    audit.action,
    audit.subject,
    audit.detail,
    api_key.prefix as key,
    api_key.name
from audit
left join api_key on audit.key_id = api_key.id
where cast(:before as bigint) is null or audit.id < :before
order by audit.id desc
limit :limit
""")

ANSWER_OF_REQUEST = text("""
select
    is_same,
    status,
    location,
    body
from answer_of_request(:key_id, :idempotency_key, :request_hash, :forgotten)
""")

KEEP_REQUEST = text("""
insert into sent_request (key_id, idempotency_key, request_hash, status, location, body, created_at)
values (:key_id, :idempotency_key, :request_hash, :status, :location, cast(:body as jsonb), :now)
""")

KNOWN_SESSION = text("""
select
    session_id,
    ends_at,
    id,
    first_id,
    prefix,
    name,
    role,
    requests_per_minute,
    expires_at,
    revoked_at
from known_page_session(:token_hash)
""")

INSERT_SESSION = text("""
insert into page_session (token_hash, key_id, opened_at, ends_at)
values (:token_hash, :key_id, :now, :ends_at)
""")

END_SESSION = text("""
update page_session
set ended_at = :now
where
    id = :id
    and ended_at is null
""")
