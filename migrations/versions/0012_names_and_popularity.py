"""How a question names its objects, and how well known those are; versions made before have neither."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0012"
down_revision: str | None = "0011"
branch_labels = None
depends_on = None

COMMENTS = {
    "names": "{form: local, en or both, script}; null in versions made before",
    "popularity": "[{wikidata, tags}] of the objects that the question names",
}


def upgrade() -> None:
    for name, comment in COMMENTS.items():
        column = sa.Column(name, postgresql.JSONB(), nullable=True, comment=comment)
        op.add_column("question", column, schema="trigpoint")
    op.execute("grant select (names, popularity) on trigpoint.question to trigpoint_api")


def downgrade() -> None:
    for name in COMMENTS:
        op.drop_column("question", name, schema="trigpoint")
