"""Cards of endpoints say what the last check found them able to do; workers see which pictures everybody may see."""

from alembic import op

revision: str = "0060"
down_revision: str | None = "0057"
branch_labels = None
depends_on = None

# Owned by the owner and not security_invoker on purpose: no URL, no name of a key's variable, no words of a server.
CARDS = """
create or replace view trigpoint.endpoint_card as
select
    endpoint.id,
    endpoint.record as name,
    endpoint.name = endpoint.record as current,
    endpoint.model,
    endpoint.revision,
    endpoint.limits,
    endpoint.prices,
    endpoint.health ->> 'state' as state,
    endpoint.health ->> 'engine' as engine,
    endpoint.health -> 'latency_ms' as latency_ms,
    endpoint.health -> 'guides' as guides,
    endpoint.checked_at,
    (select count(*) from trigpoint.run where run.endpoint_id = endpoint.id) as runs,
    endpoint.body{further}
from trigpoint.endpoint;
grant select on trigpoint.endpoint_card to trigpoint_api, trigpoint_maintainer;
"""
FURTHER = """,
    endpoint.health -> 'abilities' as abilities,
    endpoint.health -> 'context' as context"""


def upgrade() -> None:
    op.execute(CARDS.format(further=FURTHER))
    op.execute("grant execute on function trigpoint.is_shown_asset(text) to trigpoint_worker")


def downgrade() -> None:
    op.execute("revoke execute on function trigpoint.is_shown_asset(text) from trigpoint_worker")
    op.execute("drop view trigpoint.endpoint_card")
    op.execute(CARDS.format(further=""))
