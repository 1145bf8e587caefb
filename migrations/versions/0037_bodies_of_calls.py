"""Endpoints say which fields of a chat call they set, and which they leave away: servers differ in what they take."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0037"
down_revision: str | None = "0036"
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
    (select count(*) from trigpoint.run where run.endpoint_id = endpoint.id) as runs{further}
from trigpoint.endpoint;
grant select on trigpoint.endpoint_card to trigpoint_api, trigpoint_maintainer;
"""


def upgrade() -> None:
    op.add_column(
        "endpoint",
        sa.Column(
            "body",
            postgresql.JSONB(),
            nullable=True,
            comment="fields that chat calls set, and leave away where they are null",
        ),
        schema="trigpoint",
    )
    op.execute("grant update (body) on trigpoint.endpoint to trigpoint_maintainer")
    op.execute(CARDS.format(further=",\n    endpoint.body"))


def downgrade() -> None:
    op.execute("drop view trigpoint.endpoint_card")
    op.execute(CARDS.format(further=""))
    op.drop_column("endpoint", "body", schema="trigpoint")
