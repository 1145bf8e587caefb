-- Roads that come within 50 m of a named area: the first key of the road, a blank, the area's key. Roads as in
-- named_road, areas as in unique_aoi. `inside`: the area and 51 m around it lie inside the outline. `option_kind`: the
-- neighbourhood, 0.1 degrees by 0.06. `reach`: the area and at least 66 m around it, on a plane where degrees are as
-- long either way; what is farther off need not be measured on the spheroid, which takes long. At 60 degrees an edge of
-- 20 km leaves its geodesic by 14 m. `narrow`: how long a degree of longitude is, by one of latitude.
with outline as materialized (
    select st_geomfromwkb(decode(:outline, 'hex'), 4326) as geom
),
named_road as (
    select
        min(road.osm_key) as osm_key,
        road.name,
        count(*) over (
            partition by
                replace(
                    lower(btrim(regexp_replace(normalize(road.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss'
                )
        ) as namesakes
    from road
    where
        road.drivable
        and btrim(road.name) <> ''
    group by road.name
),
named_area as (
    select
        aoi.osm_key,
        aoi.name,
        aoi.repaired,
        aoi.geog,
        cos(radians(greatest(abs(st_ymin(aoi.geog::geometry)), abs(st_ymax(aoi.geog::geometry))))) as narrow,
        (
            select count(*)
            from place_name
            where place_name.form = replace(lower(btrim(regexp_replace(normalize(aoi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
        ) as namesakes
    from aoi
),
area as materialized (
    select
        named_area.osm_key,
        named_area.name,
        named_area.geog,
        st_scale(
            st_buffer(st_scale(named_area.geog::geometry, named_area.narrow, 1), 0.00065, 2), 1 / named_area.narrow, 1
        ) as reach,
        st_centroid(named_area.geog::geometry) as middle,
        st_containsproperly(outline.geom, st_buffer(named_area.geog, 51)::geometry) as inside
    from named_area
    cross join outline
    where
        named_area.namesakes = 1
        and not named_area.repaired
),
met as (
    select distinct
        way.name as road_name,
        area.osm_key as area_key
    from area
    inner join road as way
        on
            way.drivable
            and way.name is not null
            and st_intersects(area.reach, way.geom)
            and st_dwithin(way.geog, area.geog, 50)
)
select
    named_road.osm_key || ' ' || area.osm_key as value,
    'the stretch of ' || named_road.name || ' within 50 m of ' || area.name as label,
    named_road.name as name,
    coalesce(area.inside, false) as inside,
    concat_ws(' ', floor(st_x(area.middle) / 0.1), floor(st_y(area.middle) / 0.06)) as option_kind
from met
inner join named_road on met.road_name = named_road.name
inner join area on met.area_key = area.osm_key
where named_road.namesakes = 1
order by value
