"""The statements behind one question's page: its proof, its neighbours, what was answered, and its map."""

from sqlalchemy import text

MOST_ANSWERS = 300
MOST_OBJECTS = 300
"""Answers that are listed; objects, and shapes of a layer, that are drawn."""

PLACE = text("""
select
    question.position,
    template.header ->> 'title' as title,
    template.header,
    (
        select other.id
        from question as other
        where
            other.version_id = question.version_id
            and other.position < question.position
        order by other.position desc
        limit 1
    ) as before,
    (
        select other.id
        from question as other
        where
            other.version_id = question.version_id
            and other.position > question.position
        order by other.position
        limit 1
    ) as after
from question
inner join template on question.template_id = template.id
where
    question.version_id = :version_id
    and question.id = :question_id
""")

# Of hidden questions the api role sees neither of these.

PROOF = text("""
select
    proof.kind,
    proof.sql,
    proof.binds,
    proof.derive,
    proof.parameters,
    proof.snapshots,
    proof.evidence,
    proof.margin,
    proof.distractors,
    proof.second_path
from proof
where
    proof.version_id = :version_id
    and proof.question_id = :question_id
""")

ANSWERS = text("""
select
    run.id as run,
    run.label as name,
    run.solver,
    run.status,
    prediction.repeat,
    prediction.rotation,
    prediction.state,
    prediction.answer,
    prediction.error,
    judged.outcome,
    judged.value,
    diagnosed.parsed as diagnosis
from prediction
inner join run on prediction.run_id = run.id
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
left join lateral (
    select
        score.outcome,
        score.value
    from score
    where
        score.prediction_id = prediction.id
        and score.profile = :profile
        and score.scorer_version = cast(cast(:scorers as jsonb) ->> question.scorer as int)
    order by score.gold_key
    limit 1
) as judged on true
left join score as diagnosed
    on
        prediction.id = diagnosed.prediction_id
        and diagnosed.profile = :diagnosis
        and diagnosed.scorer_version = :diagnosis_version
where
    prediction.version_id = :version_id
    and prediction.question_id = :question_id
    and run.status <> 'cancelled'
    and run.kind = 'answers'
order by run.id desc, prediction.repeat, prediction.rotation
limit :most
""")

MAP = text("""
select
    drawn.part,
    drawn.layer,
    drawn.osm_key,
    drawn.name,
    drawn.class,
    st_asgeojson(drawn.geom, 6) as shape,
    st_x(st_pointonsurface(drawn.geom)) as lon,
    st_y(st_pointonsurface(drawn.geom)) as lat,
    st_dimension(drawn.geom) as dimension
from map_of_question(:version_id, :question_id, :most) as drawn
""")
