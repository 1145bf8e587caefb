"""A picture and its record say the same, to the pixel; equal maps give equal bytes."""

import random
import subprocess
import sys
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from app.core.settings import PROJECT_ROOT
from app.drawing.fonts import load_fonts
from app.drawing.frame import Frame
from app.drawing.picture import draw_map
from app.drawing.scene import Scene
from app.drawing.xml import stamp_xml
from tests.support.drawn_town import FRAME, LAT, LON, around, box_of_difference, pixels_of, place, town

CAFE = place("n1", "cafe", "Café Jägergasse", -150, 100)
BAR = place("n2", "bar", "Quay", 180, -90)


def test_a_label_lies_where_the_record_says_and_nowhere_else() -> None:
    with_it, without = draw_map(town(CAFE), FRAME), draw_map(town(), FRAME)
    (label,) = [one for one in with_it.record.labels if one.osm_key == "n1"]
    (symbol,) = with_it.record.symbols
    assert (label.text, label.kind, symbol.symbol, symbol.labelled) == (
        "Café Jägergasse",
        "place",
        "cafe",
        True,
    )
    assert box_of_difference(with_it.png, without.png) == around([label.box, symbol.box])
    left, top, right, bottom = label.box
    inked = (pixels_of(with_it.png) != pixels_of(without.png)).any(axis=2)[top:bottom, left:right]
    assert inked.any(axis=1).all(), "each row of the box has ink"
    assert inked[:, 0].any()
    assert inked[:, -1].any()
    assert inked.mean() > 0.3


def test_the_label_of_a_road_lies_in_its_box() -> None:
    named, unnamed = town(), town()
    lines = [replace(one, name=None) if one.osm_key == "w2" else one for one in unnamed.lines]
    with_it, without = draw_map(named, FRAME), draw_map(replace(unnamed, lines=lines), FRAME)
    boxes = [one.box for one in with_it.record.labels if one.text == "Church Street"]
    found, told = box_of_difference(with_it.png, without.png), around(boxes)
    assert found
    # The road is white, as is the edge of its letters: at an end a pixel of it may not differ.
    assert max(abs(one - other) for one, other in zip(found, told, strict=True)) <= 1
    assert found[0] >= told[0]
    assert found[1] >= told[1]
    assert found[2] <= told[2]
    assert found[3] <= told[3]


def test_a_label_without_room_has_no_pixels_and_is_recorded_as_left_out() -> None:
    # The second stands where the first does, and comes after it: its link to Wikidata is missing.
    first = replace(CAFE, weight=2)
    alone = draw_map(town(first), FRAME)
    both = draw_map(town(first, place("n9", "cafe", "Second Cup", -150, 100)), FRAME)
    assert alone.png == both.png
    assert [(one.osm_key, one.reason) for one in both.record.left_out] == [("n9", "room")]
    assert alone.record.labels == both.record.labels


def test_nothing_leaves_the_picture() -> None:
    at_edges = [
        place(f"n{number}", "cafe", "Café at the very Edge", east, north)
        for number, (east, north) in enumerate(
            [(-278, 0), (278, 60), (0, 125), (30, -125), (-270, 120)], start=10
        )
    ]
    record = draw_map(town(*at_edges), FRAME).record
    for one in (*record.labels, *record.symbols):
        left, top, right, bottom = one.box
        assert one.whole
        assert 0 <= left < right <= FRAME.width
        assert 0 <= top < bottom <= FRAME.height


def test_labels_and_symbols_never_overlap() -> None:
    crowd = [
        place(
            f"n{number}", "restaurant", f"Restaurant {number}", 25 * (number % 20) - 250, 9 * (number // 20)
        )
        for number in range(100)
    ]
    record = draw_map(town(*crowd), FRAME).record
    boxes = (
        [one.box for one in record.symbols]
        + [one.box for one in record.labels if one.kind in ("place", "park", "water")]
        + [record.licence["box"], record.scale_bar["box"]]
    )
    assert len(record.symbols) > 10
    assert len(record.symbols) + sum(one.reason == "room" for one in record.left_out) >= 100
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_the_order_of_rows_does_not_count() -> None:
    places = [
        place(f"n{number}", "cafe", f"Café {number}", 9 * number - 200, 5 * (number % 7))
        for number in range(1, 40)
    ]
    scene = town(*places)
    first = draw_map(scene, FRAME)
    for seed in range(3):
        mixed = [list(one) for one in (scene.areas, scene.lines, scene.places)]
        for one in mixed:
            random.Random(seed).shuffle(one)
        again = draw_map(Scene(*mixed), FRAME)
        assert again.png == first.png
        assert again.record == first.record


def test_another_process_gives_the_same_bytes() -> None:
    code = (
        "import hashlib; from tests.support.drawn_town import *; from app.drawing.picture import draw_map; "
        "print(hashlib.sha256(draw_map(town(place('n1', 'cafe', 'Café', 9, 40)), FRAME).png).hexdigest())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=PROJECT_ROOT,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


@pytest.mark.parametrize("zoom", range(8, 22))
def test_every_zoom_is_drawn(zoom: int) -> None:
    drawn = draw_map(town(CAFE, BAR), Frame(LON, LAT, zoom, 300, 250))
    assert pixels_of(drawn.png).shape == (250, 300, 3)
    assert drawn.record.frame["zoom"] == zoom
    assert drawn.record.licence["text"] == "© OpenStreetMap contributors"
    # OpenStreetMap wiki, "Zoom levels": 156,543.03 metres a pixel at zoom 0 on the equator
    expected = 156_543.0339 * np.cos(np.radians(LAT)) / 2**zoom
    assert drawn.record.frame["metres_per_pixel"] == pytest.approx(expected, rel=1e-6, abs=1e-6)
    bar = drawn.record.scale_bar
    assert bar["pixels"] == pytest.approx(bar["metres"] / expected, abs=0.5)


def test_the_scale_bar_has_the_length_that_it_says() -> None:
    drawn = draw_map(town(), FRAME)
    bar = drawn.record.scale_bar
    left, _, right, bottom = bar["box"]
    row = pixels_of(drawn.png)[bottom - 3, left:right]
    dark = int((row.max(axis=1) < 90).sum())
    assert dark == bar["pixels"]


HOSTILE = [
    "<b>Bold</b> & </TextSymbolizer><Map>",
    '[name] + \'x\' .replace("a","b")',
    "{{7*7}} ${HOME} %s \\n \\0",
    "\u202eesreveR\u202c Bar",
    "a\u0000b\u0007c\u2028d",
    "x" * 5000,
    "Pizza 🍕 Piazza",
    "Z" + "\u0327\u0336\u031b" * 40 + "algo",
    "\ufeff\u200b\u2066",
    "مطعم الشام",
    "日本料理 さくら",
    "한국 식당",
    "หมู่บ้าน",
    "སྐྱིད་པོ",
    "\U000f0000\ue000",
]


def test_hostile_names_break_nothing_and_mean_nothing() -> None:
    places = [
        place(f"n{number}", "cafe", name, 170 * (number % 3) - 190, 48 * (number // 3) - 150)
        for number, name in enumerate(HOSTILE, start=1)
    ]
    record = draw_map(Scene(places=places), Frame(LON, LAT, 17, 900, 700)).record
    texts = {one.osm_key: one.text for one in record.labels if one.kind == "place"}
    assert texts["n1"] == HOSTILE[0]
    assert texts["n2"] == HOSTILE[1]
    assert texts["n4"] == "esreveR Bar"
    assert texts["n5"] == "a b c d"
    assert "n6" not in texts, "nobody reads 5,000 letters on a map"
    assert texts["n7"] == "Pizza Piazza"
    assert texts["n8"].count("\u0336") <= 3
    assert {"n10", "n11", "n12", "n13", "n14"} <= set(texts)
    assert not {"n9", "n15"} & set(texts)
    for one in record.labels:
        assert one.box[3] - one.box[1] < 80
    assert "[text]" in stamp_xml(load_fonts())


@pytest.mark.parametrize(("zoom", "lone"), [(16, False), (17, True)])
def test_a_named_place_without_room_for_its_name_keeps_its_symbol_in_close_maps(
    zoom: int, lone: bool
) -> None:
    # Its name fits on no side: too near to the left edge for above and below, and with a neighbour to its right.
    frame = Frame(LON, LAT, zoom, 400, 300)
    steps = round(360 / frame.world / 1e-5 * 1.0, 6)
    left = round((-200 + 15) * steps)
    places = [
        place("n1", "cafe", "Grosses Gasthaus zum goldenen Adler", left, round(40 * steps)),
        place("n2", "restaurant", "Inn", left + round(22 * steps), round(40 * steps), weight=2),
    ]
    record = draw_map(Scene(places=places), frame).record
    assert ("n1" in {one.osm_key for one in record.symbols}) is lone
    assert "n1" not in {one.osm_key for one in record.labels}
    assert [(one.osm_key, one.reason) for one in record.left_out] == [("n1", "room")]
