"""Frames that a map cannot fill are refused, each with its reason."""

import pytest
from sqlalchemy import Connection, text

from app.core.settings import Role
from app.db.engine import connect, use_schema
from app.drawing.drawing import draw_frame
from app.drawing.edges import FrameRefusal, find_refusal, largest_empty_share
from app.drawing.frame import Frame
from app.drawing.picture import DrawnMap
from app.drawing.scene import Scene
from app.questions.records import SnapshotRef
from app.questions.snapshots import find_snapshots
from tests.support.drawn_town import FRAME, place, town
from tests.support.town import Imported

VADUZ = Frame(9.5215, 47.1405, 16, 600, 500)
STATION = Frame(24.944, 60.171, 17, 500, 400)


def snapshot_of(connection: Connection, imported: Imported) -> SnapshotRef:
    (found,) = find_snapshots(connection, [imported.name])
    return found


def reason(connection: Connection, found: SnapshotRef, frame: Frame) -> str | None:
    refusal = find_refusal(connection, found.schema, found.outline, frame)
    return refusal.reason if refusal else None


def test_a_frame_inside_is_drawn_and_one_across_the_border_is_not(liechtenstein: Imported) -> None:
    with connect(liechtenstein.settings, Role.WORKER) as connection:
        found = snapshot_of(connection, liechtenstein)
        assert reason(connection, found, VADUZ) is None
        across = Frame(9.5, 47.14, 16, 600, 500)
        assert reason(connection, found, across) == "beyond_outline"
        refused = draw_frame(connection, found.schema, found.layer_schema_version, found.outline, across)
        assert isinstance(refused, FrameRefusal)
        assert "beyond the outline" in refused.sentence
        refusal = find_refusal(connection, found.schema, None, VADUZ)
        assert refusal
        assert refusal.reason == "no_outline"


def test_water_that_is_not_whole_is_refused(helsinki: Imported) -> None:
    with connect(helsinki.settings, Role.OWNER) as connection:
        found = snapshot_of(connection, helsinki)
        assert reason(connection, found, STATION) is None
        use_schema(connection, found.schema)
        connection.execute(
            text(
                "insert into reject (osm_type, osm_id, layer, reason, detail, place)"
                " values ('w', 1, 'water', 'open_ring', 'open', st_makepoint(24.944, 60.171))"
            )
        )
        assert reason(connection, found, STATION) == "open_water"
        connection.rollback()


@pytest.mark.parametrize(
    "planted",
    [
        "insert into water (osm_type, osm_id, osm_version, class, tags, content_hash, geom, repaired)"
        " values ('w', 2, 1, 'bay', '{}', '', st_setsrid(st_makeline(st_makepoint(24.9435, 60.171),"
        " st_makepoint(24.9445, 60.171)), 4326), false)",
        "insert into road_edge (way_id, position, from_node, to_node, length_m, geom, class, roundabout,"
        " car_destination, bicycle_destination, foot_destination)"
        " values (3, 1, 1, 2, 100, st_setsrid(st_makeline(st_makepoint(24.943, 60.171),"
        " st_makepoint(24.945, 60.171)), 4326), 'ferry', false, false, false, false)",
        "insert into park (osm_type, osm_id, osm_version, class, tags, content_hash, geom, repaired)"
        " values ('w', 4, 1, 'marina', '{}', '', st_makeenvelope(24.944, 60.1705, 24.945, 60.171, 4326), false)",
    ],
)
def test_signs_of_the_sea_are_refused(helsinki: Imported, planted: str) -> None:
    with connect(helsinki.settings, Role.OWNER) as connection:
        found = snapshot_of(connection, helsinki)
        use_schema(connection, found.schema)
        connection.execute(text(planted))
        assert reason(connection, found, STATION) == "sea"
        connection.rollback()


def test_an_empty_frame_is_refused_only_near_the_sea(liechtenstein: Imported) -> None:
    meadow = Frame(9.55, 47.13, 16, 400, 300)
    with connect(liechtenstein.settings, Role.OWNER) as connection:
        found = snapshot_of(connection, liechtenstein)
        asked = (connection, found.schema, found.layer_schema_version, found.outline)
        assert isinstance(draw_frame(*asked, meadow), DrawnMap)
        use_schema(connection, found.schema)
        connection.execute(
            text(
                "insert into water (osm_type, osm_id, osm_version, class, tags, content_hash, geom, repaired)"
                " values ('w', 2, 1, 'strait', '{}', '', st_setsrid(st_makeline(st_makepoint(9.57, 47.13),"
                " st_makepoint(9.58, 47.13)), 4326), false)"
            )
        )
        refused = draw_frame(*asked, meadow)
        assert isinstance(refused, FrameRefusal)
        assert refused.reason == "sea"
        town_by_the_sea = Frame(9.5215, 47.1385, 18, 400, 300)
        assert isinstance(draw_frame(*asked, town_by_the_sea), DrawnMap)
        connection.rollback()


def test_an_old_map_is_refused(liechtenstein: Imported) -> None:
    with connect(liechtenstein.settings, Role.WORKER) as connection:
        found = snapshot_of(connection, liechtenstein)
        refused = draw_frame(connection, found.schema, 6, found.outline, VADUZ)
        assert isinstance(refused, FrameRefusal)
        assert refused.reason == "old_map"


def test_the_largest_empty_part_is_measured() -> None:
    assert largest_empty_share(Scene(), FRAME) == 1
    # The crossing parts the picture into quarters; lake, park and roads cover a little of each.
    assert 0.2 < largest_empty_share(town(), FRAME) < 0.25
    everywhere = [place(f"n{n}", "cafe", None, east, north) for n, (east, north) in
                  enumerate([(-200, 50), (50, 50), (-30, -100), (50, -100), (200, -100)])]  # fmt: skip
    assert largest_empty_share(town(*everywhere), FRAME) < 0.01
