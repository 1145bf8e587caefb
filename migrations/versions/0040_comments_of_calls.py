"""Columns of bi_board on calls say in plain words when they are null; docs/bi.md shows these words."""

from alembic import op

revision: str = "0040"
down_revision: str | None = "0037"
branch_labels = None
depends_on = None

TOKENS = "of all calls of the run; null unless the scope is all"
TOKENS_BEFORE = "of all calls of the run; null but for scope all"
COMMENTS = {
    "calls": "calls of models that were answered for this run; null unless the scope is all",
    "prompt_tokens": TOKENS,
    "completion_tokens": TOKENS,
    "cost": "in cost_currency, at the prices the run was made with; null without prices, or unless the scope is all",
    "latency_median_ms": "of a call; null without calls, or unless the scope is all",
}
BEFORE = {
    "calls": "of models, answered for this run; null but for scope all",
    "prompt_tokens": TOKENS_BEFORE,
    "completion_tokens": TOKENS_BEFORE,
    "cost": "in cost_currency, at the prices the run was made with; null without prices, and but for scope all",
    "latency_median_ms": "of a call; null without calls, and but for scope all",
}


def upgrade() -> None:
    _comment(COMMENTS)


def downgrade() -> None:
    _comment(BEFORE)


def _comment(comments: dict[str, str]) -> None:
    for column, about in comments.items():
        op.execute(f"comment on column trigpoint.bi_board.{column} is '{about}'")
