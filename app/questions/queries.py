"""SQL of the questions stage besides the templates; unqualified layers are those of the snapshot in the path."""

SNAPSHOTS = """
select
    snapshot.id,
    snapshot.name,
    snapshot.schema_name,
    snapshot.checksum,
    snapshot.data_timestamp,
    encode(st_asbinary(snapshot.outline), 'hex') as outline,
    snapshot.outline_source,
    snapshot.layers,
    snapshot.layer_schema_version
from trigpoint.snapshot
where
    snapshot.state = 'published'
order by snapshot.data_timestamp desc nulls last, snapshot.id desc
"""

PIN_SNAPSHOTS = """
select pg_advisory_xact_lock_shared(trigpoint.snapshot_lock(id)) from unnest(%(ids)s::bigint[]) as id
"""
"""Whoever drops a snapshot needs the same lock for itself alone."""

LOST_SNAPSHOTS = """
select
    snapshot.name,
    snapshot.data_timestamp,
    snapshot.state
from (
    select question.snapshot_id
    from trigpoint.question
    where question.version_id = %(version_id)s
    union
    select question_snapshot.snapshot_id
    from trigpoint.question_snapshot
    where question_snapshot.version_id = %(version_id)s
) as stood_on
inner join trigpoint.snapshot on stood_on.snapshot_id = snapshot.id
where snapshot.state <> 'published'
order by snapshot.name, snapshot.data_timestamp
"""
"""Maps that a version stands on and that nobody can read any more."""

_OUTLINE = """
with given as (
    select st_geomfromwkb(decode(%(outline)s, 'hex'), 4326) as geom
),
seam as (
    select
        st_intersection(
            st_intersection(given.geom, st_setsrid(st_makeline(st_point(180, -90), st_point(180, 90)), 4326)),
            st_translate(
                st_intersection(given.geom, st_setsrid(st_makeline(st_point(-180, -90), st_point(-180, 90)), 4326)),
                360,
                0
            )
        ) as geom
    from given
    where st_xmin(given.geom) = -180 and st_xmax(given.geom) = 180
),
outline as materialized (
    select
        given.geom,
        case
            when seam.geom is null or st_isempty(seam.geom) then st_boundary(st_segmentize(given.geom, 0.01))
            else st_difference(
                st_boundary(st_segmentize(given.geom, 0.01)),
                st_union(seam.geom, st_translate(seam.geom, -360, 0))
            )
        end::geography as edge
    from given
    left join seam on true
)
"""
"""The outline as `geom`, and its `edge` on the spheroid.

Edges of an outline are straight in lon/lat: a box's long edge, taken as a geodesic, would run kilometres off. Where it
goes over the antimeridian it is stored in parts, and the seam between them is no edge.
"""

ROOM_AROUND = f"""{_OUTLINE}
select
    poi.osm_key,
    st_covers(outline.geom, poi.geom) as inside,
    st_distance(outline.edge, poi.geog) as room
from poi
cross join outline
where poi.osm_key = any(%(osm_keys)s)
"""
"""For anchors: whether they lie inside the outline, and how far its boundary is, in metres."""

ROOM_AROUND_POINTS = f"""{_OUTLINE}
select
    st_covers(outline.geom, spot.geom) as inside,
    st_distance(outline.edge, spot.geom::geography) as room
from (
    select
        asked.place,
        st_setsrid(st_point(asked.lon, asked.lat), 4326) as geom
    from unnest(
        %(lons)s::double precision[], %(lats)s::double precision[]
    ) with ordinality as asked (lon, lat, place)
) as spot
cross join outline
order by spot.place
"""
"""The same for points, in their order."""

CIRCLES = """
select encode(st_asewkb(st_buffer(poi.geog, asked.radius)::geometry), 'hex') as area
from unnest(%(osm_keys)s::text[], %(radii)s::double precision[]) with ordinality as asked (osm_key, radius, place)
inner join poi on poi.osm_key = asked.osm_key
order by asked.place
"""
"""The ground that questions around a place look at."""

POINTS = {
    layer: f"""
select
    {layer}.osm_key,
    st_x(inner_point.geom) as lon,
    st_y(inner_point.geom) as lat
from {layer}
cross join lateral st_pointonsurface({layer}.geom::geometry) as inner_point (geom)
"""
    for layer in ("poi", "aoi")
}
"""A point of each object of a layer: of an area, one inside it."""

POINT_CIRCLES = """
select
    encode(
        st_asewkb(st_buffer(st_setsrid(st_point(asked.lon, asked.lat), 4326)::geography, asked.radius)::geometry), 'hex'
    ) as area
from
    unnest(%(lons)s::double precision[], %(lats)s::double precision[], %(radii)s::double precision[])
    with ordinality as asked (lon, lat, radius, place)
order by asked.place
"""
"""The ground that questions around a point look at."""

UNIONS = {
    layer: f"""
select encode(st_asewkb(st_union({layer}.geom order by {layer}.osm_key)), 'hex') as area
from unnest(%(osm_keys)s::text[]) with ordinality as asked (osm_keys, place)
inner join {layer} on {layer}.osm_key = any(string_to_array(asked.osm_keys, ','))
group by asked.place
order by asked.place
"""
    for layer in ("poi", "road", "region", "aoi")
}
"""The ground of the objects themselves, by layer."""

EVIDENCE = {
    layer: f"""
select
    {layer}.osm_key,
    {layer}.osm_version,
    {layer}.content_hash
from {layer}
where {layer}.osm_key = any(%(osm_keys)s)
"""
    for layer in ("poi", "park", "water", "road", "region", "aoi", "address", "other_place")
}
"""Version and content of objects, by layer."""

NAMED = {
    layer: f"""
select
    {layer}.osm_key,
    {layer}.name,
    (select count(*) from jsonb_object_keys({layer}.tags)) as tags,
    {layer}.tags ->> 'wikidata' is not null as wikidata
from {layer}
where
    {layer}.osm_key = any(%(osm_keys)s)
    and {layer}.name is not null
"""
    for layer in ("poi", "road", "region", "aoi")
}
"""Names of objects and how well known they are, by layer."""

ENGLISH = {
    layer: f"""
with called as (
    select
        {layer}.osm_key,
        {layer}.tags ->> 'name:en' as english,
        name_form.form
    from {layer}
    cross join lateral unnest(array[{layer}.name, {layer}.tags ->> 'name:en']) as said (name)
    cross join lateral (
        select
            replace(lower(btrim(regexp_replace(normalize(said.name, nfkc), '\\s+', ' ', 'g'))), 'ß', 'ss') as form
    ) as name_form
    where {layer}.name is not null or {layer}.tags ->> 'name:en' is not null
),

shared as (
    select called.form
    from called
    group by called.form
    having count(distinct called.osm_key) > 1
)

select distinct
    called.osm_key,
    called.english
from called
where
    called.osm_key = any(%(osm_keys)s)
    and btrim(called.english) <> ''
    and replace(lower(btrim(regexp_replace(normalize(called.english, nfkc), '\\s+', ' ', 'g'))), 'ß', 'ss')
    not in (select shared.form from shared where shared.form is not null)
"""
    for layer in ("poi", "road", "region", "aoi")
}
"""The tag name:en of objects whose layer has no other object of that name, in English or not."""

PERMUTED = """
select
    count(*) filter (where permuted) as permuted,
    count(*) as maps
from trigpoint.snapshot
where id = any(%(ids)s)
"""

PLANTED = """
select planted.class as class_, sum(planted.places::bigint)::bigint as places
from trigpoint.snapshot
cross join lateral jsonb_each_text(snapshot.planted) as planted (class, places)
where snapshot.id = any(%(ids)s)
group by planted.class
order by planted.class
"""

ENGINE_VERSIONS = """
select
    current_setting('server_version') as postgresql,
    postgis_lib_version() as postgis,
    postgis_geos_version() as geos,
    postgis_proj_version() as proj
"""

RECORD_COLUMNS = """    question.id,
    question.template,
    question.template_version,
    question.variant,
    question.prompt,
    question.options,
    question.answer_type,
    question.scorer,
    question.split,
    question.locale,
    question.phrasing,
    question.register,
    question.names,
    question.popularity,
    gold.value as gold,
    gold.kind as gold_kind,
    coalesce(further.keys, '{}') as gold_keys,
    coalesce(solved.solutions, '{}') as solutions,
    proof.sql,
    proof.binds,
    proof.derive,
    proof.parameters,
    proof.margin,
    proof.distractors,
    proof.readings"""
RECORD_TABLES = """from trigpoint.question
inner join trigpoint.gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
inner join trigpoint.proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id"""
"""A question with its truth, and where that is stored; not what it stands on."""
RECORD_FURTHER = """left join (
    select
        gold.question_id,
        jsonb_object_agg(gold.key, jsonb_build_object('kind', gold.kind, 'value', gold.value)) as keys
    from trigpoint.gold
    where gold.version_id = %(version_id)s and not gold.is_default
    group by gold.question_id
) as further on question.id = further.question_id
left join (
    select
        solution.question_id,
        jsonb_object_agg(solution.kind, solution.value) as solutions
    from trigpoint.solution
    where solution.version_id = %(version_id)s
    group by solution.question_id
) as solved on question.id = solved.question_id"""
"""What few questions have; read once for the whole version, not once a question."""

RECORDS = f"""
select
{RECORD_COLUMNS},
    proof.evidence,
    proof.second_path,
    proof.snapshots as proved_on,
    question.snapshot_id,
    coalesce(maps.snapshot_ids, '{{}}') as further_snapshots,
    question.prompt_hash,
    question.revision,
    template.benchmark,
    template.header
{RECORD_TABLES}
{RECORD_FURTHER}
left join (
    select
        question_snapshot.question_id,
        array_agg(question_snapshot.snapshot_id order by question_snapshot.position) as snapshot_ids
    from trigpoint.question_snapshot
    where question_snapshot.version_id = %(version_id)s
    group by question_snapshot.question_id
) as maps on question.id = maps.question_id
inner join trigpoint.template on question.template_id = template.id
where
    question.version_id = %(version_id)s
    and (%(ids)s::text[] is null or question.id = any(%(ids)s))
order by question.position
"""
"""Everything that proves a version's questions."""
