"""The statements of drafts. Values by binds."""

_DRAFT = """
select
    draft.id,
    draft.benchmark,
    draft.dataset,
    draft.snapshot_id,
    snapshot.name as snapshot_name,
    snapshot.data_timestamp,
    draft.author_id,
    draft.revision,
    draft.state,
    draft.class,
    draft.dimension,
    draft.question,
    draft.options,
    draft.key,
    draft.content_hash,
    draft.changed_at
from trigpoint.draft
inner join trigpoint.snapshot on draft.snapshot_id = snapshot.id
"""

DRAFT = (
    _DRAFT
    + """
where draft.id = %(id)s
"""
)

DRAFT_FOR_UPDATE = (
    _DRAFT
    + """
where draft.id = %(id)s
for update of draft
"""
)

DRAFTS = (
    _DRAFT
    + """
where %(dataset)s::text is null or draft.dataset = %(dataset)s
order by draft.dataset, draft.created_at, draft.id
"""
)

EVIDENCE = """
select
    draft_evidence.id,
    draft_evidence.draft_id,
    draft_evidence.tool,
    draft_evidence.arguments,
    draft_evidence.snapshot_id,
    draft_evidence.tools_version,
    draft_evidence.result_hash,
    draft_evidence.lines,
    draft_evidence.newer
from trigpoint.draft_evidence
where
    draft_evidence.draft_id = any(%(ids)s::text[])
    and draft_evidence.removed_at is null
order by draft_evidence.draft_id, draft_evidence.id
"""

ANSWERS = """
select
    draft_answer.draft_id,
    draft_answer.kind,
    draft_answer.content_hash,
    draft_answer.author_key,
    draft_answer.key_id,
    draft_answer.choice,
    draft_answer.note,
    draft_answer.answered_at
from trigpoint.draft_answer
where draft_answer.draft_id = any(%(ids)s::text[])
order by draft_answer.draft_id, draft_answer.id
"""

NAMES = """
select
    api_key.id,
    api_key.name
from trigpoint.api_key
where api_key.id = any(%(ids)s::bigint[])
"""

LOCK_DATASET = "select pg_advisory_xact_lock(hashtext('trigpoint drafts'), hashtext(%(dataset)s))"

OTHER_MAP = """
select
    snapshot.name as snapshot_name,
    snapshot.data_timestamp,
    draft.benchmark
from trigpoint.draft
inner join trigpoint.snapshot on draft.snapshot_id = snapshot.id
where
    draft.dataset = %(dataset)s
    and draft.state <> 'dropped'
    and (draft.snapshot_id <> %(snapshot_id)s or draft.benchmark <> %(benchmark)s)
limit 1
"""

FOREIGN_DATASET = """
select dataset.benchmark
from trigpoint.dataset
where
    dataset.name = %(dataset)s
    and not exists (
        select 1
        from trigpoint.dataset_version
        where
            dataset_version.dataset_id = dataset.id
            and dataset_version.recipe ? 'written'
    )
"""

INSERT_DRAFT = """
insert into trigpoint.draft (id, benchmark, dataset, snapshot_id, author_id, class, created_at, changed_at)
values (%(id)s, %(benchmark)s, %(dataset)s, %(snapshot_id)s, %(author_id)s, %(class)s, %(now)s, %(now)s)
"""

SAVE = """
update trigpoint.draft
set
    class = %(class)s,
    dimension = %(dimension)s,
    question = %(question)s,
    options = %(options)s,
    key = %(key)s,
    revision = revision + 1,
    changed_at = %(now)s
where id = %(id)s
"""

SET_STATE = """
update trigpoint.draft
set
    state = %(state)s,
    content_hash = %(content_hash)s,
    key = %(key)s,
    revision = revision + 1,
    changed_at = %(now)s
where id = %(id)s
"""

TOUCH = """
update trigpoint.draft
set
    revision = revision + 1,
    changed_at = %(now)s
where id = %(id)s
"""

INSERT_EVIDENCE = """
insert into trigpoint.draft_evidence (
    draft_id, tool, arguments, snapshot_id, tools_version, result_hash, lines, pinned_at
)
values (
    %(draft_id)s,
    %(tool)s,
    %(arguments)s,
    %(snapshot_id)s,
    %(tools_version)s,
    %(result_hash)s,
    %(lines)s,
    %(now)s
)
"""

REMOVE_EVIDENCE = """
update trigpoint.draft_evidence
set removed_at = %(now)s
where
    draft_id = %(draft_id)s
    and id = %(id)s
    and removed_at is null
returning id
"""

TAKE_NEWER = """
update trigpoint.draft_evidence
set
    snapshot_id = (newer ->> 'snapshot_id')::bigint,
    tools_version = (newer ->> 'tools_version')::int,
    result_hash = newer ->> 'result_hash',
    lines = newer -> 'lines',
    newer = null
where
    draft_id = %(draft_id)s
    and removed_at is null
    and newer ->> 'fault' is null
    and newer is not null
"""

REMOVE_FAULTY = """
update trigpoint.draft_evidence
set removed_at = %(now)s
where
    draft_id = %(draft_id)s
    and removed_at is null
    and newer ->> 'fault' is not null
"""

INSERT_ANSWER = """
insert into trigpoint.draft_answer (
    draft_id, kind, content_hash, author_key, key_id, choice, note, answered_at
)
values (
    %(draft_id)s,
    %(kind)s,
    %(content_hash)s,
    %(author_key)s,
    %(key_id)s,
    %(choice)s,
    %(note)s,
    %(now)s
)
"""

SAME_RESULT = """
update trigpoint.draft_evidence
set
    snapshot_id = %(snapshot_id)s,
    tools_version = %(tools_version)s,
    newer = null
where id = %(id)s
"""

OTHER_RESULT = """
update trigpoint.draft_evidence
set newer = %(newer)s
where id = %(id)s
"""

MOVE_DRAFT = """
update trigpoint.draft
set
    snapshot_id = %(snapshot_id)s,
    state = case when %(is_flagged)s then 'flagged' else state end,
    revision = revision + 1,
    changed_at = %(now)s
where id = %(id)s
"""

VERSIONS = """
select
    dataset.name,
    dataset_version.number,
    dataset_version.published_at,
    (
        select count(*)
        from trigpoint.question
        where question.version_id = dataset_version.id
    ) as questions
from trigpoint.dataset_version
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
where
    dataset_version.state = 'published'
    and dataset_version.recipe ? 'written'
order by dataset.name, dataset_version.number desc
"""

WRITTEN = """
select
    question.id,
    question.template,
    question.variant,
    question.prompt,
    question.options,
    question.prompt_hash,
    question.revision,
    question.snapshot_id,
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

TEMPLATE_IDS = """
select
    template.body_hash,
    template.id
from trigpoint.template
where
    template.benchmark = %(benchmark)s
    and template.version = 0
    and template.body_hash = any(%(hashes)s::text[])
"""

INSERT_LINEAGE = """
insert into trigpoint.lineage (
    to_version_id, to_question_id, from_version_id, from_question_id, outcome, reason
)
select
    %(to_version_id)s,
    there.id,
    case when before.id is not null then %(from_version_id)s::bigint end,
    before.id,
    case
        when before.id is null then 'added'
        when there.id is null then 'retired'
        when there.revision = before.revision then 'kept'
        else 'updated'
    end,
    case when there.id is null then %(reason)s end
from (
    select
        question.id,
        question.revision
    from trigpoint.question
    where question.version_id = %(from_version_id)s
) as before
full join (
    select
        question.id,
        question.revision
    from trigpoint.question
    where question.version_id = %(to_version_id)s
) as there on before.id = there.id
"""
