"""The statements of report cards. The time is always the bind `now`."""

from sqlalchemy import text

FIND = text("""
select id
from report_card
where request_hash = :request_hash
""")

INSERT = text("""
insert into report_card (name, request_hash, suite, suite_hash, definition, endpoint, judge, snapshot, created_at)
values (
    :name, :request_hash, :suite, :suite_hash, cast(:definition as jsonb), :endpoint, :judge, :snapshot, :now
)
on conflict (request_hash) do nothing
returning id
""")

INSERT_ENTRIES = text("""
insert into report_card_entry (card_id, key, place, benchmark, solver, tool_set)
values (:card_id, :key, :place, :benchmark, :solver, :tool_set)
""")

# The record of its endpoint may be called otherwise now; a judge that was named before stays if none is named.

GO_ON = text("""
update report_card
set
    name = :name,
    endpoint = :endpoint,
    judge = coalesce(cast(:judge as text), judge)
where id = :card_id
""")

SET_VERSION = text("""
update report_card_entry
set
    version_id = :version_id,
    run_id = case when version_id = :version_id then run_id end,
    left_out = null
where
    card_id = :card_id
    and key = :key
""")

LEAVE_OUT = text("""
update report_card_entry
set
    left_out = :reason,
    run_id = null
where
    card_id = :card_id
    and key = :key
""")

SET_RUN = text("""
update report_card_entry
set
    run_id = :run_id,
    left_out = null
where
    card_id = :card_id
    and key = :key
""")

SET_STATE = text("""
update report_card
set
    state = :state,
    error = null
where id = :card_id
""")

SET_ERROR = text("""
update report_card
set error = :error
where id = :card_id
""")

_CARD = """
select
    id,
    name,
    suite,
    suite_hash,
    definition,
    endpoint,
    judge,
    snapshot,
    state,
    error,
    created_at
from report_card
"""

READ = text(
    _CARD
    + """
where id = :card_id
"""
)

LIST = text(
    _CARD
    + """
where id < :before
order by id desc
limit :limit
"""
)

ENTRIES = text("""
select
    report_card_entry.card_id,
    report_card_entry.key,
    report_card_entry.benchmark,
    report_card_entry.solver,
    report_card_entry.tool_set,
    report_card_entry.version_id,
    dataset.name as dataset,
    dataset_version.number as version,
    dataset_version.templates,
    report_card_entry.run_id,
    run.status,
    run_standing.run_id is not null as is_scored,
    report_card_entry.left_out
from report_card_entry
left join dataset_version on report_card_entry.version_id = dataset_version.id
left join dataset on dataset_version.dataset_id = dataset.id
left join run on report_card_entry.run_id = run.id
left join run_standing
    on
        run.id = run_standing.run_id
        and run_standing.profile = 'trigpoint'
where report_card_entry.card_id = any(:card_ids)
order by report_card_entry.card_id, report_card_entry.place
""")
