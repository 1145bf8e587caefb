"""Real maps at every zoom: what the record says never overlaps, and lies in the picture."""

from itertools import combinations

import pytest

from app.core.settings import Role
from app.db.engine import connect
from app.drawing.drawing import draw_frame
from app.drawing.frame import Frame
from app.drawing.picture import DrawnMap
from app.questions.snapshots import find_snapshots
from tests.support.town import Imported

UPRIGHT = ("place", "park", "water", "ground", "region", "house", "ref")


def draw(imported: Imported, frame: Frame) -> DrawnMap:
    with connect(imported.settings, Role.WORKER) as connection:
        (found,) = find_snapshots(connection, [imported.name])
        drawn = draw_frame(connection, found.schema, found.layer_schema_version, found.outline, frame)
    assert isinstance(drawn, DrawnMap), drawn
    return drawn


def check(drawn: DrawnMap) -> None:
    record = drawn.record
    boxes = [one.box for one in record.symbols]
    boxes += [one.box for one in record.labels if one.kind in UPRIGHT]
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    assert all(one.whole for one in (*record.labels, *record.symbols))
    keys = [one.osm_key for one in record.symbols]
    assert len(keys) == len(set(keys))
    labelled = {one.osm_key for one in record.labels if one.kind == "place"}
    assert labelled == {one.osm_key for one in record.symbols if one.labelled}


@pytest.mark.parametrize("zoom", range(15, 22))
def test_helsinki(helsinki: Imported, zoom: int) -> None:
    drawn = draw(helsinki, Frame(24.944, 60.171, zoom, 400 if zoom > 15 else 300, 300))
    check(drawn)
    if zoom in (16, 17):
        assert len(drawn.record.symbols) > 15
        assert {"Kaivokatu", "Rautatientori"} & {one.text for one in drawn.record.labels}


@pytest.mark.parametrize("zoom", range(14, 22))
def test_liechtenstein(liechtenstein: Imported, zoom: int) -> None:
    frame = Frame(9.5295, 47.1405, zoom, 300 if zoom < 16 else 600, 250 if zoom < 16 else 400)
    drawn = draw(liechtenstein, frame)
    check(drawn)
    assert draw(liechtenstein, frame).png == drawn.png
