"""The statements of data sets that others published. Values by binds."""

IMPORTED = """
select
    imported_dataset.opened_at
from trigpoint.imported_dataset
inner join trigpoint.dataset on imported_dataset.dataset_id = dataset.id
where dataset.name = %(name)s
"""

ALL_IMPORTED = """
select
    dataset.name as dataset,
    dataset_version.number as version,
    dataset.benchmark,
    imported_dataset.format,
    dataset_version.licence ->> 'name' as stated_licence,
    imported_dataset.notes,
    dataset.created_at as loaded_at,
    imported_dataset.opened_at,
    imported_dataset.opened_under,
    (
        select count(*)
        from trigpoint.question
        where question.version_id = dataset_version.id
    ) as questions
from trigpoint.imported_dataset
inner join trigpoint.dataset on imported_dataset.dataset_id = dataset.id
inner join trigpoint.dataset_version on dataset.id = dataset_version.dataset_id
where
    dataset_version.state = 'published'
    and (%(name)s::text is null or dataset.name = %(name)s)
order by dataset.name, dataset_version.number
"""

INSERT_IMPORTED = """
insert into trigpoint.imported_dataset (dataset_id, format, notes)
select
    dataset.id,
    %(format)s,
    %(notes)s
from trigpoint.dataset
where dataset.name = %(name)s
"""

OPEN = """
update trigpoint.imported_dataset
set
    opened_at = %(now)s,
    opened_under = %(licence)s
from trigpoint.dataset
where
    imported_dataset.dataset_id = dataset.id
    and dataset.name = %(name)s
    and imported_dataset.opened_at is null
returning imported_dataset.dataset_id
"""

IMPORTED_TEMPLATE_IDS = """
select
    template.name,
    template.id
from trigpoint.template
where
    template.benchmark = %(benchmark)s
    and template.version = 0
    and template.body_hash = any(%(hashes)s::text[])
"""
