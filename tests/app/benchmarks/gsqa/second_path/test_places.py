"""Second path of questions for a place: each rule from rows in memory, without SQL."""

from typing import Any

import pytest
import shapely

from app.questions.second_path import SecondAnswer
from tests.support.second_path import answer

TOWARDS = {"anchor": "n1", "towards": "n9", "category": "restaurant", "distance": 1000}
FILTER = {"anchor": "n1", "category": "restaurant:cuisine=pizza", "distance": 1000}


def ask(town: Any, template: str, usual: dict[str, Any], **more: Any) -> SecondAnswer:
    return answer(town.layers(), template, {**usual, **more})


def keys(found: SecondAnswer, part: str = "objects") -> list[str]:
    return [one["osm_key"] for one in found.value[part]]


def crowd(town: Any) -> None:
    """Named restaurants far off, so that a few near by are no quarter of all."""
    for number in range(40):
        town.poi(f"w{number}", 8000, 200, f"Far {number}")


@pytest.mark.parametrize("bearing", [2.0, 358.0, 90.0, 180.0])
@pytest.mark.parametrize(
    ("aside", "part"),
    [
        (0, "objects"),
        (-21.4, "objects"),
        (21.4, "objects"),
        (-21.6, "tolerated"),
        (-23.4, "tolerated"),
        (22.6, "tolerated"),
        (23.6, None),
        (-23.6, None),
        (180, None),
    ],
)
def test_towards_wraps_and_tolerates_a_degree(
    town: Any, bearing: float, aside: float, part: str | None
) -> None:
    crowd(town)
    town.poi("n9", 5000, bearing, "Goal", ("museum",))
    town.poi("n2", 500, bearing, "Certain")
    town.poi("n3", 600, (bearing + aside) % 360, "Asked")
    for template in ("T4", "T16"):
        found = ask(town, template, TOWARDS)
        assert found.refusal is None
        assert ("n3" in keys(found)) is (part == "objects")
        assert ("n3" in keys(found, "tolerated")) is (part == "tolerated")


def test_a_direction_means_little_at_the_door(town: Any) -> None:
    crowd(town)
    town.poi("n9", 5000, 0, "Goal", ("museum",))
    town.poi("n2", 500, 0, "Certain")
    town.poi("n3", 19.9, 0, "Door")
    found = ask(town, "T16", TOWARDS)
    assert (keys(found), keys(found, "tolerated")) == (["n2"], ["n3"])


@pytest.mark.parametrize(
    ("apart", "refusal"),
    [(599, "anchors_apart"), (601, None), (49_999, None), (50_001, "anchors_apart"), (0, "anchors_apart")],
)
@pytest.mark.parametrize("template", ["T4", "T10", "T16", "T20"])
def test_anchors_must_give_a_direction(town: Any, template: str, apart: float, refusal: str | None) -> None:
    crowd(town)
    town.poi("n9", apart, 45, "Goal", ("museum",))
    town.poi("n2", 500, 45, "Inn")
    assert ask(town, template, TOWARDS).refusal == refusal


@pytest.mark.parametrize("template", ["T4", "T10", "T16", "T20"])
def test_the_second_anchor_is_no_answer(town: Any, template: str) -> None:
    crowd(town)
    town.poi("n9", 900, 45, "Goal", ("hotel", "restaurant"))
    assert ask(town, template, TOWARDS).refusal == "names_itself"
    town.poi("n2", 500, 45, "Inn")
    nearer = None if template in ("T10", "T20") else "names_itself"
    assert ask(town, template, TOWARDS).refusal == nearer


@pytest.mark.parametrize("template", ["T5", "T17", "T10", "T20"])
def test_anchors_have_their_names_alone(town: Any, template: str) -> None:
    town.poi("n9", 5000, 45, "Goal", ("museum",))
    town.poi("n2", 500, 45, "Inn")
    assert ask(town, template, TOWARDS).refusal is None
    town.poi("n8", 6000, 45, "MUSEUM", ("bench",))
    assert ask(town, template, TOWARDS).refusal == "anchor_not_unique"


def tagged(town: Any, key: str, metres: float, name: str | None, klass: str, **tags: str) -> None:
    place = shapely.Point(*town.at(metres, 10))
    town.add("poi", key, place, name, klass, classes=(klass,), tags=tags)


@pytest.mark.parametrize(
    ("category", "klass", "tags", "counts"),
    [
        ("restaurant:cuisine=pizza", "restaurant", {"cuisine": "kebab ; pizza"}, True),
        ("restaurant:cuisine=pizza", "restaurant", {"cuisine": "pizzas"}, False),
        ("restaurant:cuisine=pizza", "fast_food", {"cuisine": "pizza"}, False),
        ("restaurant:takeaway=yes", "restaurant", {"takeaway": "only"}, True),
        ("restaurant:takeaway=yes", "restaurant", {"takeaway": "no"}, False),
        ("cafe:outdoor_seating=yes", "cafe", {"outdoor_seating": "terrace"}, True),
        ("hospital:emergency=yes", "hospital", {"emergency": "yes"}, True),
        ("hospital:emergency=yes", "hospital", {"emergency": "designated"}, False),
    ],
)
def test_what_a_filter_lets_through(
    town: Any, category: str, klass: str, tags: dict[str, str], counts: bool
) -> None:
    tagged(town, "n2", 500, "Asked", klass, **tags)
    found = ask(town, "T18", FILTER, category=category)
    assert found.refusal == (None if counts else "no_candidate")


@pytest.mark.parametrize(
    "category",
    ["restaurant", "restaurant:capacity=40", "museum:start_date=1900", "hospital:emergency=no", "bar:cuisine=pizza",
     "restaurant:takeaway=no", "restaurant:cuisine=", 7],
)  # fmt: skip
def test_facts_and_other_tags_are_no_filters(town: Any, category: object) -> None:
    tagged(town, "n2", 500, "Asked", "restaurant", capacity="40", cuisine="pizza")
    for template in ("T2", "T6", "T14", "T18"):
        assert ask(town, template, FILTER, category=category).refusal == "bad_parameters"


def test_the_anchors_own_class_is_not_asked_for(town: Any) -> None:
    tagged(town, "n2", 500, "Asked", "museum", museum="history")
    assert ask(town, "T6", FILTER, category="museum:museum=history").refusal == "own_class"


def test_locations_need_no_name(town: Any) -> None:
    crowd(town)
    town.poi("n2", 500, 45, None)
    assert keys(ask(town, "T13", TOWARDS)) == keys(ask(town, "T17", TOWARDS)) == ["n2"]
    assert ask(town, "T1", TOWARDS).refusal == "zero"
    assert ask(town, "T5", TOWARDS).refusal == "unnamed_answer"
