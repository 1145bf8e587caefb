"""The page of a question: REST's numbers, its map as SVG, hostile words, and nothing of hidden ones."""

import re
from collections.abc import Callable, Iterator
from math import radians, tan
from typing import Any, NamedTuple

import httpx
import pytest

from app.core.settings import Settings
from app.dashboard import wording
from app.dashboard.drawing import MOST_BYTES, Canvas, picture_of
from app.published.inspected import QuestionMap
from tests.app.dashboard.test_pages import Cells, as_value
from tests.factories import MadeVersion
from tests.inspected import HOSTILE, make_inspected
from tests.serving import serving


class Shown(NamedTuple):
    version: MadeVersion
    client: httpx.Client

    def page(self, number: int) -> str:
        path = f"/datasets/shown@1/questions/{self.version.questions[number]}"
        return self.client.get(path).raise_for_status().text

    def rest(self, number: int) -> Any:
        path = f"/v1/datasets/shown@1/questions/{self.version.questions[number]}"
        return self.client.get(path, params={"map": True}).raise_for_status().json()


@pytest.fixture(scope="module")
def shown(make_database: Callable[[], Settings]) -> Iterator[Shown]:
    settings = make_database()
    version = make_inspected(settings)
    with serving(settings) as address, httpx.Client(base_url=address) as client:
        yield Shown(version, client)


def test_the_page_says_what_rest_says(shown: Shown) -> None:
    rest, page = shown.rest(0), Cells(shown.page(0))
    assert not page._stack
    for one in rest["wrong"]:
        shown_why, _ = page.cells[f"option {one['letter']}", "why"]
        assert one["why"] in shown_why
        assert page.cells[f"option {one['letter']}", "text"][0] == one["text"]
    assert "✓ answer" in page.cells["option B", "why"][0]
    for one in rest["answers"]:
        assert page.cells[str(one["run"]), "value"][1] == as_value(one["value"])
    marks = [one["properties"] for one in rest["map"]["features"]]
    measured = {mark["osm_key"]: mark["metres"] for mark in marks if mark["role"] in ("gold", "wrong")}
    assert {page.cells[key, "metres"] for key in measured} == {
        (wording.distance(metres), as_value(metres)) for metres in measured.values()
    }


def test_the_map_is_drawn_on_the_server(shown: Shown) -> None:
    page = shown.page(0)
    (svg,) = re.findall(r'<svg class="map".*?</svg>', page, re.S)
    assert "© OpenStreetMap contributors" in svg
    assert re.search(r"\d+ k?m</text>", svg), "a scale bar"
    for role, count in (("anchor", 1), ("gold", 1), ("wrong", 3)):
        assert svg.count(f'class="pin {role}"') == count
    for kind in ("aoi", "park", "ground"):
        assert kind in svg
    assert "style=" not in svg
    assert 'aria-label="Map of the question' in svg


def test_of_a_hidden_question_text_and_options_alone(shown: Shown) -> None:
    page = shown.page(1)
    assert "A hidden question?" in page
    assert "This question is hidden" in page
    for absent in ('class="map"', 'id="proof"', 'id="gold"', 'id="answers"', "✓", "✗", "oracle"):
        assert absent not in page, absent


def test_hostile_words_are_words(shown: Shown) -> None:
    page = shown.page(2)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "select &#39;&lt;b&gt;&#39;" in page
    assert "<i>markup" not in page
    assert HOSTILE[-400:] in page
    assert "\u202e" not in page, "nothing turns the text about"
    assert "[U+202E]right to left[U+202C]" in page


def test_neighbours_are_linked(shown: Shown) -> None:
    before, after = (shown.version.questions[number] for number in (0, 2))
    page = shown.page(1)
    assert f'rel="prev" href="/datasets/shown%401/questions/{before}"' in page
    assert f'rel="next" href="/datasets/shown%401/questions/{after}"' in page


@pytest.mark.parametrize("question", ["nope", "%00", "a" * 300])
def test_a_question_that_is_not_there_is_a_page(shown: Shown, question: str) -> None:
    answer = shown.client.get(f"/datasets/shown/questions/{question}")
    assert answer.status_code in (404, 422)
    assert answer.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    ("derive", "margin", "said"),
    [
        ("nearest_name", {"behind": 219.7, "wanted": 10.0}, ["219.7\u202fm", "10\u202fm"]),
        ("largest_in_region", {"behind": 88.5, "wanted": 10.0}, ["88.5\u202fm²", "10\u202fm²"]),
        ("cover_option", {"behind": None, "wanted": 199.9}, ["there is no other", "199.9\u202fm²"]),
        ("pois_of_rank_option", {"closest_ratio": 0.4, "wanted": 0.9}, ["0.4", "0.9"]),
        ("count_in_range", {"tolerance": 1.0, "outline": None}, ["1\u202fm"]),
    ],
)
def test_a_margin_has_the_unit_of_what_was_measured(
    derive: str, margin: dict[str, Any], said: list[str]
) -> None:
    assert [value for _, value in wording.margins(margin, derive)] == said


def test_a_ratio_may_be_at_most_what_is_wanted() -> None:
    told = wording.margins({"wanted": 0.9, "closest_ratio": 0.4, "outline": None}, "area_of_rank_option")
    assert [value for _, value in told] == ["0.4", "0.9"], "what was measured comes first"
    assert told[1] == ("At most wanted", "0.9")


def test_lengths_of_gold_have_a_unit() -> None:
    told = wording.gold_values({"text": "10.01 km", "distance": 10009.0, "sphere": 9978.0})
    assert ("Distance on the mean sphere", "9\u202f978 m") in told


def test_gold_of_any_place_is_told_as_the_question_asks_for_it() -> None:
    places = [{"lat": 60.0, "lon": 24.0, "azimuth": 12.5, "distance": 80.0}]
    places += [{"lat": 60.1, "lon": 24.0, "azimuth": 340.0, "distance": 1200.0}]
    gold: dict[str, Any] = {"objects": places, "tolerated": []}
    assert wording.gold_values(gold, "azimuth") == [("Any of these directions", "12.5° · 340°")]
    assert wording.gold_values(gold, "distance") == [("Any of these distances", "80 m · 1\u202f200 m")]
    assert wording.gold_values({"objects": places[:1]}, "azimuth") == [("Direction", "12.5°")]
    assert wording.gold_values({"objects": places[:1], "azimuth": 12.5}, "azimuth") == [("Azimuth", "12.5°")]
    assert wording.gold_values({"objects": places[:1]}, "location") == [
        ("Place (latitude, longitude)", "60.0, 24.0")
    ]


def test_an_option_of_two_names_is_one_answer() -> None:
    gold = {
        "text": "Bulevardi and Kalevankatu",
        "names": ["Bulevardi", "Kalevankatu"],
        "objects": ["w1", "w2"],
    }
    assert wording.gold_values(gold, "option") == [("Option", "Bulevardi and Kalevankatu")]


def test_gold_that_is_a_fact_is_shown_with_its_source() -> None:
    fact = {"attribute": "artist", "names": ["Emil Wikström"], "value": "Emil Wikström", "unit": ""}
    fact |= {"credit": "OpenStreetMap", "licence": "ODbL-1.0"}
    told = wording.gold_values({"fact": fact, "objects": [{"lat": 60.0, "lon": 24.0}]})
    assert told == [("Artist", "Emil Wikström"), ("As told by", "OpenStreetMap (ODbL-1.0)")]
    height = {**fact, "attribute": "height", "names": [], "value": "13", "unit": "m"}
    assert ("Height", "13 m") in wording.gold_values({"fact": height})


def test_every_mark_lies_on_the_map() -> None:
    """A wrong option that is a place may lie beyond the box that the map was read for."""
    mark: dict[str, Any] = {"role": "anchor", "layer": "poi", "osm_key": "n1", "name": "a", "class": "cafe"}
    mark |= {"letter": None, "metres": None, "point": (24.940, 60.160)}
    far = {**mark, "role": "wrong", "osm_key": None, "letter": "A", "point": (24.950, 60.170)}
    shapes = [
        {"geometry": {"type": "Point", "coordinates": one["point"]}, "properties": one} for one in (mark, far)
    ]
    box = {"bbox": [24.939, 60.159, 24.941, 60.161], "features": shapes, "left_out": 0}
    picture = picture_of(QuestionMap.model_validate(box), {})
    assert picture.is_in_part
    for pin in picture.pins:
        assert 0 < pin.x < 800
        assert 0 < pin.y < picture.canvas.height


@pytest.mark.parametrize(
    ("towards", "binds"),
    [
        (None, {"anchor": "n1", "sector": 2, "half_width": 22.5}),
        ("n2", {"anchor": "n1", "towards": "n2", "half_width": 22.5}),
    ],
    ids=["compass", "place"],
)
def test_the_edges_of_a_sector_lie_on_both_sides_of_its_middle(
    towards: str | None, binds: dict[str, Any]
) -> None:
    """Due east of the anchor, by the compass or by a place there: the other anchor comes first on the map."""

    def shape(role: str, key: str | None, point: tuple[float, float] | None, drawn: dict[str, Any]) -> Any:
        mark = {"role": role, "layer": None, "osm_key": key, "name": None, "class": None}
        return {"geometry": drawn, "properties": {**mark, "letter": None, "metres": None, "point": point}}

    def at(lon: float) -> dict[str, Any]:
        return {"type": "Point", "coordinates": [lon, 0.5]}

    ring = [[0.4, 0.4], [0.6, 0.4], [0.6, 0.6], [0.4, 0.6], [0.4, 0.4]]
    shapes = [shape("anchor", towards, (0.9, 0.5), at(0.9))] if towards else []
    shapes += [shape("anchor", "n1", (0.5, 0.5), at(0.5))]
    shapes += [shape("ground", None, None, {"type": "Polygon", "coordinates": [ring]})]
    drawn = QuestionMap.model_validate({"bbox": [0, 0, 1, 1], "features": shapes, "left_out": 0})
    picture = picture_of(drawn, binds)
    anchor = next(pin for pin in picture.pins if pin.mark.osm_key == "n1")
    edges = [tuple(map(float, end.split())) for end in re.findall(r"L([\d. ]+)", picture.sector)]
    assert len(edges) == 2
    for (x, y), side in zip(edges, (-1, 1), strict=True):
        assert x > anchor.x
        assert (y - anchor.y) / (x - anchor.x) == pytest.approx(side * tan(radians(22.5)), rel=0.02)


def test_a_canvas_is_true_to_lengths() -> None:
    canvas = Canvas(9.49, 47.09, 9.51, 47.104)
    left, right = canvas.place(9.495, 47.097), canvas.place(9.505, 47.097)
    assert (right[0] - left[0]) * canvas.metres == pytest.approx(759.2, rel=0.01)
    bar = canvas.bar()
    assert bar.label in ("200 m", "500 m")
    assert bar.units * canvas.metres == pytest.approx(bar.metres, rel=1e-3)
    assert bar.units <= 200


def test_a_map_is_bounded_in_bytes() -> None:
    ring = [[i / 1e4, (i * 7919 % 10_000) / 1e4] for i in range(10_000)]
    around: dict[str, Any] = {
        "role": "around",
        "layer": "park",
        "osm_key": None,
        "name": None,
        "class": "park",
    }
    around |= {"letter": None, "metres": None, "point": None}
    shape = {"geometry": {"type": "Polygon", "coordinates": [ring]}, "properties": around}
    drawn = QuestionMap.model_validate({"bbox": [0, 0, 1, 1], "features": [shape] * 20, "left_out": 0})
    picture = picture_of(drawn, {})
    assert 0 < sum(len(path) for _, path in picture.around) <= MOST_BYTES
