"""The statements that find and keep secrets of data sets. Values by binds."""

FIND = """
select dataset_secret.secret
from trigpoint.dataset_secret
inner join trigpoint.dataset on dataset_secret.dataset_id = dataset.id
where dataset.name = %(name)s
"""

HAS_DRAWN = """
select
    exists (
        select 1
        from trigpoint.dataset_version
        inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
        where
            dataset.name = %(name)s
            and dataset_version.recipe @> '{"secret_draws": true}'
    )
"""

KEEP = """
insert into trigpoint.dataset_secret (dataset_id, secret, created_at)
select
    dataset.id,
    %(secret)s,
    %(now)s
from trigpoint.dataset
where dataset.name = %(name)s
on conflict (dataset_id) do nothing
"""
