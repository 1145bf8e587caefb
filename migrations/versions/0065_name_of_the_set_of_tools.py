"""The comments of the views about agents no longer list the sets of tools: there are more by now."""

from alembic import op

revision = "0065"
down_revision = "0062"
branch_labels = None
depends_on = None

VIEWS = ("bi_agent", "bi_agent_calls", "bi_agent_tool")
NOW = "the name of the set of tools; null if the agent was not run by this service"
BEFORE = "the set of tools: all, mapeval or calculator; null if the agent was not run by this service"


def upgrade() -> None:
    for view in VIEWS:
        op.execute(f"comment on column trigpoint.{view}.tool_set is '{NOW}'")


def downgrade() -> None:
    for view in VIEWS:
        op.execute(f"comment on column trigpoint.{view}.tool_set is '{BEFORE}'")
