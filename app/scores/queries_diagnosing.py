"""The statements of diagnoses; `{schema}` is a quoted snapshot schema."""

from sqlalchemy import text

# Of public questions alone: what is told of single answers would tell hidden gold. The version and each answer's score
# are looked up, so that no join reads all questions or all scores that there are.
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
cross join lateral (
    select
        found.outcome,
        found.parsed
    from score as found
    where
        found.prediction_id = prediction.id
        and found.profile = :profile
        and found.gold_key = 'default'
        and found.scorer_version = cast(cast(:scorers as jsonb) ->> question.scorer as int)
    offset 0
) as score
where
    prediction.run_id = :run_id
    and prediction.version_id = (select run.version_id from run where run.id = :run_id)
    and prediction.state = 'answered'
    and question.split = 'public'
    and question.scorer = any(cast(:diagnosed as text[]))
    and gold.kind = 'value'
order by prediction.id
""")

DELETE_DIAGNOSES = text("""
delete from score
where
    profile = :diagnosis
    and scorer_version = :version
    and prediction_id = any(array(select prediction.id from prediction where prediction.run_id = :run_id))
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
