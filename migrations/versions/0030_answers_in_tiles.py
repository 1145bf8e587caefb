"""The answers of public questions as a layer of vector tiles, beside the questions."""

from alembic import op

revision: str = "0030"
down_revision: str | None = "0029"
branch_labels = None
depends_on = None

# Where the answers of a question lie that are places; null where none is.
PLACES = """
create function trigpoint.places_of_gold(value jsonb)
returns geometry
language sql immutable strict set search_path = public, pg_temp as $$
    select st_collect(
        st_setsrid(st_makepoint(cast(place ->> 'lon' as float8), cast(place ->> 'lat' as float8)), 4326)
        order by place
    )
    from jsonb_path_query(value, '$.objects[*] ? (exists (@.lon))') as place
$$;
"""
INDEX = """
create index ix_gold_places on trigpoint.gold using gist (trigpoint.places_of_gold(value))
where is_default and value @? '$.objects[*].lon'
"""
TILE = """
create function trigpoint.answer_tile_of_version(wanted_version bigint, z integer, x integer, y integer)
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
            st_transform(place.geom, 3857) as middle
        from tile
        inner join gold
            on
                gold.version_id = wanted_version
                and gold.is_default
                and gold.value @? '$.objects[*].lon'
                and places_of_gold(gold.value) && tile.ground
        inner join question on gold.version_id = question.version_id and gold.question_id = question.id
        inner join dataset_version on question.version_id = dataset_version.id
        cross join lateral st_dump(places_of_gold(gold.value)) as place
        where
            question.split = 'public'
            and dataset_version.state = 'published'
            and place.geom && tile.ground
    ),

    placed as (
        select
            standing.id,
            standing.middle,
            st_asmvtgeom(standing.middle, tile.box, 64, 0) as cell
        from standing
        cross join tile
    ),

    gathered as (
        select
            count(*) as answers,
            min(placed.id) as question,
            st_centroid(st_collect(placed.middle)) as middle
        from placed
        where placed.cell is not null
        group by placed.cell
    ),

    drawn as (
        select
            gathered.answers,
            gathered.question,
            st_asmvtgeom(gathered.middle, tile.box, 4096, 0) as geom
        from gathered
        cross join tile
    )

    select st_asmvt(drawn, 'answers', 4096, 'geom' order by drawn.question)
    from drawn
$$;
"""


def upgrade() -> None:
    for statement in (PLACES, INDEX, TILE):
        op.execute(statement)
    arguments = "bigint, integer, integer, integer"
    op.execute("revoke execute on function trigpoint.places_of_gold(jsonb) from public")
    op.execute("grant execute on function trigpoint.places_of_gold(jsonb) to trigpoint_worker")
    op.execute(f"revoke execute on function trigpoint.answer_tile_of_version({arguments}) from public")
    op.execute(f"grant execute on function trigpoint.answer_tile_of_version({arguments}) to trigpoint_api")


def downgrade() -> None:
    op.execute("drop function trigpoint.answer_tile_of_version(bigint, integer, integer, integer)")
    op.execute("drop index trigpoint.ix_gold_places")
    op.execute("drop function trigpoint.places_of_gold(jsonb)")
