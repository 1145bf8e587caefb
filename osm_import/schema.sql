-- Import stage: tables, indexes and reference views of one snapshot. Run section by section, the sections of a
-- layer on a connection of its own, with search_path set to the snapshot's schema; nothing here names a schema. Geometry: EPSG:4326, lon lat.

-- section: poi

create table poi (
    osm_type text not null check (osm_type in ('n', 'w', 'r')),
    osm_id bigint not null,
    osm_key text not null generated always as (osm_type || osm_id::text) stored,
    osm_version int not null,
    name text,
    name_en text,
    official_name text,
    alt_names text[],
    script text,
    class text not null,
    tags jsonb not null,
    content_hash text not null,
    geom geometry(Point, 4326) not null,
    geog geography(Point, 4326) generated always as (geom::geography) stored,
    repaired bool not null,
    is_area bool not null,
    category text not null,
    classes text[] not null check (classes[1] = class),
    wikidata text,
    wikipedia text,
    housenumber text,
    street text,
    suburb text,
    city text,
    postcode text,
    state text,
    country text
);

-- One row a class that a poi matches: the nearest of a class is an index scan.
create table poi_class (
    osm_key text not null,
    class text not null,
    geog geography(Point, 4326) not null
);

-- section: poi_indexes

insert into poi_class (osm_key, class, geog)
select poi.osm_key, one.class, poi.geog
from poi
cross join lateral unnest(poi.classes) as one (class)
order by poi.osm_key, one.class;

alter table poi add primary key (osm_key);
create index poi_geom on poi using gist (geom);
create index poi_geog on poi using gist (geog);
create index poi_class_index on poi (class);
create index poi_name on poi (name);
create index poi_name_trigram on poi using gin (name gin_trgm_ops);
alter table poi_class add primary key (osm_key, class);
create index poi_class_geog on poi_class using gist (class, geog);
analyze poi, poi_class;

-- section: poi_area
-- The ground of each poi that is mapped as an area: its row in poi is a point on that.

create table poi_area (
    osm_key text not null,
    content_hash text not null,
    geom geometry(MultiPolygon, 4326) not null,
    repaired bool not null
);

-- section: poi_area_indexes

alter table poi_area add primary key (osm_key);
create index poi_area_geom on poi_area using gist (geom);
analyze poi_area;

-- section: park

create table park (
    osm_type text not null check (osm_type in ('n', 'w', 'r')),
    osm_id bigint not null,
    osm_key text not null generated always as (osm_type || osm_id::text) stored,
    osm_version int not null,
    name text,
    name_en text,
    official_name text,
    alt_names text[],
    script text,
    class text not null,
    tags jsonb not null,
    content_hash text not null,
    geom geometry(Geometry, 4326) not null,
    geog geography(Geometry, 4326) generated always as (geom::geography) stored,
    repaired bool not null,
    at_edge bool not null default false,
    wikidata text,
    wikipedia text
);

-- section: park_indexes

alter table park add primary key (osm_key);
create index park_geom on park using gist (geom);
create index park_geog on park using gist (geog);
create index park_class on park (class);
create index park_name on park (name);
analyze park;

-- section: water

create table water (
    osm_type text not null check (osm_type in ('w', 'r')),
    osm_id bigint not null,
    osm_key text not null generated always as (osm_type || osm_id::text) stored,
    osm_version int not null,
    name text,
    name_en text,
    official_name text,
    alt_names text[],
    script text,
    class text not null,
    tags jsonb not null,
    content_hash text not null,
    geom geometry(Geometry, 4326) not null,
    geog geography(Geometry, 4326) generated always as (geom::geography) stored,
    repaired bool not null,
    at_edge bool not null default false,
    wikidata text,
    wikipedia text
);

-- section: water_indexes

alter table water add primary key (osm_key);
create index water_geom on water using gist (geom);
create index water_geog on water using gist (geog);
create index water_class on water (class);
create index water_name on water (name);
analyze water;

-- section: road

create table road (
    osm_type text not null check (osm_type = 'w'),
    osm_id bigint not null,
    osm_key text not null generated always as (osm_type || osm_id::text) stored,
    osm_version int not null,
    name text,
    name_en text,
    official_name text,
    alt_names text[],
    script text,
    class text not null,
    tags jsonb not null,
    content_hash text not null,
    geom geometry(LineString, 4326) not null,
    geog geography(LineString, 4326) generated always as (geom::geography) stored,
    repaired bool not null,
    ref text,
    oneway text,
    maxspeed text,
    surface text,
    lanes int,
    bridge bool not null,
    tunnel bool not null,
    drivable bool not null
);

-- section: road_indexes

alter table road add primary key (osm_key);
create index road_geom on road using gist (geom);
create index road_geog on road using gist (geog);
create index road_class on road (class);
create index road_name on road (name);
analyze road;

-- section: region

create table region (
    osm_type text not null check (osm_type in ('w', 'r')),
    osm_id bigint not null,
    osm_key text not null generated always as (osm_type || osm_id::text) stored,
    osm_version int not null,
    name text,
    name_en text,
    official_name text,
    alt_names text[],
    script text,
    class text not null,
    tags jsonb not null,
    content_hash text not null,
    geom geometry(MultiPolygon, 4326) not null,
    geog geography(MultiPolygon, 4326) generated always as (geom::geography) stored,
    repaired bool not null,
    at_edge bool not null default false,
    admin_level int,
    border_type text,
    place text,
    population bigint,
    wikidata text,
    wikipedia text
);

-- section: region_indexes

alter table region add primary key (osm_key);
create index region_geom on region using gist (geom);
create index region_geog on region using gist (geog);
create index region_class on region (class);
create index region_name on region (name);
analyze region;

-- section: aoi

create table aoi (
    osm_type text not null check (osm_type in ('w', 'r')),
    osm_id bigint not null,
    osm_key text not null generated always as (osm_type || osm_id::text) stored,
    osm_version int not null,
    name text not null,
    name_en text,
    official_name text,
    alt_names text[],
    script text,
    class text not null,
    tags jsonb not null,
    content_hash text not null,
    geom geometry(MultiPolygon, 4326) not null,
    geog geography(MultiPolygon, 4326) generated always as (geom::geography) stored,
    repaired bool not null,
    at_edge bool not null default false,
    area_m2 double precision not null
);

-- section: aoi_indexes

alter table aoi add primary key (osm_key);
create index aoi_geom on aoi using gist (geom);
create index aoi_geog on aoi using gist (geog);
create index aoi_class on aoi (class);
create index aoi_name on aoi (name);
analyze aoi;

-- section: address

create table address (
    osm_type text not null check (osm_type in ('n', 'w', 'r')),
    osm_id bigint not null,
    osm_key text not null generated always as (osm_type || osm_id::text) stored,
    osm_version int not null,
    name text,
    name_en text,
    official_name text,
    alt_names text[],
    script text,
    class text not null check (class in ('node', 'building', 'area')),
    tags jsonb not null,
    content_hash text not null,
    geom geometry(Point, 4326) not null,
    geog geography(Point, 4326) generated always as (geom::geography) stored,
    repaired bool not null,
    housenumber text not null,
    street text,
    suburb text,
    city text,
    postcode text,
    state text,
    country text
);

-- section: address_indexes

alter table address add primary key (osm_key);
create index address_geom on address using gist (geom);
create index address_geog on address using gist (geog);
create index address_class on address (class);
create index address_street on address (street, housenumber);
analyze address;

-- section: other_place
-- Places that are on the map and that layer poi leaves out. Nothing is asked about them: what a question denies must not
-- be true of one of them either.

create table other_place (
    osm_type text not null check (osm_type in ('n', 'w', 'r')),
    osm_id bigint not null,
    osm_key text not null generated always as (osm_type || osm_id::text) stored,
    osm_version int not null,
    name text,
    name_en text,
    official_name text,
    alt_names text[],
    script text,
    class text not null,
    tags jsonb not null,
    content_hash text not null,
    geom geometry(Point, 4326) not null,
    geog geography(Point, 4326) generated always as (geom::geography) stored,
    repaired bool not null
);

-- section: other_place_indexes

alter table other_place add primary key (osm_key);
create index other_place_geom on other_place using gist (geom);
create index other_place_geog on other_place using gist (geog);
create index other_place_name on other_place (name);
analyze other_place;

-- section: road_node

create table road_node (
    node_id bigint not null,
    way_ids bigint[] not null check (cardinality(way_ids) >= 2),
    geom geometry(Point, 4326) not null
);

-- section: road_node_indexes

alter table road_node add primary key (node_id);
create index road_node_geom on road_node using gist (geom);
create index road_node_way_ids on road_node using gin (way_ids);
analyze road_node;

-- section: road_edge
-- The road network: lines of roads and ferries that somebody may travel, split where one can turn or has to stop. Speeds
-- are null where one may not go; `_destination` says that one may go there, but not pass through.

create table road_edge (
    way_id bigint not null,
    position int not null check (position > 0),
    from_node bigint not null,
    to_node bigint not null,
    length_m double precision not null check (length_m >= 0),
    geom geometry(LineString, 4326) not null,
    name text,
    ref text,
    class text not null,
    surface text,
    roundabout bool not null,
    car_forward_kmh double precision check (car_forward_kmh > 0),
    car_backward_kmh double precision check (car_backward_kmh > 0),
    car_destination bool not null,
    car_part int,
    bicycle_forward_kmh double precision check (bicycle_forward_kmh > 0),
    bicycle_backward_kmh double precision check (bicycle_backward_kmh > 0),
    bicycle_destination bool not null,
    bicycle_part int,
    foot_forward_kmh double precision check (foot_forward_kmh > 0),
    foot_backward_kmh double precision check (foot_backward_kmh > 0),
    foot_destination bool not null,
    foot_part int
);

-- section: road_edge_indexes

alter table road_edge add primary key (way_id, position);
create index road_edge_geom on road_edge using gist (geom);
analyze road_edge;

-- section: turn_restriction
-- Turns that one must not make (no_…), or the only ones that one may make (only_…), and whether a car, a bicycle and a
-- person on foot must heed them. One turns at a node, or over ways; geom is where one comes off the first way.

create table turn_restriction (
    relation_id bigint not null,
    class text not null,
    from_ways bigint[] not null check (cardinality(from_ways) >= 1),
    via_node bigint,
    via_ways bigint[] not null,
    to_ways bigint[] not null check (cardinality(to_ways) >= 1),
    geom geometry(Point, 4326) not null,
    car bool not null,
    bicycle bool not null,
    foot bool not null,
    check ((via_node is null) = (cardinality(via_ways) > 0))
);

-- section: turn_restriction_indexes

alter table turn_restriction add primary key (relation_id, class);
analyze turn_restriction;

-- section: road_barrier
-- Nodes of edges with a barrier, and whether a car, a bicycle and a person on foot get past.

create table road_barrier (
    node_id bigint not null,
    class text not null,
    geom geometry(Point, 4326) not null,
    car bool not null,
    bicycle bool not null,
    foot bool not null
);

-- section: road_barrier_indexes

alter table road_barrier add primary key (node_id);
create index road_barrier_geom on road_barrier using gist (geom);
analyze road_barrier;

-- section: reject

create table reject (
    osm_type text not null check (osm_type in ('n', 'w', 'r')),
    osm_id bigint not null,
    osm_key text not null generated always as (osm_type || osm_id::text) stored,
    layer text not null,
    name text,
    reason text not null,
    detail text not null,
    place geometry(Geometry, 4326)
);

-- section: reject_indexes

alter table reject add primary key (layer, osm_key);
analyze reject;

-- section: tables

-- Keys of tags that are facts (facts.toml) and occur in this snapshot: absent from the reference views.
create table fact_key (
    key text primary key
);

-- section: completion_tables
-- Made by completing.py from the layers, once these are indexed.

-- The address of each poi: its own where it says a house number or a street, else that of the nearest address.
create table poi_address (
    osm_key text not null,
    source text not null check (source in ('own', 'near')),
    address_key text,
    distance_m double precision not null check (distance_m >= 0),
    housenumber text,
    street text,
    suburb text,
    city text,
    postcode text,
    state text,
    country text,
    check (source = 'own' or address_key is not null)
);

-- The regions that contain each poi, their edges included.
create table poi_region (
    osm_key text not null,
    region_key text not null,
    admin_level int
);

-- What is named, by its name as people compare names: one object may be in several layers.
create table place_name (
    form text not null,
    osm_key text not null
);

-- What places can be looked up by: every name of a place, with lower case letters and without accents; and a point of it.
create table search_name (
    form text not null,
    osm_key text not null,
    layer text not null,
    geom geometry(Point, 4326) not null
);

-- Each spelling of a street's name in roads and addresses, and the forms that it can be looked up by.
create table street_name (
    form text not null,
    street text not null
);

-- Of places mapped more than once, most often as a point and as an area: each of a name and class within 30 m of another.
create table poi_twin (
    osm_key text not null,
    class text not null
);

-- Where drivers stop: charging stations, fuel, car parks, pharmacies and cash machines. Points within 50 m of each other that
-- one operator runs are one; `osm_key`, place and name are those of the first of them. `operator` is a fact, and is not
-- kept. `car_part`: the connected part of the road network that the nearest road for cars is in, if one is near.
create table destination (
    class text not null,
    osm_key text not null,
    osm_keys text[] not null,
    name text,
    repaired bool not null,
    car_part int,
    geom geometry(Point, 4326) not null,
    geog geography(Point, 4326) generated always as (geom::geography) stored
);

-- section: completion_indexes

alter table poi_address add primary key (osm_key);
alter table poi_region add primary key (osm_key, region_key);
alter table place_name add primary key (form, osm_key);
alter table search_name add primary key (form, osm_key, layer);
alter table street_name add primary key (form, street);
alter table poi_twin add primary key (osm_key, class);
alter table destination add primary key (class, osm_key);

create index search_name_key on search_name (osm_key);
create index search_name_trigram on search_name using gin (form gin_trgm_ops);
create index street_name_trigram on street_name using gin (form gin_trgm_ops);
create index poi_region_region on poi_region (region_key);
create index destination_geog on destination using gist (class, geog);

analyze poi_address, poi_region, place_name, search_name, street_name, poi_twin, destination;

-- section: views
-- Run with the reference schema first in search_path: the views are made there, and bound to this snapshot's tables.

create view pois as
select
    osm_type,
    osm_id,
    osm_version,
    name,
    wikipedia,
    wikidata,
    housenumber,
    street,
    suburb,
    city,
    state,
    postcode,
    country,
    category,
    class as subcategory,
    classes as subcategories,
    is_area,
    tags ->> 'cuisine' as cuisine,
    tags ->> 'takeaway' as takeaway,
    tags ->> 'drive_through' as drive_through,
    tags ->> 'outdoor_seating' as outdoor_seating,
    tags ->> 'delivery' as delivery,
    tags ->> 'museum' as museum,
    tags ->> 'emergency' as emergency,
    tags ->> 'opening_hours' as opening_hours,
    tags ->> 'wheelchair' as wheelchair,
    tags - array(select fact_key.key from fact_key) as tags,
    geom,
    geog
from poi;

create view parks as
select
    osm_type,
    osm_id,
    osm_version,
    name,
    wikipedia,
    wikidata,
    class as subcategory,
    tags - array(select fact_key.key from fact_key) as tags,
    geom,
    geog
from park;

create view lakes as
select
    osm_type,
    osm_id,
    osm_version,
    name,
    wikipedia,
    wikidata,
    class as subcategory,
    tags - array(select fact_key.key from fact_key) as tags,
    geom,
    geog
from water;

create view roads as
select
    osm_type,
    osm_id,
    osm_version,
    name,
    tags ->> 'wikipedia' as wikipedia,
    tags ->> 'wikidata' as wikidata,
    class as subcategory,
    ref,
    oneway,
    maxspeed,
    surface,
    lanes,
    bridge,
    tunnel,
    drivable,
    tags - array(select fact_key.key from fact_key) as tags,
    geom,
    geog
from road;

create view regions as
select
    osm_type,
    osm_id,
    osm_version,
    name,
    wikipedia,
    wikidata,
    class as subcategory,
    admin_level,
    border_type,
    place,
    tags - array(select fact_key.key from fact_key) as tags,
    geom,
    geog
from region;
