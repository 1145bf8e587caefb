"""SQL that takes much: of memory, of time, and of what cannot be cancelled; and who sends it, in a process of its own."""

import asyncio
from collections.abc import Sequence
from itertools import product

from app.core.errors import ServiceUnavailable
from app.core.settings import Settings
from app.map_tools.sql_running import SqlRunner

VIEWS = ("pois", "parks", "lakes", "roads", "regions")
_PAIRS = (
    "pois a, pois b",
    "pois a, roads b",
    "roads a, roads b, pois c",
    "parks a, pois b, pois c",
    "pois a, pois b, pois c, pois d",
)
_OF_GEOMETRIES = (
    "st_convexhull(st_collect(a.geom))",
    "st_npoints(st_collect(st_buffer(a.geom, 1, 64)))",
    "st_area(st_union(st_buffer(a.geom, 0.01, 64)))",
    "st_area(st_unaryunion(st_collect(st_buffer(a.geom, 0.01, 64))))",
    "st_length(st_makeline(a.geom::geometry(point, 4326)))",
    "st_npoints(st_memunion(st_buffer(a.geom, 0.01, 64)))",
    "st_asgeojson(st_collect(b.geom))",
    "st_isvalid(st_makevalid(st_collect(st_buffer(b.geom, 1))))",
    "st_hausdorffdistance(st_collect(a.geom), st_collect(b.geom), 0.01)",
    "st_extent(st_transform(st_buffer(a.geom, 0.1, 64), 3857))",
)
_OF_TEXTS = (
    "length(string_agg(a.tags::text || b.tags::text, ','))",
    "array_length(array_agg(a.tags || b.tags), 1)",
    "length(jsonb_agg(to_jsonb(a))::text)",
    "length(json_agg(row_to_json(b))::text)",
    "length(jsonb_object_agg(a.osm_id::text || b.osm_id::text, a.tags)::text)",
    "array_length(array_agg(regexp_split_to_array(a.tags::text, '')), 1)",
    "count(distinct a.tags::text || b.tags::text)",
    "percentile_cont(0.5) within group (order by a.osm_id + b.osm_id)",
    "length(replace(replace(string_agg(a.tags::text, ''), 'a', string_agg(b.tags::text, '')), 'e', 'eeeeeeeeee'))",
    "length(regexp_replace(string_agg(a.tags::text, ''), '(.*)*x', '', 'g'))",
)
_ALONE = (
    "select length(ln(power(9.99::numeric, 120000))::text)",
    "select length(exp(5999.5::numeric)::text), length(power(1.0001::numeric, 131000.5)::text)",
    "select sqrt(power(9.99::numeric, 130000)), log(power(3.3::numeric, 120000))",
    "select st_npoints(st_buffer(geom, 1, 'quad_segs=100000000')) from pois",
    "select st_npoints(st_buffer(geom, 1, 'quad_segs=3000000')) from pois",
    "select st_npoints(st_buffer(geom, 1, 50000000)) from pois",
    "select st_frechetdistance(a.geom, b.geom, 0.0000001) from roads a, roads b",
    "select st_hausdorffdistance(a.geom, b.geom, 0.00000001) from roads a, roads b",
    "select 'x'::char(10000000) from pois a, pois b",
    "select string_agg('x'::char(9000000), '') from pois",
    "select cast('x' as character(10485760)) as a, cast('y' as bpchar(10485760)) as b",
    "select * from pois a, pois b, pois c order by a.tags::text || b.tags::text || c.tags::text",
    "select distinct a.tags, b.tags, c.geom from pois a, pois b, roads c",
    "select name from pois where tags::text ~ '((a*)*)*b' or tags::text ~ '(x+x+)+y'",
    "select regexp_match(string_agg(tags::text, ''), '((.*)(.*)(.*)(.*)(.*))*z') from pois",
    "select st_generatepoints(st_makeenvelope(0, 0, 1, 1, 4326), 200000000)",
    "select st_segmentize(st_makeline(st_makepoint(0, 0), st_makepoint(180, 80)), 0.0000001)",
    "select st_npoints(st_subdivide(st_buffer(geom, 9, 64), 5)) from pois",
    "select repeat('x', 900000000), lpad('x', 900000000), rpad('x', 900000000)",
    "select array_fill(1, array[100000000])",
    "select lower(string_agg(x, '')) from (select repeat('Ä', 10000000) as x from pois) as y",
    "select count(*) from generate_series(1, 1000000000)",
    "select array(select generate_series(1, 300000000))",
    "select json_build_array(array_agg(n)) from generate_series(1, 100000000) as n",
    "select st_asmvt(a, 'x') from pois a, pois b, pois c",
    "select st_clusterdbscan(a.geom, 1, 1) over () from pois a, pois b, pois c",
    "select st_voronoipolygons(st_collect(a.geom)) from pois a, pois b",
    "select st_delaunaytriangles(st_collect(st_buffer(a.geom, 0.1, 64))) from pois a, pois b",
)
_DOUBLING = ", ".join(f"t{n} as (select x || x as x from t{n - 1})" for n in range(1, 33))
HEAVY: dict[str, str] = (
    {
        f"geometries {i}": f"select {what} from {source}"
        for i, (what, source) in enumerate(product(_OF_GEOMETRIES, _PAIRS))
    }
    | {
        f"texts {i}": f"select {what} from {source}"
        for i, (what, source) in enumerate(product(_OF_TEXTS, _PAIRS))
    }
    | {f"alone {i}": sql for i, sql in enumerate(_ALONE)}
    | {
        "doubling": f"with t0 as (select tags::text as x from pois limit 1), {_DOUBLING} select length(x) from t32"
    }
)
"""Each of them allowed or refused by the check; run without it, too."""


def send(settings: Settings, schema: str, statements: Sequence[str], seconds: float) -> dict[str, int]:
    """Send statements past the check and through it, four at once; how many came to what."""
    counts: dict[str, int] = {}

    async def work() -> None:
        runner = SqlRunner(settings, seconds)
        waiting = list(statements)

        async def attack() -> None:
            while waiting:
                sql = waiting.pop()
                for asked in (runner.run(schema, sql), runner.ask(schema, VIEWS, sql)):
                    try:
                        outcome = await asked
                        kind = outcome.kind if outcome.kind == "resource" else outcome.state
                    except ServiceUnavailable as error:
                        kind = f"error: {error}"
                    counts[kind] = counts.get(kind, 0) + 1

        await asyncio.gather(*(attack() for _ in range(4)))

    asyncio.run(work())
    return counts
