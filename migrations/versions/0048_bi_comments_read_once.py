"""Columns of bi_ views are described in words that are understood at the first reading; docs/bi.md shows these words."""

from collections.abc import Mapping

from alembic import op

revision: str = "0048"
down_revision: str | None = "0047"
branch_labels = None
depends_on = None

WORDS = {
    "id of the run of an earlier version that the answers come from": "if the answers were carried over: id of the run of an earlier version that gave them; otherwise null",
    "the name on boards, as its maker wrote it": "the name of the run on boards, as it was entered",
    "whether it is the newest of its name": "whether it is the newest with this name",
    "number of answers that a complete run has": "number of answers that the run must have to be complete",
    "time until which it may stay in its state; null when it is finished": "time at which it should have left its state; null if it is finished",
    "95 of 100 calls took at most so long; null without calls, or unless the scope is all": "95 of 100 calls took at most this time; null without calls, or unless the scope is all",
    "the other run; always the later one": "id of the other run, which was made later",
    "whether the board shows it: the newest complete run of its label and solver, or a newer one beside it": "whether the board shows the run: it shows the newest complete run of each label and solver, and the newest run if that is newer",
    "number of questions, of a sample those that it asks; hidden questions are counted as on boards": "number of questions, or of the questions in the run's sample; hidden questions are counted as on boards",
    "number of questions that failed on our side or the endpoint's; a run with such questions has no score": "number of questions for which Trigpoint or the endpoint failed; a run with such questions has no score",
    "number of questions that failed on our side or the endpoint's": "number of questions for which Trigpoint or the endpoint failed",
    "if the score counts hidden questions: the size of the step to which it is rounded, in shares of 1; null if it is exact": "if the score counts hidden questions: the size of the step to which it is rounded, on the scale of score; null if the score is exact",
    "name of the map, with its date if the version has two maps of that name": "name of the map; if the version has two maps of this name, with the date of the map",
    "why the question changed, or what differs; null for kept and for hidden questions": "why the question was changed, or what differs; null for questions that were kept, and for hidden questions",
    "time at which it began or was sent": "time at which the run began or the submission was sent",
    "the name on boards; null once it is withdrawn or deleted": "the name on boards; null after the submission is withdrawn or deleted",
    "request, budget or interrupted; null unless it is paused": "why the run is paused: request, budget or interrupted; null if it is not paused",
}
"""What a column is said to hold: before, and now."""

DESCRIBED = """
select
    pg_class.relname as view,
    pg_attribute.attname as column,
    pg_description.description as about
from pg_description
inner join pg_class on pg_description.objoid = pg_class.oid
inner join pg_attribute
    on
        pg_class.oid = pg_attribute.attrelid
        and pg_description.objsubid = pg_attribute.attnum
where
    pg_description.classoid = 'pg_class'::regclass
    and pg_class.relnamespace = 'trigpoint'::regnamespace
    and starts_with(pg_class.relname, 'bi_')
"""


def upgrade() -> None:
    _say(WORDS)


def downgrade() -> None:
    _say({now: before for before, now in WORDS.items()})


def _say(words: Mapping[str, str]) -> None:
    for view, column, about in op.get_bind().exec_driver_sql(DESCRIBED).all():
        if about in words:
            said = words[about].replace("'", "''")
            op.execute(f"comment on column trigpoint.{view}.{column} is '{said}'")
