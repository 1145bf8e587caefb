"""The statement of the traits of questions; it reads proofs, so it needs the worker's role or a maintainer's."""

from sqlalchemy import text

# A parameter is an object's key, alone, in a list, or before further words: `n24`, `["w1", "w2"]`, `w12 operator`.

PLACE = """coalesce(
        proof.parameters ->> 'user',
        substring(cast(proof.parameters as text) from '"([nwr][0-9]+)[ "]')
    ) as place"""
"""Where the user of a question is, else the first object that its parameters name, of its proof; null without both."""

CONTEXT_ENDS = (250, 500, 750, 1000, 1500)
"""Words up to which contexts are taken together."""
CONTEXT_RANGE = f"width_bucket(context.words, array{[end + 1 for end in CONTEXT_ENDS]})"
"""In which of these ranges a context's length is, from 0 on; null of a question without one."""
WITH_CONTEXT = r"""
left join lateral (
    select sum(regexp_count(part.value ->> 'document', '\S+')) as words
    from jsonb_array_elements(question.prompt) as part
    where part.value ->> 'type' = 'context'
) as context on true"""

ZOOM = "nullif(split_part(proof.parameters ->> 'frame', ',', 3), '')"
"""The zoom of a picture, of the frame that its question's proof names: `9.52,47.14,16,800,600`; null without one."""

_OF_STATIONS = "case when question.answer_type = 'destinations' then gold.value end"
TIER = f"{_OF_STATIONS} ->> 'tier'"
"""The tier of a question about stations: 10, 20 or none; null of others, and where gold is not read."""
DENSITY = f"{_OF_STATIONS} ->> 'density'"
"""How dense the surroundings of the user of such a question are; null where it is not told."""

TRAITS = text(f"""
select
    question.id,
    question.template,
    question.answer_type,
    question.register,
    question.split = 'hidden' as hidden,
    template.header ->> 'dimension' as dimension,
    template.header ->> 'strategy' as strategy,
    snapshot.name as city,
    snapshot.data_timestamp,
    gold.kind as gold_kind,
    question_recheck.is_flagged,
    template.benchmark,
    jsonb_array_length(question.options) as options,
    {CONTEXT_RANGE} as context_range,
    proof.parameters ->> 'kind' as told_kind,
    {ZOOM} as zoom,
    {TIER} as tier,
    {DENSITY} as density,
    {PLACE}
from question
inner join template on question.template_id = template.id
left join snapshot on question.snapshot_id = snapshot.id
left join proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
left join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
left join question_recheck
    on
        question.version_id = question_recheck.version_id
        and question.id = question_recheck.question_id
{WITH_CONTEXT}
where question.version_id = :version_id
order by question.position
""")
