"""The statements that tell how many objects two maps share.

Values by binds; schema names are quoted by app.db.naming.
"""

from collections.abc import Collection

from app.db.naming import quoted
from app.questions.refresh.queries import LAYERS

DEGREES_NEAR = 0.001
"""About a hundred metres: so near do the boxes of an object lie that is still the same."""

COMMON = """
select
    comparison.old_id as first_id,
    comparison.new_id as second_id,
    sum((figures.of_class ->> 'old')::bigint)::bigint as first,
    sum((figures.of_class ->> 'new')::bigint)::bigint as second,
    sum((figures.of_class ->> 'old')::bigint - (figures.of_class ->> 'removed')::bigint)::bigint as common
from trigpoint.snapshot_comparison as comparison
cross join jsonb_each(comparison.counts) as layer (name, classes)
cross join jsonb_each(layer.classes) as figures (class, of_class)
where
    comparison.id = %(comparison_id)s
    and layer.name not in ('road_edge', 'turn_restriction', 'road_barrier')
group by comparison.id
"""
"""Objects of the two maps that were compared, and those of which both have the id. The road network is made of ways
that are counted as roads, and its edges have ids of our own."""


def found_again(old: str, new: str, layers: Collection[str]) -> str:
    """Of objects of the old map that questions stand on: how many there are, and how many the new map has near."""

    def of(schema: str) -> str:
        return "\nunion all\n".join(
            f"select thing.osm_key, thing.name, thing.geom from {quoted(schema)}.{layer} as thing"
            " inner join standing on thing.osm_key = standing.osm_key"
            for layer in LAYERS
            if layer in layers
        )

    return f"""
with standing as materialized (
    select distinct unnest(footprint.osm_keys) as osm_key
    from trigpoint.footprint
    inner join trigpoint.question
        on footprint.version_id = question.version_id and footprint.question_id = question.id
    where footprint.version_id = %(version_id)s and question.snapshot_id = %(snapshot_id)s
),

before as ({of(old)}),

after as ({of(new)})

select
    count(distinct before.osm_key) as asked,
    count(distinct before.osm_key) filter (where after.osm_key is not null) as found
from before
left join after
    on
        before.osm_key = after.osm_key
        and before.name is not distinct from after.name
        and before.geom && st_expand(after.geom, {DEGREES_NEAR})
"""
