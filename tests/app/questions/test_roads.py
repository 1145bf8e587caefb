"""Questions about roads on a hand-checked map: keys, each reason of refusal, and what makes an option wrong."""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from app.core.names import bare_form
from app.core.settings import Settings
from app.questions.accepting import accept_questions
from app.questions.derivations import Case, derive
from app.questions.readings import read_question
from app.questions.terms import Terms
from tests.app.questions.roads_map import make_roads
from tests.support.second_path import answer, rules_of, wrong_options
from tests.support.town import Asker, Imported, import_map, template_of


@pytest.fixture(scope="module")
def roads(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """The map of roads_map.py; read only."""
    made = make_roads()
    file = made.write(tmp_path_factory.mktemp("roads") / "roads.osm")
    settings = make_database()
    import_map(settings, file, "roads")
    return Imported(settings, "roads", file, made)


@pytest.fixture(scope="module")
def asker(roads: Imported) -> Iterator[Asker]:
    with roads.connect() as connection:
        yield Asker.on(connection, roads.name)


def test_a_road_is_all_its_drivable_ways(asker: Asker, roads: Imported) -> None:
    one = asker.accepted("Query_Length", road=roads.key("Twin Street"))
    assert one.gold["text"] == "650 m"
    assert one.gold["length"] == pytest.approx(650.2, abs=0.05)
    assert len(one.gold["objects"]) == 2
    assert one.options is not None
    assert sorted(one.options) == sorted(["650 m", "100 m", "1300 m", "1951 m"])
    assert set(one.derived.evidence) == {("road", key) for key in one.gold["objects"]}


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("Just Long Enough", "300 m"),
        ("Just Too Short", "too_short"),
        ("Half a Metre", "near_rounding"),
        ("Leaving", "leaves_outline"),
        ("Ending", "leaves_outline"),
    ],
)
def test_lengths_that_are_asked_for(asker: Asker, roads: Imported, name: str, outcome: str) -> None:
    found = asker.ask("Query_Length", road=roads.key(name))
    assert (found if isinstance(found, str) else found.gold["text"]) == outcome


def test_roads_that_are_offered(asker: Asker, roads: Imported) -> None:
    offered = set(asker.values("Query_Length", "road"))
    assert roads.key("Twin Street") in offered
    for name in ("Gasse", "GASSE", "Foot Only"):  # two that read alike, and one that is not for cars
        assert roads.key(name) not in offered


def stretch(roads: Imported, name: str) -> str:
    return f"{roads.key(f'{name} Street')} {roads.key(f'{name} Field')}"


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("Bridge", "Bridge East and Bridge West"),
        ("Edge", "near_area_edge"),
        ("Inside", "Inside East and Inside West"),
        ("Outside", "Outside East and Outside Middle"),
        ("Crowded", "ambiguous_junction"),
        ("Loop", "one_cross_road"),
        ("Single", "no_answer"),
        ("Lonely", "too_few_distractors"),
        ("Sparse", "Sparse East and Sparse West"),
        ("Others", "Others East and Others West"),
        ("Mostly", "Mostly East and Mostly West"),  # 500 of 560 m
        ("Halves", "in_parts"),  # 500 of 700 m
        ("Ring", "closed_road"),
        ("Border", "leaves_outline"),
    ],
)
def test_first_and_last_junctions(asker: Asker, roads: Imported, name: str, outcome: str) -> None:
    found = asker.ask("Find_Junctions", stretch=stretch(roads, name))
    assert (found if isinstance(found, str) else found.gold["text"]) == outcome
    if not isinstance(found, str):
        assert found.options is not None
        assert len({bare_form(option) for option in found.options}) == 4


@pytest.mark.parametrize(
    ("template", "form", "name", "matter"),
    [
        ("Find_Junctions", None, "Sparse", set()),
        ("Find_Junctions", None, "Bridge", {"bridges"}),
        ("Find_Junctions", None, "Inside", set()),
        ("Find_Junctions", None, "Walked", {"any_way"}),
        ("Find_Junctions", None, "Round", {"unnamed_between"}),
        ("Identify_Connections", "connected", "Pair", set()),
        ("Identify_Connections", "connected", "Walked", {"any_way"}),
        ("Identify_Connections", "connected", "Round", {"unnamed_between"}),
        ("Identify_Connections", "connected", "Bridge", {"bridges"}),
        ("Identify_Connections", "not_connected", "Hop", set()),
    ],
)
def test_readings_of_a_road_in_an_area(
    asker: Asker, roads: Imported, template: str, form: str | None, name: str, matter: set[str]
) -> None:
    parameters = {"stretch": stretch(roads, name), **({"form": form} if form else {})}
    found = answer(asker.layers, template, parameters)
    reading = read_question(asker.layers, rules_of(template), parameters, found)
    assert reading is not None
    assert reading.matter == matter
    assert read_question(asker.layers, rules_of(template, 7), parameters, found) is None


def test_a_bridge_is_no_junction_and_a_shared_node_is(asker: Asker, roads: Imported) -> None:
    """The bridge crosses the street west of every junction, on the ground 30 m from the first."""
    parameters = {"stretch": stretch(roads, "Bridge")}
    second = answer(asker.layers, "Find_Junctions", parameters)
    assert [names for _, *names in second.facts["junctions"]] == [
        ["Bridge West"],
        ["Bridge Middle"],
        ["Bridge East"],
    ]
    options = [
        second.value["text"],
        "Bridge East and Bridge Over",
        "Bridge East and Bridge Middle",
        "x and y",
    ]
    verdicts = wrong_options(asker.layers, "Find_Junctions", parameters, second, options, 0)
    assert [one.wrong for one in verdicts] == [True, False, False]
    assert verdicts[0].why == "Bridge Over shares no node with the road"
    assert verdicts[1].why == "both roads share a node with the road"


def test_wrong_pairs_replace_one_road_or_both(asker: Asker, roads: Imported) -> None:
    key = {"Bridge East", "Bridge West"}
    strangers = {"Bridge Over", *(f"Bridge Stranger {number}" for number in range(3))}
    replaced = set()
    for seed in range(8):
        drawing = Asker(asker.connection, asker.snapshot, asker.layers, seed)
        one = drawing.accepted("Find_Junctions", stretch=stretch(roads, "Bridge"))
        for wrong in one.distractors or ():
            names = set(wrong["text"].split(" and "))
            assert names <= key | strangers
            replaced.add(len(names & strangers))
            assert sorted(roads.key(name) for name in names & strangers) == wrong["osm_keys"]
    assert replaced == {1, 2}


@pytest.mark.parametrize(
    ("name", "form", "outcome"),
    [
        ("Hop", "not_connected", {"Hop Second"}),
        ("Hop", "connected", "other_form"),
        ("Few", "connected", {"Few West", "Few East"}),
        ("Few", "not_connected", "other_form"),
        ("Single", "connected", {"Single Middle"}),
        ("Bridge", "not_connected", "other_form"),  # three are connected, and nothing with them
        ("Bridge", "connected", {"Bridge West", "Bridge Middle", "Bridge East"}),
        ("Pair", "connected", "too_few_distractors"),
        ("Far", "connected", "too_few_distractors"),  # the third meets the street 100 m outside the field
        ("Rim", "connected", "near_area_edge"),
        ("Inside", "connected", {"Inside West", "Inside Middle", "Inside East"}),
        ("Border", "connected", "leaves_outline"),
    ],
)
def test_connections(asker: Asker, roads: Imported, name: str, form: str, outcome: str | set[str]) -> None:
    found = asker.ask("Identify_Connections", stretch=stretch(roads, name), form=form)
    if isinstance(outcome, str):
        assert found == outcome
    else:
        assert not isinstance(found, str), found
        assert found.gold["text"] in outcome


def connections_of(
    hops: dict[int, int], form: str, stretch: str = "w1 w2", stands: bool = False
) -> str | None:
    """The refusal of a road with so many others by hop, or none; `stands`: asked again of a stored question."""
    rows = [
        {
            "hop": hop,
            "name": f"{hop} {i}",
            "turn": "",
            "osm_key": "w1",
            "osm_keys": [],
            "repaired": False,
            "doubtful": False,
        }
        for hop, number in hops.items()
        for i in range(number)
    ]
    facts = {} if stands else {"stretch": {"inside": True}}
    return derive(
        "urban_knowledge",
        "connection_option",
        Case(rows, {"form": form, "stretch": stretch}, {}, {"few": 2}, facts),
    ).refusal


def test_which_way_a_road_is_asked_about() -> None:
    """Where both can be, a hash says which; a question that stands may be of either."""
    both = {1: 3, 2: 1, 3: 2}
    asked: Counter[str | None] = Counter()
    for number in range(400):
        (refused,) = {
            connections_of(both, form, f"w{number} w1") for form in ("connected", "not_connected")
        } - {None}
        assert refused == "other_form"
        asked[connections_of(both, "connected", f"w{number} w1")] += 1
    assert 160 < asked[None] < 240
    assert {connections_of(both, form, stands=True) for form in ("connected", "not_connected")} == {None}
    for hops, connected, not_connected in (
        ({1: 3, 2: 1, 3: 1}, "other_form", None),  # a connected one would have two wrong options
        ({1: 3, 3: 3}, None, "other_form"),
        ({1: 3, 3: 2}, "no_second_hop", "no_second_hop"),
        ({1: 2, 2: 5}, None, "other_form"),
        ({2: 5}, "no_answer", "no_answer"),
    ):
        assert connections_of(hops, "connected") == connected
        assert connections_of(hops, "not_connected") == not_connected


def test_wrong_connections(asker: Asker, roads: Imported) -> None:
    one = asker.accepted("Identify_Connections", stretch=stretch(roads, "Hop"), form="not_connected")
    assert {wrong["text"] for wrong in one.distractors or ()} == {"Hop West", "Hop Middle", "Hop East"}
    one = asker.accepted("Identify_Connections", stretch=stretch(roads, "Few"), form="connected")
    wrong = {wrong["text"] for wrong in one.distractors or ()}
    assert "Few Second" in wrong, "two hops away comes first"
    assert wrong - {"Few Second"} <= {f"Few Stranger {number}" for number in range(4)}


@pytest.mark.parametrize(("name", "direct"), [("Inside", 3), ("Outside", 2), ("Far", 2)])
def test_what_is_connected_up_to_fifty_metres_around_the_area_counts(
    asker: Asker, roads: Imported, name: str, direct: int
) -> None:
    """48.5 m, 51.5 m and 100 m off."""
    parameters = {"stretch": stretch(roads, name), "form": "connected"}
    assert len(answer(asker.layers, "Identify_Connections", parameters).facts["direct"]) == direct


def test_what_is_connected_outside_the_area_is_not_proved_wrong(asker: Asker, roads: Imported) -> None:
    parameters = {"stretch": stretch(roads, "Far"), "form": "connected"}
    second = answer(asker.layers, "Identify_Connections", parameters)
    options = [second.value["text"], "Far Outer", "Far Stranger 0", "Nobody's Lane"]
    verdicts = wrong_options(asker.layers, "Identify_Connections", parameters, second, options, 0)
    assert [one.wrong for one in verdicts] == [False, True, False]
    parameters = {"stretch": stretch(roads, "Hop"), "form": "not_connected"}
    second = answer(asker.layers, "Identify_Connections", parameters)
    options = ["Hop Second", "Hop East", "Hop Stranger 0", "Bridge Over"]
    verdicts = wrong_options(asker.layers, "Identify_Connections", parameters, second, options, 0)
    assert [one.wrong for one in verdicts] == [True, False, False]


def test_a_bridge_connects_nothing(asker: Asker, roads: Imported) -> None:
    second = answer(
        asker.layers, "Identify_Connections", {"stretch": stretch(roads, "Bridge"), "form": "not_connected"}
    )
    assert second.facts["met"] == ["Bridge East", "Bridge Middle", "Bridge West"]


@pytest.mark.parametrize(
    ("template", "least"), [("Query_Length", 300), ("Find_Junctions", 15), ("Identify_Connections", 5)]
)
def test_every_road_of_a_country_by_both_ways(liechtenstein: Imported, template: str, least: int) -> None:
    """Whatever the SQL accepts, the second path finds too, with every wrong option proved."""
    with liechtenstein.connect() as connection:
        asking = Asker.on(connection, liechtenstein.name)
        found = accept_questions(asking.ground, template_of(template), Terms(0), 10**6, set())
    assert len(found.accepted) + sum(found.refused.values()) == found.capacity
    assert len(found.accepted) >= least
    assert "second_path_disagrees" not in found.refused
