"""Reviews: every statement. Gold is read for public questions only, unless the binds say otherwise."""

LISTED = """
select
    question.id,
    question.template,
    question.split,
    snapshot.name as snapshot,
    snapshot.data_timestamp
from trigpoint.question
left join trigpoint.snapshot on question.snapshot_id = snapshot.id
where question.version_id = %(version_id)s
order by question.position
"""

SHOWN = """
select
    question.id,
    question.template,
    question.split,
    question.prompt,
    question.options,
    snapshot.name as snapshot,
    snapshot.data_timestamp,
    case
        when gold.kind = 'unanswerable' then gold.value || '{"unanswerable": true}'
        else gold.value
    end as gold
from trigpoint.question
left join trigpoint.snapshot on question.snapshot_id = snapshot.id
left join trigpoint.gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
        and (
            (%(with_gold)s and question.split = 'public')
            or (%(with_hidden)s and question.split = 'hidden')
        )
where question.version_id = %(version_id)s and question.id = any(%(ids)s::text[])
order by question.position
"""

LOCK_REVIEW = "select pg_advisory_xact_lock(hashtextextended('trigpoint review', %(version_id)s))"

SAMPLE = "select seed, size from trigpoint.review_sample where version_id = %(version_id)s"

WRITE_SAMPLE = """
insert into trigpoint.review_sample (version_id, seed, size) values (%(version_id)s, %(seed)s, %(size)s)
"""

WRITE_SAMPLED = """
insert into trigpoint.review_question (version_id, question_id)
select %(version_id)s, id from unnest(%(ids)s::text[]) as id
"""

CURRENT_MARKS = """
select
    review_current.question_id,
    review_current.reviewer,
    review_current.mark,
    review_current.note,
    question.template
from trigpoint.review_current
inner join trigpoint.question
    on review_current.version_id = question.version_id and review_current.question_id = question.id
where review_current.version_id = %(version_id)s
order by question.position, review_current.reviewer
"""

WRITE_MARK = """
insert into trigpoint.review_mark (version_id, question_id, reviewer, mark, note, loaded_at)
values (%(version_id)s, %(question_id)s, %(reviewer)s, %(mark)s, %(note)s, %(loaded_at)s)
"""

TEMPLATES = """
select seed, size, template, questions, sampled, marked, wrong, ambiguous_or_wrong
from trigpoint.review_template
where version_id = %(version_id)s
order by template
"""

REVIEWERS = """
select number, natural_marks, ambiguous_marks, wrong_marks
from trigpoint.review_reviewer
where version_id = %(version_id)s
order by number
"""

PAIRS = """
select first_number, second_number, first_mark, second_mark, questions
from trigpoint.review_pair
where version_id = %(version_id)s
order by first_number, second_number, first_mark, second_mark
"""
