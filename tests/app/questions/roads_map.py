"""A map for the questions about roads; truth by hand. Places are put down by metres east and north of a crossing."""

from tests.town import BOX, Map, Place, offset

MIDDLE = (10.0, 50.0)


def at(east: float, north: float, middle: Place = MIDDLE) -> Place:
    """So many metres east and north of a place."""
    up = offset(middle, 0 if north >= 0 else 180, abs(north))
    return offset(up, 90 if east >= 0 else 270, abs(east))


def make_roads() -> Map:
    """The map."""
    made = Map()
    _lengths(made)
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
