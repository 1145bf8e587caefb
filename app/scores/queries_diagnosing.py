"""The statements of diagnoses; `{schema}` is a quoted snapshot schema."""

from sqlalchemy import text

# Of public questions alone: what is told of single answers would tell hidden gold.
ANSWERS = text("""
select
    prediction.id,
    prediction.answer,
    question.prompt,
    question.scorer,
    snapshot.schema_name,
    gold.value as gold,
    score.outcome,
    score.parsed
from prediction
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
inner join snapshot on question.snapshot_id = snapshot.id
inner join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
inner join score on prediction.id = score.prediction_id
where
    prediction.run_id = :run_id
    and prediction.state = 'answered'
    and question.split = 'public'
    and question.scorer = any(cast(:diagnosed as text[]))
    and gold.kind = 'value'
    and score.profile = :profile
    and score.gold_key = 'default'
    and score.scorer_version = cast(cast(:scorers as jsonb) ->> question.scorer as int)
order by prediction.id
""")

DELETE_DIAGNOSES = text("""
delete from score
using prediction
where
    score.prediction_id = prediction.id
    and prediction.run_id = :run_id
    and score.profile = :diagnosis
    and score.scorer_version = :version
""")

DIAGNOSES = text("""
select
    score.scorer,
    score.components,
    score.parsed
from score
inner join prediction on score.prediction_id = prediction.id
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
where
    prediction.run_id = :run_id
    and question.split = 'public'
    and score.profile = :diagnosis
    and score.scorer_version = :version
order by prediction.id
""")

NAMED_PLACES = """
select distinct
    place_name.form,
    st_x(st_pointonsurface(thing.geom)) as lon,
    st_y(st_pointonsurface(thing.geom)) as lat
from unnest(cast(:forms as text[])) as sought (form)
inner join {schema}.place_name on sought.form = place_name.form
inner join lateral (
    select poi.geom
    from {schema}.poi
    where poi.osm_key = place_name.osm_key
    union all
    select park.geom
    from {schema}.park
    where park.osm_key = place_name.osm_key
    union all
    select water.geom
    from {schema}.water
    where water.osm_key = place_name.osm_key
    union all
    select region.geom
    from {schema}.region
    where region.osm_key = place_name.osm_key
    limit 1
) as thing on true
order by place_name.form, lon, lat
"""
