"""The statements of the refresh that read a version's questions, and whether what they stand on is as it was.

Values by binds; schema names are quoted by app.db.naming. Every statement is for all questions of one map at once.
"""

from collections.abc import Sequence

from app.db.naming import quoted
from app.questions.queries import RECORD_COLUMNS, RECORD_FURTHER, RECORD_TABLES

LAYERS = ("poi", "park", "water", "road", "region", "aoi", "address", "other_place")
"""Those with a content hash."""

ON_MAP = "\nunion\n".join(
    f"select osm_key from {layer} where osm_key = any(%(osm_keys)s)" for layer in (*LAYERS, "reject")
)
"""Which of these objects any layer of the map in the search path has, or left out for a reason."""

RECORDS = f"""
select
{RECORD_COLUMNS},
    (
        select string_agg(concat_ws(' ', told.item ->> 'layer', told.item ->> 'osm_key'), ' ' order by told.number)
        from jsonb_array_elements(proof.evidence) with ordinality as told (item, number)
    ) as stood_on,
    encode(st_asewkb(footprint.area), 'hex') as area,
    footprint.classes,
    footprint.osm_keys,
    footprint.name_keys,
    footprint.fact_ids,
    footprint.uses_outline
{RECORD_TABLES}
{RECORD_FURTHER}
inner join trigpoint.footprint
    on
        question.version_id = footprint.version_id
        and question.id = footprint.question_id
where
    question.version_id = %(version_id)s
    and question.id = any(%(ids)s)
order by question.position
"""
"""Some questions with what proves them; `stood_on` names layer and key of each object, in turn."""

ASKED = f"""
select
    question.id,
    question.position,
    question.template,
    question.snapshot_id,
    case when question.template = any(%(reading)s) then question.prompt #>> '{{0,text}}' end as text,
    coalesce(jsonb_array_length(question.options), 0) as shown,
    case when question.template = any(%(offering)s) then question.options end as options,
    proof.parameters,
    case
        when question.template = any(%(measured)s)
            then jsonb_build_object(
                'nearest', proof.second_path #> '{{facts,nearest}}',
                'second', proof.second_path #> '{{facts,second}}'
            )
        when question.template = any(%(with_margin)s) then proof.margin
        else '{{}}'
    end as facts,
    case
        when question.template = any(%(selective)s)
            then
                coalesce(jsonb_array_length(gold.value -> 'objects'), 0)
                + coalesce(jsonb_array_length(gold.value -> 'tolerated'), 0)
        else 0
    end as answers,
    footprint.classes,
    footprint.osm_keys,
    footprint.name_keys,
    footprint.uses_outline,
    question.register,
    coalesce(proof.readings, '{{}}') as readings
{RECORD_TABLES}
inner join trigpoint.footprint
    on
        question.version_id = footprint.version_id
        and question.id = footprint.question_id
where question.version_id = %(version_id)s
order by question.position
"""
"""Every question as far as it must be known to tell whether a change of the map could change it.

Binds name the templates of which more must be known than the parameters.
"""


def newer_objects(old: str, new: str, layers: Sequence[str]) -> str:
    """Objects that evidence tells otherwise on the new map: of another version, or of other content."""
    return "\nunion all\n".join(
        f"""
select
    '{layer}' as layer,
    osm_key,
    new.osm_version as version,
    new.content_hash
from {quoted(old)}.{layer} as old
inner join {quoted(new)}.{layer} as new using (osm_key)
where (old.content_hash, old.osm_version) is distinct from (new.content_hash, new.osm_version)
"""
        for layer in LAYERS
        if layer in layers
    )


def come_or_changed(old: str, new: str, layers: Sequence[str]) -> str:
    """Objects of the new map that the old one has not, or of other content."""
    return "\nunion all\n".join(
        f"""
select
    '{layer}' as layer,
    new.osm_key
from {quoted(new)}.{layer} as new
left join {quoted(old)}.{layer} as old on new.osm_key = old.osm_key
where old.content_hash is distinct from new.content_hash
"""
        for layer in LAYERS
        if layer in layers
    )


_SAID = {
    "poi": "name, class, classes, street, housenumber, suburb, city, postcode, repaired",
    "aoi": "name, class, tags -> 'addr:street', tags -> 'addr:place', tags -> 'addr:housenumber',"
    " tags -> 'addr:suburb', tags -> 'addr:city', tags -> 'addr:postcode', repaired",
    "road": "name, class, drivable, repaired",
}


def unchanged_words(layer: str, old: str, new: str) -> str:
    """Those of `osm_keys` of which all that an option can say is the same on both maps; whether they are in place."""

    def said(side: str) -> str:
        return ", ".join(f"{side}.{column}" for column in _SAID[layer].split(", "))

    return f"""
select
    old.osm_key,
    st_asbinary(old.geom) = st_asbinary(new.geom) as in_place
from {quoted(old)}.{layer} as old
inner join {quoted(new)}.{layer} as new on old.osm_key = new.osm_key
where
    old.osm_key = any(%(osm_keys)s)
    and ({said("old")}) is not distinct from ({said("new")})
"""
