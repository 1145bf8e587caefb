"""What tags mean for travel: each rule of travel.toml, for a car, a bicycle and a person on foot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osm_import.speed_texts import read_duration, read_limit, read_speed
from osm_import.tag_tables import ROAD
from osm_import.travel_table import MODES, read_travel_table, travel_table
from osm_import.travelling import CLOSED, Passage, deciding_keys, node_barrier, turn_rules, way_travel

TABLE = travel_table()


def tags(text: str) -> dict[str, str]:
    """`a=b c=d` as tags."""
    return dict(pair.split("=", 1) for pair in text.split())


def passage(mode: str, text: str) -> Passage:
    travel = way_travel(tags(text), TABLE)
    return travel.passages[MODES.index(mode)] if travel else CLOSED


@pytest.mark.parametrize(
    ("mode", "text", "forward", "backward"),
    [
        # classes
        ("car", "highway=residential", 30, 30),
        ("car", "highway=footway", None, None),
        ("bicycle", "highway=footway", None, None),
        ("foot", "highway=footway", 5, 5),
        ("foot", "highway=steps", 3, 3),
        ("foot", "highway=motorway", None, None),
        ("bicycle", "highway=cycleway", 18, 18),
        ("foot", "highway=cycleway", None, None),
        ("foot", "highway=cycleway foot=yes", 5, 5),
        ("car", "highway=living_street", 10, 10),
        ("car", "highway=raceway", None, None),
        ("foot", "highway=construction", None, None),
        ("foot", "highway=pedestrian area=yes", None, None),
        ("foot", "highway=primary motorroad=yes", None, None),
        ("car", "highway=primary motorroad=yes", 65, 65),
        # tracks: a car only where a key says so, and access=yes says nothing of cars
        ("car", "highway=track", None, None),
        ("car", "highway=track access=yes", None, None),
        ("car", "highway=track motor_vehicle=yes", 20, 20),
        ("car", "highway=track motor_vehicle=yes tracktype=grade5", 10, 10),
        ("bicycle", "highway=track", 14, 14),
        ("bicycle", "highway=track tracktype=grade5", 8, 8),
        # access: the most particular key counts
        ("car", "highway=residential access=no", None, None),
        ("foot", "highway=residential access=no", None, None),
        ("foot", "highway=residential access=no foot=yes", 5, 5),
        ("car", "highway=residential vehicle=no motorcar=yes", 30, 30),
        ("bicycle", "highway=residential vehicle=no motorcar=yes", None, None),
        ("car", "highway=residential motor_vehicle=no", None, None),
        ("bicycle", "highway=residential motor_vehicle=no", 18, 18),
        ("car", "highway=residential motor_vehicle=forestry", None, None),
        ("car", "highway=residential motor_vehicle=agricultural;forestry", None, None),
        ("car", "highway=residential motor_vehicle=strange", 30, 30),
        ("car", "highway=residential access=no motor_vehicle=strange", None, None),
        ("car", "highway=service service=emergency_access", None, None),
        ("bicycle", "highway=path bicycle=dismount", 4, 4),
        ("bicycle", "highway=footway bicycle=yes", 10, 10),
        ("bicycle", "highway=residential bicycle=use_sidepath", None, None),
        # access in one direction
        ("car", "highway=residential motor_vehicle:backward=no", 30, None),
        ("bicycle", "highway=residential vehicle:forward=no bicycle:forward=yes", 18, 18),
        # oneway
        ("car", "highway=residential oneway=yes", 30, None),
        ("car", "highway=residential oneway=1", 30, None),
        ("car", "highway=residential oneway=-1", None, 30),
        ("car", "highway=residential oneway=strange", 30, 30),
        ("car", "highway=residential oneway=reversible", None, None),
        ("car", "highway=residential oneway=alternating", 30, 30),
        ("foot", "highway=residential oneway=yes", 5, 5),
        ("foot", "highway=steps oneway:foot=yes", 3, None),
        ("car", "highway=motorway", 110, None),
        ("car", "highway=motorway oneway=no", 110, 110),
        ("car", "highway=motorway_link", 60, 60),
        ("car", "highway=tertiary junction=roundabout", 45, None),
        ("bicycle", "highway=tertiary junction=circular", 18, None),
        ("car", "highway=residential oneway=yes oneway:motor_vehicle=no", 30, 30),
        # bicycles against the direction
        ("bicycle", "highway=residential oneway=yes", 18, None),
        ("bicycle", "highway=residential oneway=yes oneway:bicycle=no", 18, 18),
        ("bicycle", "highway=residential oneway=-1 oneway:bicycle=no", 18, 18),
        ("bicycle", "highway=residential oneway=yes cycleway=opposite", 18, 18),
        ("bicycle", "highway=residential oneway=yes cycleway=lane", 18, None),
        ("bicycle", "highway=residential oneway=yes cycleway:left=opposite_lane", 18, 18),
        ("bicycle", "highway=residential oneway=yes cycleway:left:oneway=-1", 18, 18),
        ("bicycle", "highway=residential oneway=yes cycleway=opposite oneway:bicycle=yes", 18, None),
        ("car", "highway=residential oneway=yes cycleway=opposite", 30, None),
        # speeds
        ("car", "highway=residential maxspeed=50", 50, 50),
        ("car", "highway=residential maxspeed=50 surface=cobblestone", 30, 30),
        ("bicycle", "highway=residential maxspeed=10", 18, 18),
        ("car", "highway=residential maxspeed:forward=50 maxspeed:backward=30", 30, 30),
        ("car", "highway=service service=parking_aisle maxspeed=30", 10, 10),
        # ferries
        ("foot", "route=ferry", 15, 15),
        ("car", "route=ferry", None, None),
        ("car", "route=ferry access=yes", None, None),
        ("car", "route=ferry motor_vehicle=yes", 15, 15),
        ("foot", "route=ferry foot=no", None, None),
        ("car", "route=hiking", None, None),
    ],
)
def test_where_and_how_fast(mode: str, text: str, forward: float | None, backward: float | None) -> None:
    found = passage(mode, text)
    assert (found.forward, found.backward) == (forward, backward)


@pytest.mark.parametrize(
    ("mode", "text", "destination"),
    [
        ("car", "highway=residential access=private", True),
        ("foot", "highway=residential access=private", True),
        ("car", "highway=residential motor_vehicle=destination", True),
        ("foot", "highway=residential motor_vehicle=destination", False),
        ("car", "highway=residential motor_vehicle=destination;agricultural", True),
        ("car", "highway=residential access=customers vehicle=yes", False),
        ("car", "highway=residential access=no", False),
    ],
)
def test_only_to_a_place_on_it(mode: str, text: str, destination: bool) -> None:
    assert passage(mode, text).destination is destination


@pytest.mark.parametrize(
    ("text", "kmh"),
    [
        ("50", 50), ("50 km/h", 50), ("30 mph", 48.28032), ("30mph", 48.28032), ("10 knots", 18.52), ("7.5", 7.5),
        ("none", 130), ("walk", 6), ("50;30", 30), ("50; signals", 50), ("500", 150),
        ("DE:urban", 50), ("RU:urban", 60), ("DE:rural", 100), ("XX:rural", 90), ("DE:zone:30", 30), ("CH:zone30", 30),
        ("GB:nsl_single", 96.56064), ("GB:zone20", 32.18688), ("BE-VLG:rural", 70), ("FR:30", 30),
        ("0", None), ("0 mph", None), ("signals", None), ("variable", None), ("fast", None), ("-50", None),
        ("50 furlongs", None), ("", None), ("５０", None), ("9" * 50, None), ("XX:nowhere", None), ("DE:zone:²", None),
    ],
)  # fmt: skip
def test_speeds_as_people_write_them(text: str, kmh: float | None) -> None:
    assert read_speed(text, TABLE.speeds) == (None if kmh is None else pytest.approx(kmh))


def test_the_first_key_that_can_be_read_tells_the_limit() -> None:
    assert read_limit(tags("maxspeed=signals source:maxspeed=DE:urban"), TABLE.speeds) == 50
    assert read_limit(tags("maxspeed=40 source:maxspeed=DE:urban"), TABLE.speeds) == 40
    assert read_limit(tags("maxspeed:backward=40"), TABLE.speeds) == 40
    assert read_limit({}, TABLE.speeds) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("20", 1200), ("1:30", 5400), ("01:30:30", 5430), ("PT20M", 1200), ("PT1H30M", 5400), ("PT45S", 45),
        ("0", None), ("00:00", None), ("PT", None), ("half an hour", None), ("1:", None), ("", None),
    ],
)  # fmt: skip
def test_durations(text: str, seconds: float | None) -> None:
    assert read_duration(text) == seconds


@pytest.mark.parametrize(
    ("text", "passable"),
    [
        ("barrier=bollard", (False, True, True)),
        ("barrier=gate", (True, True, True)),
        ("barrier=gate locked=yes", (False, False, False)),
        ("barrier=gate locked=yes motor_vehicle=yes", (True, False, False)),
        ("barrier=gate access=no", (False, False, False)),
        ("barrier=gate access=private", (True, True, True)),
        ("barrier=gate access=no foot=yes bicycle=yes", (False, True, True)),
        ("barrier=bollard motor_vehicle=permissive", (True, True, True)),
        ("barrier=cycle_barrier", (False, True, True)),
        ("barrier=stile", (False, False, True)),
        ("barrier=fence", (False, False, False)),
        ("barrier=something_new", (False, False, True)),
        ("barrier=toll_booth", (True, True, True)),
    ],
)
def test_barriers(text: str, passable: tuple[bool, ...]) -> None:
    found = node_barrier(tags(text), TABLE)
    assert found
    assert found.passable == passable


def test_a_node_without_a_barrier_stops_nobody() -> None:
    assert node_barrier(tags("highway=crossing"), TABLE) is None


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("restriction=no_left_turn", [("no_left_turn", (True, True, False))]),
        ("restriction=no_left_turn except=bicycle", [("no_left_turn", (True, False, False))]),
        ("restriction=no_left_turn except=psv;motorcar", [("no_left_turn", (False, True, False))]),
        ("restriction=no_u_turn except=psv", [("no_u_turn", (True, True, False))]),
        ("restriction:hgv=no_u_turn", []),
        ("restriction:conditional=no_left_turn_@_(Mo-Fr)", []),
        ("restriction:bicycle=no_left_turn", [("no_left_turn", (False, True, False))]),
        ("restriction:foot=no_left_turn", [("no_left_turn", (False, False, True))]),
        (
            "restriction=no_left_turn restriction:motorcar=no_u_turn",
            [("no_u_turn", (True, False, False)), ("no_left_turn", (False, True, False))],
        ),
    ],
)
def test_turn_restrictions_by_mode(text: str, rules: list[tuple[str, tuple[bool, ...]]]) -> None:
    assert [tuple(one) for one in turn_rules(tags(text), TABLE)] == rules


def test_every_class_of_road_is_decided_for_each_mode() -> None:
    """A class that no mode may travel is left out knowingly."""
    known = {klass for mode in TABLE.modes for klass in (*mode.kmh, *mode.kmh_if_allowed)}
    assert ROAD - known == {"raceway", "via_ferrata", "bus_guideway"}
    assert known - ROAD == {"ferry"}


KEYS = sorted(deciding_keys(TABLE))
VALUES = (
    "yes",
    "no",
    "private",
    "-1",
    "residential",
    "track",
    "ferry",
    "30",
    "roundabout",
    "opposite",
    "gravel",
    "x;no",
)


@given(
    st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES), max_size=6),
    st.dictionaries(st.text(), st.text()),
)
def test_other_keys_decide_nothing(deciding: dict[str, str], others: dict[str, str]) -> None:
    more = {key: value for key, value in others.items() if key not in deciding_keys(TABLE)}
    travel = way_travel({**more, **deciding}, TABLE)
    assert travel == way_travel(deciding, TABLE)
    for one in travel.passages if travel else ():
        assert all(speed is None or 0 < speed <= TABLE.speeds.most for speed in (one.forward, one.backward))


def test_faults_of_the_table_are_told() -> None:
    text = '[access]\nopen = "yes"\nclosed = "no yes"\n[barriers.closed_by]\n[oneway]\n[restrictions]\nkinds = ""\n'
    with pytest.raises(ValueError, match=r"gives yes two meanings in \[access\]: open, closed"):
        read_travel_table("version = 1\n" + text)
