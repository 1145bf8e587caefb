"""Columns of bi_ views are described by whole phrases; docs/bi.md shows these words."""

from collections.abc import Mapping

from alembic import op

revision: str = "0043"
down_revision: str | None = "0042"
branch_labels = None
depends_on = None

WORDS = {
    "the version, as the views review_… name it": "id of the data set version; the views review_… use the same id",
    "whose templates made the questions": "the benchmark whose templates made the questions",
    "when it could first be used": "time from which it could be used",
    "how many; those of hidden gold count as they do on boards": "number of questions; hidden questions are counted as on boards",
    "questions whose gold may leave": "number of questions with public gold",
    "questions whose gold stays hidden": "number of questions with hidden gold",
    "that have questions": "number of templates with questions",
    "that the questions stand on": "number of maps that the questions were made from",
    "of all questions, those of judges left out": "number of complete runs over all questions; runs of judges are not counted",
    "of the recipe": "seed of the recipe",
    "its short name": "short name of the licence",
    "where it can be read": "address of the licence text",
    "who is to be named": "the attribution that the licence asks for",
    "a UUID that stands in every export: data that have it are evaluation data": "a UUID that stands in every export; data that contain it are evaluation data",
    "of a run that asks some questions only; null for all": "number of questions, if the run asks only a sample; null if it asks all",
    "null while it goes on": "time at which it ended; null if it has not ended",
    "whose rules score: trigpoint, judge_hybrid or judge_pure": "the scoring profile: trigpoint, judge_hybrid or judge_pure",
    "of the profile's rules; compare equal ones only": "version of the profile's rules; compare only scores with the same version",
    "which template, dimension …; null for all": "name of the template, dimension … that is scored; null for all",
    "mean over questions, in shares of 1; null for a run that is not complete": "mean over the questions, from 0 to 1; null if the run is not complete",
    "the interval's name and level": "name and level of the interval",
    "mean of 1 / number of options; null unless all questions have them": "mean of 1 / number of options; null unless all questions have options",
    "exact mean of the solver random; null where it is not known for all questions": "expected score of the solver random; null if it is not known for all questions",
    "answers; those to each repeat and rotation count": "number of right answers; each repeat and each rotation counts",
    "answers that were read and are not right": "number of answers that were read and are not right",
    "answers that no reading fits; count 0": "number of answers in which no value could be read; they score 0",
    "says that it does not know, or nothing; counts 0": "number of answers that are empty or say that the model does not know; they score 0",
    "failed on our side: such a run has no score": "number of questions that failed on our side or the endpoint's; a run with such questions has no score",
    "not answered, or not scored yet": "number of questions that are not answered or not scored yet",
    "as the endpoint's prices say": "currency of the endpoint's prices",
    "in cost_currency, at the prices the run was made with; null without prices, or unless the scope is all": "cost in cost_currency, at the prices when the run was made; null without prices, or unless the scope is all",
    "of all calls of the run; null unless the scope is all": "sum over all calls of the run; null unless the scope is all",
    "of a call; null without calls, or unless the scope is all": "median latency of a call; null without calls, or unless the scope is all",
    "whether it counts public questions alone, and so has no rank": "whether only public questions are counted; such a run has no rank",
    "of the solver's code": "version of the solver's code",
    "its name; null for solvers that call no model": "name of the endpoint; null for solvers that call no model",
    "as the endpoint calls it": "name of the model, as the endpoint gives it",
    "answers to each question": "number of answers to each question",
    "answers that make the run complete": "number of answers that a complete run has",
    "answers that a model gave": "number of answers that a model gave",
    "answers that failed on our side": "number of questions that failed on our side or the endpoint's",
    "share of owed_answers that are there, errors included": "share of owed_answers that are stored, errors included",
    "in flight when their worker was lost": "number of requests that were sent again because their worker was lost",
    "whether boards know it": "whether the run has been scored for boards",
    "when it began, or was sent in": "time at which it began or was sent",
    "when the latest answer was written": "time of the latest answer",
    "from created_utc to finished_utc, or to now": "seconds from created_utc to finished_utc, or to now",
    "that both were asked": "number of questions that both runs were asked",
    "mean of label less that of other_label, in shares of 1": "score of label minus score of other_label, from -1 to 1",
    "lower end of the 95 % interval; null where nothing can be tested": "lower end of the 95 % interval; null if there is too little for a test",
    "two-sided, before Holm's adjustment; null where nothing can be tested": "two-sided p, before Holm's adjustment; null if there is too little for a test",
    "the smallest true difference found four times in five, before the adjustment": "the smallest true difference that the test finds in four of five cases, before the adjustment",
    "clusters of questions by template": "number of templates; the questions of a template form a cluster",
    "clusters of questions by place": "number of places; the questions about a place form a cluster",
    "from map_utc to now; null without a date": "days from map_utc to now; null without a date",
    "for a cut out of another map: of what": "if the map was cut out of another: the region that was cut out",
    "published versions that stand on it": "number of published data set versions that were made from it",
    "poi, park, water, road, region, aoi, address or road_node": "poi, park, water, road, region, aoi, address, other_place or road_node",
    "objects that the layer's tags name": "number of objects with the tags of the layer",
    "objects in the layer": "number of objects in the layer",
    "objects whose shape was mended": "number of objects whose geometry was repaired",
    "objects that were not kept": "number of objects that were not kept",
    "that were rejected": "number of objects that were not kept for this reason",
    "the date of the map's data; null where the extract tells none": "date of the map's data; null if the extract does not tell it",
    "what the template asks about; null where the benchmark has none": "what the template asks about; null if the benchmark has no dimensions",
    "the map's name, with its date where the version has two maps of that name": "name of the map, with its date if the version has two maps of that name",
    "what an answer is: option, name, count, area, azimuth …": "type of the answer: option, name, count, area, azimuth …",
    "false: run by whoever keeps this service": "true if the answers were computed elsewhere; false if this service ran the model",
    "whose form the answers came in: answers, lm-eval or inspect": "file format of the answers: answers, lm-eval or inspect",
    "answers that were sent in": "number of answers that were sent",
    "times that scoring was begun": "number of times that scoring was started",
    "until when it may stay in its state; null once it is done": "time until which it may stay in its state; null when it is finished",
    "from created_utc to now": "seconds from created_utc to now",
    "the run of an earlier version whose answers these are": "id of the run of an earlier version that the answers come from",
    "why, or what differs; null for kept ones and for all hidden ones": "why the question changed, or what differs; null for kept and for hidden questions",
    "request or budget; null unless it is paused": "request, budget or interrupted; null unless it is paused",
    "how many; those of hidden gold count as they do on boards; of a sample, those that it asked": "number of questions, of a sample those that it asks; hidden questions are counted as on boards",
    "the score counts hidden questions, rounded to a step: its size, in shares of 1; null if it is exact": "if the score counts hidden questions: the size of the step to which it is rounded, in shares of 1; null if it is exact",
    "answers that ended because the limit on tokens was reached; null unless the scope is all": "number of answers that ended at the limit on tokens; null unless the scope is all",
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
