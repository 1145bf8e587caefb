"""The statement of churn: a function counts, since the api role reads no lineage."""

from sqlalchemy import text

CHURN = text("""
select
    version,
    from_version,
    map,
    old_map,
    new_map,
    template,
    outcome,
    reason,
    number
from churn_of(:dataset)
order by version, map, template, outcome, reason
""")
