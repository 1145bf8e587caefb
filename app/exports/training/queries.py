"""The statement that tells which questions must stay out of training data."""

HIDDEN_ANYWHERE = """
select distinct question.id
from trigpoint.question
inner join trigpoint.dataset_version on question.version_id = dataset_version.id
where
    question.id = any(%(ids)s)
    and question.split = 'hidden'
    and dataset_version.state = 'published'
"""
"""Which of these questions are hidden in any published version."""

SHARED_GROUND = """
select
    snapshot.name as region,
    other.name as other
from trigpoint.snapshot
inner join trigpoint.snapshot as other
    on
        snapshot.name <> other.name
        and st_intersects(snapshot.outline, other.outline)
        and not st_touches(snapshot.outline, other.outline)
where
    snapshot.name = any(%(regions)s)
    and other.name = any(%(regions)s)
group by snapshot.name, other.name
order by snapshot.name, other.name
"""
"""The regions among these, maps of one name each, whose outlines share ground."""
