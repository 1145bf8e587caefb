from typing import Any

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from pyproj import Geod

from app.core.errors import ProofError
from app.questions.second_path import Layers, Row, SecondAnswer, second_path_templates
from app.questions.second_path.answering import second_path
from app.templates.catalogue import load_benchmarks
from tests.support.second_path import answer

NEAREST = {"anchor": "n1", "category": "restaurant"}


def ask(town: Any, template: str, **parameters: Any) -> SecondAnswer:
    return answer(town.layers(), template, {**NEAREST, **parameters})


def test_every_template_has_a_second_path() -> None:
    for benchmark in load_benchmarks().values():
        assert set(benchmark.templates) <= set(second_path_templates(benchmark.name))


def test_a_template_has_only_one_second_path(town: Any) -> None:
    with pytest.raises(ValueError, match="T5 of gsqa already has second path"):
        second_path("gsqa", "T5")(lambda layers, parameters: SecondAnswer({}))
    with pytest.raises(ProofError, match="T99 of gsqa has no second path"):
        ask(town, "T99")


def test_nearest_is_named_with_its_place_and_distance(town: Any) -> None:
    town.poi("n2", 100, 30, "Adler")
    town.poi("n3", 111, 200, "Krone", ("bar", "restaurant"))
    town.poi("n4", 50, 0, "Bohne", ("cafe",))
    found = ask(town, "T5")
    lon, lat = town.at(100, 30)
    assert found.refusal is None
    assert found.value["names"] == ["Adler"]
    assert found.value["tolerated"] == []
    (nearest,) = found.value["objects"]
    assert nearest == {
        "osm_key": "n2",
        "name": "Adler",
        "lon": pytest.approx(lon),
        "lat": pytest.approx(lat),
        "distance": pytest.approx(100, abs=1e-6),
    }
    assert found.facts["second"] == pytest.approx(111, abs=1e-6)
    assert found.facts["search_radius"] == pytest.approx(110, abs=1e-6)
    assert found.facts["outline_distance"] == pytest.approx(10_000, rel=0.01)
    assert ask(town, "T5", category="food").value["names"] == ["Bohne"]


def test_azimuth_is_measured_at_the_anchor(town: Any) -> None:
    town.poi("n2", 100, 359.75, None)
    found = ask(town, "T22")
    assert found.refusal is None
    assert found.value["azimuth"] == pytest.approx(359.75, abs=1e-6)
    assert [one["osm_key"] for one in found.value["objects"]] == ["n2"]


def test_the_anchor_is_not_its_own_answer(town: Any) -> None:
    town.poi("n2", 10, 0, "Adler")
    town.poi("n3", 110, 0, "Krone")
    assert ask(town, "T5", anchor="n2").value["names"] == ["Krone"]


@pytest.mark.parametrize("template", ["T5", "T22", "T9"])
@pytest.mark.parametrize(("second", "refusal"), [(109.9, "margin"), (110.1, None)])
def test_second_nearest_must_keep_the_margin(
    town: Any, template: str, second: float, refusal: str | None
) -> None:
    town.poi("n2", 100, 0, "Adler")
    town.poi("n3", second, 5, "Krone")
    assert ask(town, template, sector=0).refusal == refusal


@pytest.mark.parametrize("template", ["T5", "T22", "T9"])
def test_rules_of_the_nearest(town: Any, template: str) -> None:
    town.poi("n2", 100, 0, "Adler", repaired=True)
    assert ask(town, template, sector=0).refusal == "repaired_geometry"
    town.poi("n3", 19.9, 0, "Krone")
    assert ask(town, template, sector=0).refusal == "too_near"
    assert ask(town, template, sector=0, category="cafe").refusal == "no_candidate"
    assert ask(town, template, sector=0, anchor="n99").refusal == "unknown_object"
    assert ask(town, template, sector=0, anchor="n2").refusal == "repaired_geometry"
    assert ask(town, template, sector=0, category="pub").refusal == "bad_parameters"
    assert ask(town, template, sector=0, anchor=7).refusal == "bad_parameters"
    assert ask(town, template, sector=0, category="pub").value == {}


def test_a_repaired_rival_counts_only_within_the_margin(town: Any) -> None:
    town.poi("n2", 100, 0, "Adler")
    town.poi("n3", 111, 0, "Krone", repaired=True)
    assert ask(town, "T5").refusal is None
    town.poi("n4", 109, 0, "Linde", repaired=True)
    assert ask(town, "T5").refusal == "repaired_geometry"


def test_an_unnamed_nearest_has_no_name_to_ask_for(town: Any) -> None:
    town.poi("n2", 100, 0, None)
    assert ask(town, "T5").refusal == "unnamed_answer"
    assert ask(town, "T9", sector=0).refusal == "unnamed_answer"
    assert ask(town, "T22").refusal is None


def test_a_neighbour_at_the_same_place_is_too_near(town: Any) -> None:
    town.poi("n2", 0, 0, "Adler")
    assert ask(town, "T22").refusal == "too_near"
    assert ask(town, "T5").refusal == "too_near"
    assert ask(town, "T9", sector=0).refusal == "no_candidate"


@pytest.mark.parametrize("template", ["T5", "T22", "T9", "T1"])
def test_the_search_area_must_lie_in_the_outline(town: Any, template: str) -> None:
    town.poi("n2", 100, 0, "Adler")
    for number in range(4):
        town.poi(f"n{number + 3}", 5000, 90, f"Far {number}")
    # T1 searches 150 + 5 m, the others 100 + 10 m.
    reach = 155 if template == "T1" else 110
    parameters = {"sector": 0, "distance": 150}
    town.outline = town.square(2 * reach + 1)
    assert ask(town, template, **parameters).refusal is None
    town.outline = town.square(2 * reach - 1)
    assert ask(town, template, **parameters).refusal == "leaves_outline"
    town.outline = town.square(400, 1000, 90)
    assert ask(town, template, **parameters).refusal == "leaves_outline"
    town.outline = None
    assert ask(town, template, **parameters).refusal == "no_outline"


def test_only_the_sector_counts(town: Any) -> None:
    town.poi("n2", 100, 90, "East")
    town.poi("n3", 300, 350, "North")
    town.poi("n4", 400, 10, "Farther north")
    found = ask(town, "T9", sector=0)
    assert found.refusal is None
    assert found.value["names"] == ["North"]
    assert found.facts["edge_degrees"] == pytest.approx(12.5, abs=1e-6)
    assert ask(town, "T9", sector=2).value["names"] == ["East"]
    assert ask(town, "T9", sector=4).refusal == "no_candidate"
    assert ask(town, "T9", sector=8).refusal == "bad_parameters"
    assert ask(town, "T9", sector=True).refusal == "bad_parameters"


@pytest.mark.parametrize(
    ("metres", "azimuth", "refusal"),
    [
        (50, 23.4, "near_sector_edge"),
        (50, 21.6, "near_sector_edge"),  # in the sector, and then the nearest of it
        (50, 23.6, None),
        (109, 338.4, "near_sector_edge"),
        (109, 336.6, "near_sector_edge"),
        (109, 336.4, None),
        (111, 336.6, None),
    ],
)
def test_no_rival_near_a_sector_edge(town: Any, metres: float, azimuth: float, refusal: str | None) -> None:
    town.poi("n2", 100, 0, "Adler")
    town.poi("n3", metres, azimuth, "Krone")
    found = ask(town, "T9", sector=0)
    expected = refusal if (metres, azimuth) != (109, 338.4) else "margin"
    assert found.refusal == expected
    if refusal:
        assert found.facts["edge_degrees"] < 1


def test_range_counts_on_the_certain_and_tolerates_the_rest(town: Any) -> None:
    for number, metres in enumerate([100, 989, 991, 1009, 1011, *[5000] * 20], start=2):
        town.poi(f"n{number:02}", metres, 10 * number, f"Haus {number:02}")
    town.poi("n90", 50, 0, None)
    town.poi("n91", 60, 0, "Haus 02", ("cafe",))
    found = ask(town, "T1", distance=1000)
    assert found.refusal is None
    assert found.value["names"] == ["Haus 02", "Haus 03"]
    assert [one["osm_key"] for one in found.value["objects"]] == ["n02", "n03"]
    assert [one["osm_key"] for one in found.value["tolerated"]] == ["n04", "n05"]
    assert ask(town, "T1", distance=90).refusal == "zero"
    assert ask(town, "T1", distance=-1).refusal == "bad_parameters"
    assert ask(town, "T1", distance="far").refusal == "bad_parameters"


def test_names_are_distinct_and_in_order(town: Any) -> None:
    for number, name in enumerate(["b", "A", "b", "ä", "Z"], start=2):
        town.poi(f"n{number}", 10 * number, 0, name)
    for number in range(20):
        town.poi(f"w{number}", 5000, 0, "far")
    found = ask(town, "T1", distance=500)
    assert found.value["names"] == ["A", "Z", "b", "ä"]
    assert [one["osm_key"] for one in found.value["objects"]] == ["n2", "n3", "n4", "n5", "n6"]


def test_range_must_be_selective(town: Any) -> None:
    for number in range(20):
        town.poi(f"n{number + 2}", 100 + number, 0, f"Haus {number}")
    for number in range(60):
        town.poi(f"w{number}", 5000, 0, f"Hof {number}")
    assert ask(town, "T1", distance=500).refusal is None
    town.poi("n50", 200, 0, "Haus 50")
    assert ask(town, "T1", distance=500).refusal == "too_many"
    assert ask(town, "T1", distance=119).refusal is None
    town.rows["poi"] = [row for row in town.rows["poi"] if row.osm_key[0] != "w"]
    assert ask(town, "T1", distance=110).refusal == "not_selective"


@pytest.mark.parametrize(("others", "refusal"), [(15, None), (14, "not_selective")])
def test_at_most_a_quarter_of_the_category(town: Any, others: int, refusal: str | None) -> None:
    for number in range(5):
        town.poi(f"n{number + 2}", 100 + number, 0, f"Haus {number}")
    for number in range(others):
        town.poi(f"w{number}", 5000, 0, f"Hof {number}")
        town.poi(f"r{number}", 5000, 0, None)
    found = ask(town, "T1", distance=500)
    assert found.refusal == refusal
    assert found.facts["named_of_category"] == 5 + others


def test_repaired_objects_keep_out_of_ranges(town: Any) -> None:
    town.poi("n2", 100, 0, "Adler")
    for number in range(20):
        town.poi(f"w{number}", 5000, 0, f"Hof {number}")
    town.poi("n3", 204, 0, "Krone", repaired=True)
    assert ask(town, "T1", distance=200).refusal == "repaired_geometry"
    assert ask(town, "T1", distance=190).refusal is None


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(20, 3000), st.floats(0, 360)), min_size=1, max_size=30))
def test_answers_are_those_of_brute_force(places: list[tuple[float, float]]) -> None:
    geod = Geod(ellps="WGS84")
    spots = [geod.fwd(9.5, 47.1, azimuth, metres)[:2] for metres, azimuth in places]
    rows = [Row("n1", "Museum", "museum", ("museum",), {}, False, shapely.to_wkb(shapely.Point(9.5, 47.1)))]
    for number, spot in enumerate(spots):
        wkb = shapely.to_wkb(shapely.Point(spot))
        rows.append(Row(f"w{number}", f"Haus {number}", "cafe", ("cafe",), {}, False, wkb))
    layers = Layers.from_rows({"poi": rows})
    distances = [geod.inv(9.5, 47.1, *spot)[2] for spot in spots]
    parameters = {"anchor": "n1", "category": "cafe", "distance": 1500}
    nearest = answer(layers, "T5", parameters).value["objects"][0]
    assert nearest["distance"] == pytest.approx(min(distances), abs=1e-6)
    inside = {f"w{number}" for number, distance in enumerate(distances) if distance <= 1485}
    assert {one["osm_key"] for one in answer(layers, "T1", parameters).value["objects"]} == inside
