"""Outlines: .poly files, and which of several sources is believed."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import MultiPolygon, box

from app.core.errors import BadExtract
from osm_import.heads import Box
from osm_import.outlines import AdminArea, OutlineSource, choose_outline, parse_poly

POLY = """liechtenstein
1
   9.0   47.0
   9.4   47.0
   9.4   47.4
   9.0   47.4
END
!2
   9.1   4.71E+01
   9.2   47.1
   9.2   47.2
END
3
 10.0 48.0
 10.1 48.0
 10.1 48.1
 10.0 48.0
END
END
"""


def test_poly_with_a_hole_and_two_parts() -> None:
    outline = parse_poly(POLY)
    assert outline.geom_type == "MultiPolygon"
    assert outline.area == pytest.approx(0.16 - 0.005 + 0.005)
    assert not outline.contains(shapely.Point(9.18, 47.12))
    assert outline.contains(shapely.Point(10.08, 48.02))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "ends before its last END"),
        ("name\n1\n 9 47\n 9.1 47\n 9.1 47.1\n", "ends before its last END"),
        ("name\n1\n 9 47\n 9.1 47\n 9.1 47.1\nEND\n", "ends before its last END"),
        ("name\nEND\n", "holds no ring"),
        (
            "name\n1\n 9 47\n 9.1 47\nEND\nEND\n",
            "line 5: a ring needs three different points, this one has 2",
        ),
        ("name\n1\n 9 north\nEND\nEND\n", "line 3: expected `lon lat` or END, found '9 north'"),
        ("name\n1\n 47.0 94.0\nEND\nEND\n", "line 3: 47.0 94.0 is not a place on earth"),
        ("name\n1\n nan 4\nEND\nEND\n", "not a place on earth"),
        ("name\n1\n 9 47\n 9.1 47\n 9.2 47\nEND\nEND\n", "encloses nothing"),
        ("name\n!1\n 9 47\n 9.1 47\n 9.2 48\nEND\nEND\n", "holds no ring"),
    ],
)
def test_bad_poly_names_the_line(text: str, words: str) -> None:
    with pytest.raises(BadExtract, match="poly file") as caught:
        parse_poly(text)
    assert words in str(caught.value)


def ring(west: float, south: float, width: float, height: float) -> str:
    corners = [(0, 0), (width, 0), (width, height), (0, height), (0, 0)]
    return "r\n" + "".join(f"  {west + dx!r}  {south + dy!r}\n" for dx, dy in corners) + "END\n"


@given(
    st.lists(st.tuples(st.integers(-170, 170), st.integers(-80, 80), st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=5)
)  # fmt: skip
def test_poly_covers_the_union_of_its_rings(boxes: list[tuple[int, int, int, int]]) -> None:
    text = "name\n" + "".join(ring(x, y, w, h) for x, y, w, h in boxes) + "END\n"
    outline = parse_poly(text)
    expected = shapely.union_all([box(x, y, x + w, y + h) for x, y, w, h in boxes])
    assert outline.is_valid
    assert outline.equals(expected)


@given(st.text(max_size=200))
def test_any_text_is_an_outline_or_a_clear_refusal(text: str) -> None:
    refusal = ""
    try:
        assert parse_poly(text).is_valid
    except BadExtract as error:
        refusal = str(error)
    assert refusal == "" or refusal.endswith(".")


def area(key: str, level: int, west: float = 9, east: float = 10) -> AdminArea:
    return AdminArea(key, level, MultiPolygon([box(west, 47, east, 48)]))


INSIDE = np.array([[9.5, 47.5]] * 6 + [[11.0, 47.5]] * 4)  # 60 % inside `area`
HEADER = Box(8, 46, 12, 49)


@pytest.mark.parametrize(
    ("poly", "areas", "places", "header", "source", "detail"),
    [
        (MultiPolygon([box(0, 0, 1, 1)]), [area("r1", 2)], INSIDE, HEADER, OutlineSource.POLY, ".poly"),
        (None, [area("r1", 2), area("r2", 4)], INSIDE, HEADER, OutlineSource.AREA, "r1, admin_level 2"),
        (None, [area("r3", 4), area("r9", 6)], INSIDE, HEADER, OutlineSource.AREA, "r3, admin_level 4"),
        (None, [area("r1", 2), area("r2", 2)], INSIDE, HEADER, OutlineSource.BOX, "header"),
        (None, [area("r1", 2, 10.5, 12)], INSIDE, HEADER, OutlineSource.BOX, "header"),
        (None, [area("r9", 6)], INSIDE, HEADER, OutlineSource.BOX, "header"),
        (None, [area("r1", 2)], INSIDE[:0], HEADER, OutlineSource.BOX, "header"),
        (None, [area("r9", 8)], INSIDE, None, OutlineSource.NONE, "no .poly"),
    ],
)
def test_the_surest_source_wins(
    poly: MultiPolygon | None, areas: list[AdminArea], places: np.ndarray, header: Box | None, source: OutlineSource, detail: str
) -> None:  # fmt: skip
    outline = choose_outline(poly, areas, lambda: places, header)
    assert outline.source is source
    assert detail in outline.detail
    assert (outline.geometry is None) is (source is OutlineSource.NONE)


def test_a_box_is_the_headers_box() -> None:
    outline = choose_outline(None, [], lambda: INSIDE, HEADER)
    assert outline.geometry is not None
    assert outline.geometry.bounds == tuple(HEADER)
