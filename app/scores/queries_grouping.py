"""The statement of the traits of questions; it reads proofs, so it needs the worker's role or a maintainer's."""

from sqlalchemy import text

# A parameter is an object's key, alone, in a list, or before further words: `n24`, `["w1", "w2"]`, `w12 operator`.

PLACE = """substring(cast(proof.parameters as text) from '"([nwr][0-9]+)[ "]') as place"""
"""The first object that a question's parameters name, of its proof; null without one."""

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
where question.version_id = :version_id
order by question.position
""")
