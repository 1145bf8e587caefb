"""Benchmarks: how long pictures of maps take, by zoom, and which frames are refused.

Imports copies of Liechtenstein into a private cluster, and draws maps around places that a seed draws: reading the
map, drawing, placing and packing. The last line is JSON.
usage: scripts/bench-drawing [--copies N] [--pictures N] [--size WxH]
"""

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, text

from app.cli.output import line, say
from app.core.errors import TrigpointError
from app.core.settings import Role
from app.db.engine import connect, use_schema
from app.drawing.drawing import draw_frame
from app.drawing.edges import FrameRefusal
from app.drawing.engine import load_mapnik
from app.drawing.frame import Frame
from app.questions.records import SnapshotRef
from app.questions.snapshots import find_snapshots
from perf.bench_questions import NAME, import_copies, settings_of
from perf.cluster import Cluster, running_cluster

DATABASE = "bench_drawing"
ZOOMS = range(14, 22)
SEED = 36
CENTRES = text("""
    select st_x(poi.geom) as lon, st_y(poi.geom) as lat
    from poi
    where poi.name is not null
    order by md5(poi.osm_key || cast(:seed as text))
    limit :wanted
""")


def draw_pictures(
    connection: Connection, snapshot: SnapshotRef, zoom: int, size: tuple[int, int], wanted: int
) -> dict[str, Any]:
    """Seconds of pictures around so many places, and how many frames were refused for which reason."""
    use_schema(connection, snapshot.schema)
    centres = list(connection.execute(CENTRES, {"seed": SEED, "wanted": wanted}))
    took, symbols, refused = [], [], Counter[str]()
    for lon, lat in centres:
        started = time.perf_counter()
        drawn = draw_frame(
            connection,
            snapshot.schema,
            snapshot.layer_schema_version,
            snapshot.outline,
            Frame(lon, lat, zoom, *size),
        )
        if isinstance(drawn, FrameRefusal):
            refused[drawn.reason] += 1
        else:
            took.append(time.perf_counter() - started)
            symbols.append(len(drawn.record.symbols))
    if not took:
        return {"pictures": 0, "refused": dict(refused)}
    return {
        "pictures": len(took),
        "refused": dict(refused),
        "median_s": round(statistics.median(took), 3),
        "slowest_s": round(max(took), 3),
        "symbols": statistics.median(symbols),
    }


def measure(cluster: Cluster, options: argparse.Namespace) -> dict[str, Any]:
    """The figures by zoom."""
    width, height = (int(side) for side in options.size.split("x"))
    load_mapnik()
    figures = {}
    with cluster.fresh_database(DATABASE):
        import_copies(cluster, DATABASE, options.copies)
        with connect(settings_of(cluster, DATABASE), Role.WORKER) as connection:
            (snapshot,) = find_snapshots(connection, [NAME])
            draw_pictures(connection, snapshot, ZOOMS[-1], (width, height), 3)  # opens fonts and symbols
            for zoom in ZOOMS:
                one = draw_pictures(connection, snapshot, zoom, (width, height), options.pictures)
                say(f"zoom {zoom}: {one}")
                figures[str(zoom)] = one
    return figures


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; errors are one sentence."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench-drawing", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--copies", type=int, default=1, help="copies of Liechtenstein in the map (1)")
    parser.add_argument("--pictures", type=int, default=20, help="pictures of each zoom (20)")
    parser.add_argument("--size", default="1000x800", help="pixels (1000x800)")
    options = parser.parse_args(arguments)
    try:
        with running_cluster() as cluster:
            figures = measure(cluster, options)
    except TrigpointError as error:
        say(f"bench-drawing: {error}")
        return error.exit_code
    line(
        json.dumps({"benchmark": "drawing", "copies": options.copies, "size": options.size, "zooms": figures})
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
