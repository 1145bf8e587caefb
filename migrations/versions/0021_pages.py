"""What pages draw: the map of a public question, rejects, public questions as tiles; how fast a run's calls were."""

from alembic import op

revision: str = "0021"
down_revision: str | None = "0020"
branch_labels = None
depends_on = None

# The map is closed to the api role. Of a public question this shows the objects that its proof names anyway, and around
# them shapes without names: water, parks, areas, streets, and places of the kinds it asks about on its own ground.
MAP = """
create function trigpoint.map_of_question(wanted_version bigint, wanted_question text, most integer)
returns table (part text, layer text, osm_key text, name text, class text, geom geometry)
language plpgsql stable security definer set search_path = trigpoint, public, pg_temp as $$
declare
    place text;
    one text;
    its_keys text[];
    its_classes text[];
    its_ground geometry;
    reach geometry;
    box geometry;
    east float8;
    north float8;
    narrow float8;
    streets text[];
begin
    select snapshot.schema_name, footprint.osm_keys, footprint.classes, footprint.area
    into place, its_keys, its_classes, its_ground
    from question
    inner join dataset_version on question.version_id = dataset_version.id
    inner join snapshot on question.snapshot_id = snapshot.id
    inner join footprint on question.version_id = footprint.version_id and question.id = footprint.question_id
    where
        question.version_id = wanted_version
        and question.id = wanted_question
        and question.split = 'public'
        and dataset_version.state = 'published'
        and snapshot.state = 'published';
    if place is null then
        return;
    end if;
    reach := st_envelope(its_ground);
    foreach one in array array['region', 'aoi', 'park', 'water', 'road', 'address', 'poi'] loop
        if to_regclass(format('%I.%I', place, one)) is not null then
            for part, layer, osm_key, name, class, geom in execute format(
                'select ''object'', %L, found.osm_key, found.name, found.class, found.geom::geometry'
                ' from %I.%I as found where found.osm_key = any($1) order by found.osm_key limit $2',
                one, place, one
            )
            using its_keys, most
            loop
                reach := st_envelope(st_collect(reach, st_envelope(geom)));
                return next;
            end loop;
        end if;
    end loop;
    if reach is null then
        return;
    end if;
    -- The box: a margin around all of it, four wide and three high, and never smaller than 400 m by 300 m.
    narrow := greatest(0.01, cos(radians((st_ymin(reach) + st_ymax(reach)) / 2)));
    north := greatest((st_ymax(reach) - st_ymin(reach)) / 2 * 1.15, 0.00135);
    east := greatest((st_xmax(reach) - st_xmin(reach)) / 2 * 1.15 * narrow, 0.0018);
    north := greatest(north, east * 3 / 4);
    east := north * 4 / 3 / narrow;
    box := st_makeenvelope(
        (st_xmin(reach) + st_xmax(reach)) / 2 - east, (st_ymin(reach) + st_ymax(reach)) / 2 - north,
        (st_xmin(reach) + st_xmax(reach)) / 2 + east, (st_ymin(reach) + st_ymax(reach)) / 2 + north, 4326
    );
    return query select 'box', null::text, null::text, null::text, null::text, box;
    return query select 'ground', null::text, null::text, null::text, null::text, its_ground
    where its_ground is not null;
    foreach one in array array['aoi', 'park', 'water'] loop
        if to_regclass(format('%I.%I', place, one)) is not null then
            return query execute format(
                'select ''around'', %L, null::text, null::text, shape.class, shape.geom from ('
                '     select found.class, found.osm_key,'
                '         st_simplify(st_clipbybox2d(found.geom, $1::box2d), $2, true) as geom'
                '     from %I.%I as found where found.geom && $1 and st_dimension(found.geom) = 2'
                ' ) as shape where not st_isempty(shape.geom)'
                ' order by st_area(st_envelope(shape.geom)) desc, shape.osm_key limit $3',
                one, place, one
            )
            using box, north / 400, most;
        end if;
    end loop;
    streets := array['motorway', 'trunk', 'primary']
        || case when north < 0.1 then array['secondary', 'tertiary'] else array[]::text[] end
        || case when north < 0.03 then array['unclassified', 'residential', 'living_street', 'pedestrian'] else '{}' end
        || case when north < 0.01 then array['service', 'footway', 'path', 'cycleway', 'track', 'steps'] else '{}' end;
    if to_regclass(format('%I.road', place)) is not null then
        return query execute format(
            'select ''around'', ''road'', null::text, null::text, shape.class, shape.geom from ('
            '     select regexp_replace(found.class, ''_link$'', '''') as class, found.osm_key,'
            '         st_simplify(st_clipbybox2d(found.geom, $1::box2d), $2, true) as geom'
            '     from %I.road as found where found.geom && $1'
            ' ) as shape where shape.class = any($4) and not st_isempty(shape.geom)'
            ' order by array_position($4, shape.class), st_length(shape.geom) desc, shape.osm_key limit $3',
            place
        )
        using box, north / 400, 3 * most, streets;
    end if;
    if st_dimension(its_ground) = 2 and to_regclass(format('%I.poi', place)) is not null then
        return query execute format(
            'select ''place'', ''poi'', null::text, null::text, null::text, found.geom::geometry from %I.poi as found'
            ' where found.geom && $1 and st_intersects(found.geom, $1) and found.classes && $2'
            ' and found.osm_key <> all($4) order by found.osm_key limit $3',
            place
        )
        using
            its_ground,
            array(select substr(asked, 5) from unnest(its_classes) as asked where asked like 'poi:_%'),
            most,
            its_keys;
    end if;
end
$$;
"""
REJECTS = """
create function trigpoint.map_rejects(wanted_snapshot bigint, most integer)
returns table (layer text, osm_key text, name text, reason text, detail text, place geometry, alike bigint)
language plpgsql stable security definer set search_path = trigpoint, public, pg_temp as $$
declare
    its_schema text;
begin
    select snapshot.schema_name into its_schema from snapshot
    where snapshot.id = wanted_snapshot and snapshot.state = 'published';
    if its_schema is null or to_regclass(format('%I.reject', its_schema)) is null then
        return;
    end if;
    return query execute format(
        'select found.layer, found.osm_key, found.name, found.reason, found.detail, st_pointonsurface(found.place),'
        '     count(*) over (partition by found.layer, found.reason)'
        ' from %I.reject as found order by found.layer, found.reason, found.osm_key limit $1',
        its_schema
    )
    using most;
end
$$;
"""
# A question stands at the middle of the ground that it depends on. Row-level security would let no index be used.
TILE = """
create function trigpoint.tile_of_version(wanted_version bigint, z integer, x integer, y integer)
returns bytea
language sql stable security definer set search_path = trigpoint, public, pg_temp as $$
    with tile as (
        select
            st_tileenvelope(z, x, y) as box,
            st_transform(st_tileenvelope(z, x, y), 4326) as ground
    ),

    standing as (
        select
            question.id,
            question.template,
            st_transform(st_centroid(footprint.area), 3857) as middle
        from tile
        inner join footprint on footprint.version_id = wanted_version and footprint.area && tile.ground
        inner join question on footprint.version_id = question.version_id and footprint.question_id = question.id
        inner join dataset_version on question.version_id = dataset_version.id
        where
            question.split = 'public'
            and dataset_version.state = 'published'
    ),

    placed as (
        select
            standing.id,
            standing.template,
            standing.middle,
            st_asmvtgeom(standing.middle, tile.box, 64, 0) as cell
        from standing
        cross join tile
    ),

    gathered as (
        select
            count(*) as questions,
            min(placed.id) as question,
            string_agg(distinct placed.template, ' ') as templates,
            st_centroid(st_collect(placed.middle)) as middle
        from placed
        where placed.cell is not null
        group by placed.cell
    ),

    drawn as (
        select
            gathered.questions,
            gathered.question,
            gathered.templates,
            st_asmvtgeom(gathered.middle, tile.box, 4096, 0) as geom
        from gathered
        cross join tile
    )

    select st_asmvt(drawn, 'questions', 4096, 'geom')
    from drawn
$$;
"""
# Times of all calls, to hidden questions too: how long they took is no secret.
LATENCY = """
create function trigpoint.latency_of_run(wanted_run bigint)
returns table (calls bigint, median_ms float8, slow_ms float8, slowest_ms integer)
language sql stable security definer set search_path = trigpoint, pg_temp as $$
    select
        count(*) as calls,
        percentile_cont(0.5) within group (order by step.latency_ms) as median_ms,
        percentile_cont(0.95) within group (order by step.latency_ms) as slow_ms,
        max(step.latency_ms) as slowest_ms
    from step
    where
        step.run_id = wanted_run
        and step.kind = 'chat'
        and step.reused_from is null
        and step.latency_ms is not null
$$;
"""
FUNCTIONS = {
    "map_of_question": "bigint, text, integer",
    "map_rejects": "bigint, integer",
    "tile_of_version": "bigint, integer, integer, integer",
    "latency_of_run": "bigint",
}


def upgrade() -> None:
    for statement in (MAP, REJECTS, TILE, LATENCY):
        op.execute(statement)
    for name, arguments in FUNCTIONS.items():
        op.execute(f"revoke execute on function trigpoint.{name}({arguments}) from public")
        op.execute(f"grant execute on function trigpoint.{name}({arguments}) to trigpoint_api")


def downgrade() -> None:
    for name, arguments in FUNCTIONS.items():
        op.execute(f"drop function trigpoint.{name}({arguments})")
