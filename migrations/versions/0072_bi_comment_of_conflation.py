"""The BI view of agents that explore says what `factual_conflation` counts now: an answer against what was seen."""

from alembic import op

revision: str = "0072"
down_revision: str | None = "0071"
branch_labels = None
depends_on = None

NOW = "number of misses whose answer contradicts what the agent saw beside stations"
BEFORE = "number of misses that had seen a station of the key and the place beside it"


def upgrade() -> None:
    _say(NOW)


def downgrade() -> None:
    _say(BEFORE)


def _say(about: str) -> None:
    op.execute(f"comment on column trigpoint.bi_agent_exploration.factual_conflation is '{about}'")
