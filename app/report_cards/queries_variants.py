"""The statements that find which questions of an entry a variant asks: public ones alone."""

from sqlalchemy import text

CHANGED = text("""
select
    question.id,
    question.template,
    1 as answers
from question
inner join question as usual
    on
        question.id = usual.id
        and usual.version_id = :usual
where
    question.version_id = :version_id
    and question.split = 'public'
    and usual.split = 'public'
    and question.prompt_hash <> usual.prompt_hash
order by question.position
""")

WITH_OPTIONS = text("""
select
    question.id,
    question.template,
    jsonb_array_length(question.options) as answers
from question
where
    question.version_id = :version_id
    and question.split = 'public'
    and jsonb_array_length(question.options) > 1
order by question.position
""")
