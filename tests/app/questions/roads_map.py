"""A map for the questions about roads; truth by hand. Places are put down by metres east and north of a crossing."""

from tests.support.town import BOX, Map, Place, offset, rectangle

MIDDLE = (10.0, 50.0)


def at(east: float, north: float, middle: Place = MIDDLE) -> Place:
    """So many metres east and north of a place."""
    up = offset(middle, 0 if north >= 0 else 180, abs(north))
    return offset(up, 90 if east >= 0 else 270, abs(east))


def make_roads() -> Map:
    """The map."""
    made = Map()
    _lengths(made)
    _junctions(made)
    return made


def straight(made: Map, name: str, start: Place, metres: float, **tags: str) -> str:
    """A street eastwards, of two nodes of its own."""
    tags = {"highway": "residential", "name": name} | tags
    return made.way([start, offset(start, 90, metres)], closed=False, **tags)


def _lengths(made: Map) -> None:
    """Fifteen kilometres north, each road alone."""
    place = at(0, 15_000)
    row = 0

    def road(name: str, metres: float, **tags: str) -> str:
        nonlocal row
        row += 1
        return straight(made, name, offset(place, 0, 100 * row), metres, **tags)

    road("Twin Street", 400)
    road("Twin Street", 250.2)  # the other carriageway counts too
    road("Twin Street", 900, motor_vehicle="no")  # closed to cars
    road("Twin Street", 700, highway="footway")
    road("Just Long Enough", 300.2)
    road("Just Too Short", 299.8)
    road("Half a Metre", 500.5)  # 500 m or 501 m
    road("Gasse", 600)
    road("GASSE", 700)  # reads the same
    road("Foot Only", 800, highway="path")
    # One road leaves the outline, one ends on its edge: both may go on beyond.
    edge = (BOX[2], place[1])
    straight(made, "Leaving", offset(edge, 270, 500), 1000)
    ending = made.node(offset(edge, 270, 700))
    made.through([ending, made.node((BOX[2], made.places[ending][1]))], highway="tertiary", name="Ending")


Lanes = dict[float, list[str]]
"""Metres east of a field's middle: the names of the lanes that meet the street there."""


def field(made: Map, name: str, middle: Place, lanes: Lanes, strangers: int = 3) -> dict[float | str, str]:
    """A field of 400 by 400 m, a street of its name through it, lanes that meet the street, and roads that do not.

    Gives the nodes of the street by metres east of the middle, and those at the lanes' ends by the lanes' names.
    """
    made.way(rectangle(middle, 0, 0, 400, 400), landuse="industrial", name=f"{name} Field")
    nodes: dict[float | str, str] = {
        east: made.node(at(east, 0, middle)) for east in sorted({-400.0, 400.0, *lanes})
    }
    made.through(list(nodes.values()), highway="residential", name=f"{name} Street")
    for east, names in lanes.items():
        for number, lane in enumerate(names):
            nodes[lane] = made.node(at(east, 100 * (-1) ** number, middle))
            made.through([nodes[east], nodes[lane]], highway="residential", name=lane)
    for number in range(strangers):
        straight(made, f"{name} Stranger {number}", at(-150, -30 * (number + 2), middle), 60)
    return nodes


def _junctions(made: Map) -> None:
    """Fields two kilometres apart, each for one rule; what stands 50 m off the field's edge is 250 m off its middle."""
    middles = (at(2000 * column, -2000 * row) for row in range(5) for column in range(-4, 5))
    plain: Lanes = {-150: ["{} West"], 0: ["{} Middle"], 150: ["{} East"]}

    def named(name: str, lanes: Lanes) -> Lanes:
        return {east: [lane.format(name) for lane in ones] for east, ones in lanes.items()}

    def make(name: str, lanes: Lanes = plain, strangers: int = 3) -> tuple[dict[float | str, str], Place]:
        middle = next(middles)
        return field(made, name, middle, named(name, lanes), strangers), middle

    _, middle = make("Bridge")  # Bridge Over crosses west of all junctions and shares no node
    over = [made.node(at(-180, north, middle)) for north in (-150, 150)]
    made.through(over, highway="primary", bridge="yes", layer="1", name="Bridge Over")
    make("Edge", {-249.5: ["{} West"], 0: ["{} Middle"], 150: ["{} East"]})
    make("Inside", {-248.5: ["{} West"], 0: ["{} Middle"], 150: ["{} East"]})
    make("Outside", {-251.5: ["{} West"], 0: ["{} Middle"], 150: ["{} East"]})
    make("Crowded", {-150: ["{} West", "{} Wester"], 150: ["{} East"]})
    make("Loop", {-150: ["{} Back"], 150: ["{} Back"]})
    make("Single", {0: ["{} Middle"]})
    make("Lonely", strangers=1)
    make("Sparse", strangers=2)
    nodes, middle = make("Others", {-150: ["{} West"], 150: ["{} East"]})
    unnamed, foot = (made.node(at(east, 100, middle)) for east in (-400, 400))
    made.through([nodes[-400], unnamed], highway="residential")
    made.through([nodes[400], foot], highway="footway", name="Others Foot")
    for name, metres in (("Mostly", 60), ("Halves", 200)):  # a second piece beside one of 500 m
        _, middle = make(name)
        straight(made, f"{name} Street", at(0, 150, middle), metres)
    _ring(made, next(middles))
    two: Lanes = {-150: ["{} West"], 150: ["{} East"]}
    nodes, middle = make("Hop")
    made.through([nodes["Hop West"], made.node(at(-120, 150, middle))], highway="service", name="Hop Second")
    nodes, middle = make("Few", two, 4)
    made.through([nodes["Few West"], made.node(at(-120, 150, middle))], highway="service", name="Few Second")
    nodes, middle = make("Far", {**two, 300: ["{} Outer"]}, 2)
    made.through(
        [nodes["Far Outer"], made.node(at(160, 120, middle))], highway="residential", name="Far Outer"
    )
    make("Rim", {**two, 249.5: ["{} Edge"]})
    make("Pair", two, 2)
    # A path of the name of a road, and a road behind a roundabout without a name, both west of all junctions.
    nodes, middle = make("Walked", {**plain, -190: []})
    made.through([nodes[-190], made.node(at(-190, 60, middle))], highway="footway", name="Walked Path")
    straight(made, "Walked Path", at(-150, -180, middle), 60)
    nodes, middle = make("Round", {**plain, -190: []})
    circle = [nodes[-190], *(made.node(at(-190 + east, 20, middle)) for east in (-10, 10)), nodes[-190]]
    made.through(circle, highway="residential", junction="roundabout")
    made.through([circle[1], made.node(at(-200, 90, middle))], highway="residential", name="Round Behind")
    field(made, "Border", offset((BOX[2], 50.0), 270, 240), named("Border", plain))


def _ring(made: Map, middle: Place) -> None:
    """A street that ends where it begins."""
    made.way(rectangle(middle, 0, 0, 400, 400), landuse="industrial", name="Ring Field")
    corners = [made.node(place) for place in rectangle(middle, 0, 0, 200, 200)]
    made.through([*corners, corners[0]], highway="residential", name="Ring Street")
    for number, corner in enumerate(corners[:2]):
        end = made.node(at(0, 20 * number, middle))
        made.through([corner, end], highway="residential", name=f"Spoke {number}")
    for number in range(3):
        straight(made, f"Ring Stranger {number}", at(-180, 150 + 10 * number, middle), 60)
