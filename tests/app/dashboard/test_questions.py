"""The page of a question: REST's numbers, its map as SVG, hostile words, and nothing of hidden ones."""

import json
import re
from collections.abc import Callable, Iterator
from math import radians, tan
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.dashboard import wording
from app.dashboard.option_maps import option_map_of
from app.db.engine import connect
from app.published.derivation_words import words_of
from app.published.inspected import ModelAnswer, QuestionMap
from app.published.map_drawing import MOST_BYTES, Canvas, picture_of
from app.templates.catalogue import load_benchmarks
from tests.app.dashboard.test_pages import Cells, as_value
from tests.support.factories import MadeVersion, QuestionSpec, make_version
from tests.support.inspected_dataset import HOSTILE, make_inspected
from tests.support.scored_runs import make_gsqa_board
from tests.support.service import patient_client, serving


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
    with serving(settings) as address, patient_client(address) as client:
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


@pytest.mark.parametrize(
    ("outcome", "value", "kind", "said"),
    [
        ("correct", 1.0, "correct", "correct"),
        ("correct", 0.9, "correct", "correct"),
        ("wrong", 0.25, "partial", "partial"),
        ("wrong", 0.0, "wrong", "wrong"),
        ("unparseable", 0.0, "unparseable", "unread"),
        (None, None, "answered", "not scored yet"),
    ],
)
def test_partial_credit_has_a_colour_and_a_word(
    outcome: str | None, value: float | None, kind: str, said: str
) -> None:
    about: dict[str, Any] = {"run": 1, "name": "m", "solver": "direct", "status": "complete", "repeat": 0}
    about |= {"rotation": 0, "state": "answered", "answer": "119 m", "error": None}
    one = ModelAnswer(**about, outcome=outcome, value=value)
    assert (wording.outcome_kind(one), wording.outcome(one)) == (kind, said)
    failed = one.model_copy(update={"state": "no_answer"})
    assert wording.outcome(failed) == "no answer"


def test_a_page_shows_partial_credit(make_database: Callable[[], Settings]) -> None:
    """`5` of 4 is neither right nor worth nothing; a question without such an answer says nothing of it."""
    settings = make_database()
    board = make_gsqa_board(settings)
    with serving(settings) as address, patient_client(address) as client:
        style = client.get("/static/trigpoint.css").text
        pages = [client.get(f"/datasets/toy_gsqa/questions/{one}").text for one in board.version.questions]
    partly = [page for page in pages if 'class="outcome partial">partial<' in page]
    assert partly
    assert {page for page in pages if 'id="partial"' in page} == set(partly)
    assert len(partly) < len(pages)
    assert re.search(r"\.outcome\.partial \{ background: var\(--part\)", style)


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
    benchmark = "urban_knowledge" if derive.endswith("_option") else "gsqa"
    own = words_of(benchmark, derive).margins
    assert [value for _, value in wording.margins(margin, own)] == said


def test_a_ratio_may_be_at_most_what_is_wanted() -> None:
    assert wording.margins({"behind_seconds": 49.2}) == [("The next best takes longer by", "49.2\u202fs")]
    told = wording.margins({"wanted": 0.9, "closest_ratio": 0.4, "outline": None})
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
    stations = [
        {"osm_key": "n1", "name": "Ladepark", "geodesic_m": 5_600.0},
        {"osm_key": "n2", "name": None, "geodesic_m": 7_000.5},
    ]
    told = {"tier": "10", "need_moves": 1, "density": None}
    assert wording.gold_values({"stations": stations, **told}) == [
        ("Any of these stations", "Ladepark, 5.6 km · n2, 7.0005 km"),
        ("The first is", "within 10 km"),
        ("Moves of 5 km to see it", "1"),
    ]
    by_car = [{**stations[0], "drive_s": 421.4}]
    assert wording.gold_values({"stations": by_car}) == [("Station", "Ladepark, 5.6 km, 7 min by car")]
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


COORDINATES = ["(9.50000, 47.10000)", "(9.46000, 47.13000)", "(9.55000, 47.08000)", "(9.51000, 47.16000)"]


def _coordinates_question(number: int, split: str) -> QuestionSpec:
    """Where the village's museum is; `number` is the index of the key."""
    options = [*COORDINATES[1:]]
    options.insert(number, COORDINATES[0])
    wrong: list[dict[str, Any]] = []
    for one in COORDINATES[1:]:
        lon, lat = one.strip("()").split(", ")
        wrong.append({"text": one, "osm_key": None, "lon": float(lon), "lat": float(lat)})
    gold = {"index": number, "text": COORDINATES[0], "objects": ["n1"]}
    asked = {"poi": "n1", "test": number}
    return QuestionSpec("Retrieve_Coordinates", "option", "Where is it?", gold, asked, options, wrong, split)


@pytest.fixture(scope="module")
def of_coordinates(make_database: Callable[[], Settings]) -> Iterator[Shown]:
    """A public question of coordinates, and four hidden ones that have their key at each letter."""
    settings = make_database()
    questions = [_coordinates_question(2, "public")]
    questions += [_coordinates_question(index, "hidden") for index in range(4) if index != 2]
    version = make_version(settings, questions, name="shown", publish=False)
    header = load_benchmarks()["urban_knowledge"].templates["Retrieve_Coordinates"].header.as_json()
    with connect(settings, Role.WORKER) as connection:
        for statement in (
            "update template set header = cast(:header as jsonb)",
            "insert into footprint (version_id, question_id, classes, osm_keys, name_keys, fact_ids, uses_outline)"
            " select version_id, id, array[]::text[], array['n1'], array[]::text[], array[]::text[], false"
            " from question",
            "update dataset_version set state = 'published', published_at = created_at",
        ):
            connection.execute(text(statement), {"header": json.dumps(header)})
        connection.commit()
    with serving(settings) as address, patient_client(address) as client:
        yield Shown(version, client)


def _pins(page: str) -> dict[str, tuple[str, float, float]]:
    """Role and place of each mark that has a letter."""
    found = re.findall(
        r'<g class="pin (\w+)" transform="translate\(([\d.]+) ([\d.]+)\)">.*?<text y="4.5">(\w)</text>', page
    )
    return {letter: (role, float(x), float(y)) for role, x, y, letter in found}


def test_the_map_of_a_coordinates_question_holds_its_options(of_coordinates: Shown) -> None:
    page, rest = of_coordinates.page(0), of_coordinates.rest(0)
    (svg,) = re.findall(r'<svg class="map" viewBox="0 0 800 [\d.]+" role="img".*?</svg>', page, re.S)
    height = float(re.findall(r'viewBox="0 0 800 ([\d.]+)"', svg)[0])
    pins = _pins(svg.replace("\n", ""))
    assert {letter: role for letter, (role, _, _) in pins.items()} == {
        "A": "wrong",
        "B": "wrong",
        "C": "gold",
        "D": "wrong",
    }
    for _, x, y in pins.values():
        assert 20 < x < 780
        assert 20 < y < height - 20
    assert '<path class="grid"' in svg
    west, south, east, north = rest["map"]["bbox"]
    for one in COORDINATES:
        lon, lat = map(float, one.strip("()").split(", "))
        assert west <= lon <= east
        assert south <= lat <= north
    for one in rest["wrong"]:
        assert re.fullmatch(
            r"That point lies [\d.\u202f]+ m from the place\.", one["why"].replace("\u202fm ", " m ")
        )


def test_the_map_of_a_hidden_coordinates_question_tells_no_key(of_coordinates: Shown) -> None:
    """All options are drawn alike: with the letters taken away, no map tells where the key stands."""
    drawn = set()
    for number in (1, 2, 3):
        page = of_coordinates.page(number)
        (svg,) = re.findall(r'<svg class="map" viewBox.*?</svg>', page, re.S)
        pins = _pins(svg.replace("\n", ""))
        assert {role for role, _, _ in pins.values()} == {"option"}
        assert list(pins) == ["A", "B", "C", "D"], "in the order of their letters"
        assert "OpenStreetMap" not in svg, "nothing of the map around"
        bare = re.findall(r'<g class="pin option".*?</g>', svg, re.S)
        drawn.add(frozenset(re.sub(r"option [A-D]|>[A-D]<", "", one) for one in bare))
        assert svg.count("<g class") == len(COORDINATES) + 1, "options, and the scale"
    assert len(drawn) == 1


@pytest.mark.parametrize(
    "options", [None, [], ["Adler", "Krone"], ["(9.50000, 47.10000)", "Krone"], ["(999.00000, 47.10000)"]]
)
def test_only_options_that_are_all_places_have_a_map(options: list[str] | None) -> None:
    assert option_map_of(options) is None


@pytest.mark.parametrize("far", [0.0001, 0.01, 1.0, 40.0])
def test_a_grid_has_round_degrees_at_every_scale(far: float) -> None:
    drawn = option_map_of([f"({9.5 + far:.5f}, 47.10000)", f"(9.50000, {47.1 - far:.5f})"])
    assert drawn is not None
    labels = [line.label for line in drawn.grid]
    assert 4 <= len(labels) <= 24
    assert len({(line.path[:2] == "M0", line.label) for line in drawn.grid}) == len(labels), (
        "each says where it is"
    )


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
