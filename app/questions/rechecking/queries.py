"""The statements of rechecked keys. Values by binds."""

QUESTIONS = """
select
    question.id,
    question.template,
    question.prompt,
    question.options,
    gold.value as gold,
    gold.kind as gold_kind,
    proof.parameters
from trigpoint.question
inner join trigpoint.gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
inner join trigpoint.proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
where question.version_id = %(version_id)s
order by question.position
"""

FORGET = """
delete from trigpoint.question_recheck
where version_id = %(version_id)s
"""

FINDINGS = """
select
    question_id,
    verdict,
    check_name,
    working,
    fault
from trigpoint.question_recheck
where version_id = %(version_id)s
"""

STORED = """
select
    question_recheck.question_id as id,
    proof.parameters ->> 'question' as key,
    question.template,
    question_recheck.verdict,
    question_recheck.check_name as check,
    question_recheck.working,
    question_recheck.fault,
    question_recheck.is_flagged as flagged,
    question_recheck.checked_at
from trigpoint.question_recheck
inner join trigpoint.question
    on
        question_recheck.version_id = question.version_id
        and question_recheck.question_id = question.id
left join trigpoint.proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
where question_recheck.version_id = %(version_id)s
order by question.position
"""

FORGET_ON_MAP = """
delete from trigpoint.question_on_map
where
    version_id = %(version_id)s
    and snapshot = %(snapshot)s
"""

STORED_ON_MAPS = """
select
    question_on_map.snapshot,
    question_on_map.question_id as id,
    proof.parameters ->> 'question' as key,
    question.template,
    question_on_map.outcome,
    question_on_map.working,
    question_on_map.checked_at
from trigpoint.question_on_map
inner join trigpoint.question
    on
        question_on_map.version_id = question.version_id
        and question_on_map.question_id = question.id
left join trigpoint.proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
where question_on_map.version_id = %(version_id)s
order by question_on_map.snapshot, question.position
"""

IS_RECHECKED = """
select exists (
    select 1
    from trigpoint.question_recheck
    where version_id = %(version_id)s
)
"""

FORGET_EXPECTATIONS = """
delete from trigpoint.expectation
where version_id = %(version_id)s
"""

FORGET_GROUPS = """
delete from trigpoint.board_aggregate
where
    version_id = %(version_id)s
    and scope like 'recheck:%%'
"""

UNGROUPED_RUNS = """
select run.id
from trigpoint.run
where
    run.version_id = %(version_id)s
    and run.status = 'complete'
    and not exists (
        select 1
        from trigpoint.board_aggregate
        where
            board_aggregate.run_id = run.id
            and board_aggregate.scope like 'recheck:%%'
    )
order by run.id
"""
