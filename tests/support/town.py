"""A toy town whose answers are known by hand, as OSM XML; and how tests import maps and ask single tuples.

Clusters lie five kilometres apart around lon 10, lat 50, so that each holds one rule. Every place is put down by a
geodesic offset (metres, degrees clockwise from true north) from its cluster's museum; OSM keeps seven decimals,
about a centimetre. The header's box is the outline, as a .poly file beside the map says: most of the box holds nothing.
"""

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from pyproj import Geod
from sqlalchemy import Connection

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect, use_schema
from app.questions.accepting import Accepted, Asking
from app.questions.drawing import FIRST_VARIANT, OptionsWanted
from app.questions.picking import Pick, Tuple, open_space
from app.questions.records import SnapshotRef
from app.questions.second_path import Layers
from app.questions.snapshots import find_snapshots_with_facts
from app.questions.terms import Ground, Terms
from app.questions.text_forms import length_in_words
from app.templates.catalogue import Benchmark, load_benchmarks
from app.templates.templates import Template
from osm_import.importing import ImportResult, import_extract
from osm_import.progress import Silent

GEOD = Geod(ellps="WGS84")
Place = tuple[float, float]
Box = tuple[float, float, float, float]
TIMESTAMP = "2024-05-06T07:08:09Z"
BOX = (9.6, 49.8, 10.4, 50.2)
"""The town's outline: west, south, east, north."""


def offset(start: Place, azimuth: float, metres: float) -> Place:
    """The place `metres` from `start` along the geodesic that leaves it at `azimuth`, as OSM keeps it."""
    lon, lat, _ = GEOD.fwd(start[0], start[1], azimuth, metres)
    return round(lon, 7), round(lat, 7)


def apart(one: Place, other: Place) -> tuple[float, float]:
    """(metres, azimuth in [0, 360)) from `one` to `other`."""
    azimuth, _, metres = GEOD.inv(*one, *other)
    return metres, azimuth % 360


def rectangle(centre: Place, east: float, north: float, wide: float, high: float) -> list[Place]:
    """Corners of a box `wide` by `high` metres whose middle lies `east`, `north` metres of `centre`."""

    def corner(x: float, y: float) -> Place:
        up = offset(centre, 0 if y >= 0 else 180, abs(y))
        return offset((centre[0], up[1]), 90 if x >= 0 else 270, abs(x))[0], up[1]

    west, south = corner(east - wide / 2, north - high / 2)
    right, top = corner(east + wide / 2, north + high / 2)
    return [(west, south), (right, south), (right, top), (west, top)]


def area_of(ring: list[Place]) -> float:
    """Square metres of a polygon with geodesic edges."""
    lons, lats = zip(*ring, strict=True)
    return float(abs(GEOD.polygon_area_perimeter(lons, lats)[0]))


ANCHORS: Mapping[str, frozenset[str]] = {
    "tourism": frozenset("aquarium attraction viewpoint theme_park museum gallery zoo hotel".split()),
    "leisure": frozenset({"park", "garden", "stadium", "nature_reserve"}),
    "amenity": frozenset({"university", "hospital", "hospital;restaurant"}),
}
"""Tags of what questions start from."""


@dataclass
class Map:
    """OSM objects in the making; `box` is the header's, None leaves it out."""

    box: Box | None = BOX
    is_whole: bool = True
    """Whether a .poly file says that the map is complete in its box, however little lies there."""
    timestamp: str | None = TIMESTAMP
    places: dict[str, Place] = field(default_factory=dict)
    """Where each thing with a key was put."""
    names: dict[str, str] = field(default_factory=dict)
    """Key by name, of named things."""
    _objects: dict[str, list[str]] = field(default_factory=lambda: {"node": [], "way": [], "relation": []})
    _last: int = 0

    def _key(self) -> int:
        self._last += 1
        return self._last

    def _add(self, kind: str, number: int, attributes: str, inner: str, tags: Mapping[str, str]) -> str:
        if "name" in tags and any(tags.get(key) in values for key, values in ANCHORS.items()):
            tags = {"addr:country": "LI", **tags}  # an anchor is told by more than its name
        rows = "".join(f"<tag k={quoteattr(k)} v={quoteattr(v)}/>" for k, v in tags.items())
        time = f' timestamp="{self.timestamp}"' if self.timestamp else ""
        self._objects[kind].append(
            f'<{kind} id="{number}" version="1"{time}{attributes}>{inner}{rows}</{kind}>'
        )
        key = f"{kind[0]}{number}"
        if "name" in tags:
            self.names.setdefault(tags["name"], key)
        return key

    def node(self, place: Place, **tags: str) -> str:
        """A node; gives its key."""
        number = self._key()
        key = self._add("node", number, f' lon="{place[0]:.7f}" lat="{place[1]:.7f}"', "", _tags(tags))
        self.places[key] = place
        return key

    def way(self, ring: list[Place], closed: bool = True, **tags: str) -> str:
        """A way through new nodes, closed by default; gives its key."""
        refs = [self.node(place)[1:] for place in ring]
        refs += refs[:1] if closed else []
        return self._add("way", self._key(), "", "".join(f'<nd ref="{ref}"/>' for ref in refs), _tags(tags))

    def through(self, nodes: list[str], **tags: str) -> str:
        """A way through nodes that are there already, by their keys; gives its key."""
        return self._add(
            "way", self._key(), "", "".join(f'<nd ref="{node[1:]}"/>' for node in nodes), _tags(tags)
        )

    def area(self, outer: list[Place], *inner: list[Place], **tags: str) -> str:
        """A multipolygon relation of one outer ring and holes; gives its key."""
        members = [
            (self.way(ring)[1:], role)
            for ring, role in [(outer, "outer"), *((hole, "inner") for hole in inner)]
        ]
        rows = "".join(f'<member type="way" ref="{ref}" role="{role}"/>' for ref, role in members)
        return self._add("relation", self._key(), "", rows, _tags({"type": "multipolygon", **tags}))

    def turn(self, klass: str, before: str, node: str, after: str) -> str:
        """A turn restriction from a way over a node to a way, by their keys; gives its key."""
        members = ((before, "from", "way"), (node, "via", "node"), (after, "to", "way"))
        rows = "".join(
            f'<member type="{kind}" ref="{key[1:]}" role="{role}"/>' for key, role, kind in members
        )
        return self._add(
            "relation", self._key(), "", rows, _tags({"type": "restriction", "restriction": klass})
        )

    def eat(
        self,
        start: Place,
        azimuth: float,
        metres: float,
        name: str | None,
        kind: str = "restaurant",
        **tags: str,
    ) -> str:
        """A place to eat at an offset."""
        named = {"name": name} if name else {}
        return self.node(offset(start, azimuth, metres), amenity=kind, **named, **tags)

    def xml(self) -> str:
        """The whole as an .osm file."""
        bounds = (
            '<bounds minlon="{}" minlat="{}" maxlon="{}" maxlat="{}"/>'.format(*self.box) if self.box else ""
        )
        body = "\n".join(row for kind in self._objects.values() for row in kind)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<osm version="0.6">{bounds}\n{body}\n</osm>\n'

    def write(self, path: Path) -> Path:
        """Write the map to a file, and beside it where it is complete."""
        path.write_text(self.xml(), encoding="utf-8")
        write_poly(path, self.box if self.is_whole else None)
        return path


def write_poly(path: Path, box: Box | None) -> None:
    """Say beside a map that it is complete in the box west, south, east, north, however little lies there."""
    poly = path.with_name(path.name.partition(".")[0] + ".poly")
    if box is None:
        poly.unlink(missing_ok=True)
    else:
        poly.write_text(poly_of(box), encoding="utf-8")


def poly_of(box: Box) -> str:
    """The text of a .poly file of that box."""
    west, south, east, north = box
    sides = [(west, east)] if west < east else [(west, 180.0), (-180.0, east)]
    rings = [((one, south), (other, south), (other, north), (one, north)) for one, other in sides]
    corners = ["".join(f" {lon} {lat}\n" for lon, lat in ring) for ring in rings]
    return "box\n" + "".join(f"{number}\n{lines}END\n" for number, lines in enumerate(corners, 1)) + "END\n"


def _tags(tags: Mapping[str, str]) -> dict[str, str]:
    return {key.replace("__", ":"): value for key, value in tags.items()}


def _cluster(east: int, north: int) -> Place:
    up = offset((10.0, 50.0), 0 if north >= 0 else 180, 5000 * abs(north))
    return offset(up, 90 if east >= 0 else 270, 5000 * abs(east))


HARD_NAME = 'Käfer & "Söhne" {anchor} 100% \'s'
RTL_NAME = "مطعم السلام"
EMOJI_NAME = "Pizza 🍕 {0} %s"


PIZZA = {"cuisine": "pizza", "takeaway": "yes"}
"""Five places of the town have these tags, so that categories can be narrowed."""


def make_town() -> Map:
    """The town. Distances and azimuths below are the hand-checked truth of the tests."""
    town = Map()
    _nearest_rules(town)
    _sector_rules(town)
    _range_rules(town)
    _region_rules(town)
    _area_rules(town)
    _neighbours(town)
    _line_rules(town)
    _address_rules(town)
    _court_rules(town)
    _junction_rules(town)
    _count_rules(town)
    _scene_rules(town)
    return town


NEIGHBOURS = (
    ("Mirka", "Tolsa"), ("Fendo", "Ruwig"), ("Hasbe", "Lopin"), ("Quirl", "Venta"), ("Jodra", "Sipke"), ("Bulmo", "Gatyx"),
)  # fmt: skip
"""Shops 60 m apart, pair by pair, that share no word: neighbours in the town do, so their questions are refused."""


def make_town_of_neighbours() -> Map:
    """The town, and in its empty south-west the pairs."""
    town = make_town()
    for number, pair in enumerate(NEIGHBOURS):
        middle = offset((9.765, 49.875), 90, 300 * number)
        for place, name in zip((middle, offset(middle, 0, 60)), pair, strict=True):
            town.node(place, shop="florist", name=name)
    return town


def _museum(town: Map, name: str, east: int, north: int, **tags: str) -> Place:
    place = _cluster(east, north)
    town.node(place, tourism="museum", name=f"Museum {name}", **tags)
    return place


def _nearest_rules(town: Map) -> None:
    # Alpha: the plain case. Nearest restaurant Adler, 100 m at 80 degrees; the second is 150 m behind.
    address = {"addr__street": "Ring", "addr__housenumber": "5", "addr__city": "Toyville"}
    alpha = _museum(town, "Alpha", 0, 0, architect="Anna Beck", start_date="1984-05-06", **address)
    town.eat(alpha, 80, 100, "Adler", **PIZZA)
    town.eat(alpha, 200, 250, "Krone")
    town.eat(alpha, 300, 400, None)
    # The hotel is a restaurant too: not its own answer, and an answer for others. 260 m east of Alpha.
    hotel = town.node(offset(alpha, 90, 500), tourism="hotel", amenity="restaurant", name="Hotel Post")
    town.eat(town.places[hotel], 90, 700, HARD_NAME, "cafe")

    # Omega is a hospital with a restaurant of its own; the next one is 120 m off.
    omega = _cluster(-3, 0)
    town.node(omega, amenity="hospital;restaurant", name="Hospital Omega")
    town.eat(omega, 0, 120, "Omega Inn", **PIZZA)

    # Beta: 100 and 109 m (margin 10 m); cafes 600 and 611 m (2 % are 12 m); fast food 600 and 613 m.
    beta = _museum(town, "Beta", 1, 0)
    town.eat(beta, 10, 100, "Beta One")
    town.eat(beta, 190, 109, "Beta Two")
    town.eat(beta, 10, 600, "Beta Cafe One", "cafe")
    town.eat(beta, 190, 611, "Beta Cafe Two", "cafe")
    town.eat(beta, 10, 601, "Beta Snack One", "fast_food")
    town.eat(beta, 190, 614, "Beta Snack Two", "fast_food")

    # Gamma: a restaurant at 19 m is no journey; a cafe at 21 m is.
    gamma = _museum(town, "Gamma", 2, 0)
    town.eat(gamma, 10, 19, "Gamma Inn")
    town.eat(gamma, 10, 21, "Gamma Cafe", "cafe")

    # Delta: the nearest has no name; the cafe's nearest is a bow tie that had to be repaired.
    delta = _museum(town, "Delta", 3, 0)
    town.eat(delta, 90, 50, None)
    town.eat(delta, 90, 200, "Delta Inn")
    a, b, c, d = rectangle(delta, 0, 150, 20, 20)
    town.way([a, c, b, d], amenity="cafe", name="Delta Bow Tie")

    # Epsilon: the outline's east edge (a meridian) is 200 m away. Restaurant at 150 m looks 160 m far,
    # the cafe at 195 m looks 205 m far.
    edge_lat = _cluster(0, 1)[1]
    epsilon = offset((BOX[2], edge_lat), 270, 200)
    town.node(epsilon, tourism="museum", name="Museum Epsilon")
    town.eat(epsilon, 270, 150, "Epsilon Inn", **PIZZA)
    town.eat(epsilon, 270, 195, "Epsilon Cafe", "cafe")
    # The same below the north edge, a parallel: the geodesic between its corners runs 75 m north of its middle.
    top = offset((10.0, BOX[3]), 180, 200)
    town.node(top, tourism="museum", name="Museum Top")
    town.eat(top, 180, 150, "Top Inn")
    town.eat(top, 180, 195, "Top Cafe", "cafe")
    # West looks 110 m far, and has 105.
    west = offset((BOX[0], _cluster(0, 1)[1]), 90, 105)
    town.node(west, tourism="museum", name="Museum West")
    town.node(offset(west, 90, 100), shop="kiosk", name="Kiosk West")
    # And above the south edge, where that geodesic runs 75 m inside.
    bottom = offset((10.0, BOX[1]), 0, 200)
    town.node(bottom, tourism="museum", name="Museum Bottom")
    town.eat(bottom, 0, 150, "Bottom Inn")
    town.eat(bottom, 0, 195, "Bottom Cafe", "cafe")


def _sector_rules(town: Map) -> None:
    # Zeta: north is [337.5, 22.5). Restaurant at 22.0 is half a degree from the edge; cafe at 21.0 is 1.5 degrees
    # from it; fast food at 350 is north by wrapping, one at 10 lies behind it.
    zeta = _museum(town, "Zeta", 0, 1)
    town.eat(zeta, 22.0, 200, "Zeta Inn")
    town.eat(zeta, 21.0, 300, "Zeta Cafe", "cafe")
    town.eat(zeta, 350, 250, "Zeta Snack", "fast_food")
    town.eat(zeta, 10, 400, "Zeta Snack Two", "fast_food")
    # Eta: the cafe east at 200 m, but another at 67.0 degrees (half a degree outside) is nearer: refused.
    # The restaurant outside lies beyond the search radius (210 m), so that one stands.
    eta = _museum(town, "Eta", 1, 1)
    town.eat(eta, 90, 200, "Eta Cafe", "cafe")
    town.eat(eta, 67.0, 150, "Eta Cafe Outside", "cafe")
    town.eat(eta, 90, 220, "Eta Inn")
    town.eat(eta, 67.0, 300, "Eta Inn Outside")


def _range_rules(town: Map) -> None:
    # Theta, 400 m (tolerance 5 m): Kette at 100 and at 300 m are certain; 396 and 404 m are tolerated, 406 is out.
    theta = _museum(town, "Theta", 2, 1)
    town.eat(theta, 0, 100, "Kette")
    town.eat(theta, 90, 300, "Kette")
    town.eat(theta, 180, 200, None)
    town.eat(theta, 180, 396, "Theta Inside Edge")
    town.eat(theta, 270, 404, "Theta Outside Edge")
    town.eat(theta, 45, 406, "Theta Beyond", **PIZZA)
    # Iota: 22 cafes, nobody needs to know any of them; further off a few that give the category its extent.
    iota = _museum(town, "Iota", 3, 1)
    for number in range(22):
        town.eat(iota, 16 * number, 60 + 5 * number, f"Iota Cafe {number}", "cafe")
    # Odd names near an anchor with an odd name.
    odd = _cluster(3, -1)
    town.node(odd, tourism="gallery", name="Galerie {region} %d")
    town.eat(odd, 90, 100, RTL_NAME)
    town.eat(odd, 180, 100, EMOJI_NAME, "fast_food")


TOYVILLE = rectangle(_cluster(-2, 1), 0, 0, 2000, 2000)
PARK_ONE = rectangle(_cluster(-2, 1), 0, 0, 200, 200)
PARK_TWO = rectangle(_cluster(-2, 1), 100, 0, 200, 200)  # overlaps the east half of the first
PARK_EDGE = rectangle(_cluster(-2, 1), 1000, 0, 300, 100)  # half of it beyond the region's east edge
LAKE = rectangle(_cluster(-2, 1), -500, -500, 300, 200)
ISLET = rectangle(_cluster(-2, 1), -500, -500, 50, 40)


def _region_rules(town: Map) -> None:
    # Toyville, two kilometres square: three restaurants inside (one unnamed), one 50 m outside; a cafe half a
    # metre inside its north edge; no fast food.
    middle = _cluster(-2, 1)
    known = {"boundary": "administrative", "admin_level": "8", "wikidata": "Q1"}
    town.area(TOYVILLE, name="Toyville", place="town", **known)
    town.eat(middle, 45, 800, "Ville One", **PIZZA)
    town.eat(middle, 135, 800, "Ville Two")
    town.eat(middle, 225, 800, None)
    north = offset(middle, 0, 1000)
    town.eat(north, 0, 50, "Ville Outside")
    town.eat(north, 180, 0.5, "Ville Edge Cafe", "cafe")
    town.way(PARK_ONE, leisure="park", name="Park One")
    town.way(PARK_TWO, leisure="park")
    town.way(PARK_EDGE, leisure="park")
    town.area(LAKE, ISLET, natural="water", name="Toy Lake")
    a, b, c, d = rectangle(middle, 500, 500, 100, 100)
    town.way([a, c, b, d], leisure="nature_reserve", name="Bow Tie Reserve")
    # Longshire, twenty kilometres long: the geodesic between its south corners runs nine metres inside its middle.
    # An inn and a museum four metres inside the straight edge are inside.
    low = _cluster(0, -3)
    shire = rectangle(low, 0, 0, 20000, 1000)
    town.area(shire, name="Longshire", place="county", **known)
    inn = offset((low[0], shire[0][1]), 0, 4)
    town.eat(inn, 0, 0, "Shire Inn")
    town.way(shire, landuse="farmland", name="Shire Farm")
    # Not asked for: without an item, twins, beyond the outline.
    town.area(
        rectangle(middle, -2500, 0, 500, 500),
        name="Unknown",
        boundary="administrative",
        admin_level="8",
        place="town",
    )
    for east in (-3500, -4500):
        town.area(rectangle(middle, east, 0, 500, 500), name="Twin", place="village", **known)
    beyond = (BOX[0], _cluster(0, -1)[1])
    town.area(rectangle(beyond, 0, 0, 1000, 1000), name="Edgeland", place="island", **known)


QUAD = rectangle(_cluster(-1, -1), 0, 0, 200, 200)
CAMPUS = rectangle(_cluster(-1, -1), 0, 0, 1000, 1000)
CLINIC = rectangle(_cluster(0, -1), 0, 0, 100, 100)
SAME_SIZE = (rectangle(_cluster(1, -1), 0, 0, 200, 200), rectangle(_cluster(1, -1), 0, 0, 201, 200))
SQUARES = {"Square Four": 400, "Square Three": 300, "Square Two": 200, "Square Same": 395}


def _area_rules(town: Map) -> None:
    # A museum in the quad in the campus; a gallery half a metre inside the quad's west edge.
    middle = _cluster(-1, -1)
    town.way(CAMPUS, amenity="university", name="Big Campus")
    town.way(QUAD, leisure="park", name="Small Quad")
    town.node(offset(middle, 45, 50), tourism="museum", name="Museum Quad")
    town.node(offset((QUAD[0][0], middle[1]), 90, 0.5), tourism="gallery", name="Gallery Edge")
    # The clinic's own point lies in the clinic's area of the same name.
    town.way(CLINIC, amenity="hospital", name="Toy Clinic")
    # Two areas of nearly the same size (0.5 % apart) around one museum.
    town.way(SAME_SIZE[0], landuse="grass", name="Meadow Small")
    town.way(SAME_SIZE[1], landuse="meadow", name="Meadow Large")
    town.node(_cluster(1, -1), tourism="museum", name="Museum Meadow")
    # Squares to compare; the same-sized one has 97 % of the largest.
    for number, (name, side) in enumerate(SQUARES.items()):
        town.way(rectangle(_cluster(2, -1), 600 * number - 900, 0, side, side), landuse="forest", name=name)
    # Nobody's: far from every area of interest.
    town.node(_cluster(-3, -1), tourism="artwork", name="Lonely Statue")


def _neighbours(town: Map) -> None:
    # The zoo's nearest named neighbour is the kiosk, 100 m; a bar, 300 m; 500 to 1,000 m away something in each
    # quarter of the horizon. The nameless bench shop is nearer, and does not count.
    zoo = _cluster(-1, 1)
    town.node(zoo, tourism="zoo", name="Toy Zoo")
    town.node(offset(zoo, 0, 40), shop="kiosk")
    town.node(offset(zoo, 0, 100), shop="kiosk", name="Kiosk Corner")
    town.node(offset(zoo, 170, 300), amenity="bar", name="Bar Behind")
    for azimuth, name in ((45, "Bank NE"), (135, "Bank SE"), (225, "Bank SW"), (315, "Bank NW")):
        town.node(offset(zoo, azimuth, 700), amenity="bank", name=name)


STREETS = {"Toy Street": (300, 400), "Long Lane": (600,)}
"""Metres of the ways of each, in Toyville; the first is one street in two ways."""


def _line_rules(town: Map) -> None:
    # In Toyville. Border Road is a kilometre long, 200 m of it inside; Rand runs on the east edge, Stub leaves it.
    middle = _cluster(-2, 1)

    def at(east: float, north: float) -> Place:
        up = offset(middle, 0 if north >= 0 else 180, abs(north))
        return offset(up, 90 if east >= 0 else 270, abs(east))

    def way(start: Place, metres: float, **tags: str) -> Place:
        end = offset(start, 90, metres)
        town.way([start, end], closed=False, **tags)
        return end

    for number, (name, pieces) in enumerate(STREETS.items()):
        start = at(-800, -200 - 100 * number)
        for metres in pieces:
            start = way(start, metres, highway="residential", name=name)
    way(at(800, -400), 1000, highway="residential", name="Border Road")
    town.way(TOYVILLE[1:3], closed=False, highway="residential", name="Rand")
    way((TOYVILLE[1][0], middle[1]), 3000, highway="residential", name="Stub")
    way(at(-800, 300), 300, highway="footway", name="Path One")
    way(at(-800, 320), 305, highway="footway", name="Path Two")
    way(at(-800, 340), 500, highway="tertiary")
    way(at(-800, 360), 50, highway="primary", name="Short Cut")
    way(at(-800, 380), 400, waterway="river", name="Toy River")
    way(at(-800, 400), 150, waterway="stream", name="Toy Brook")
    # 400 by 400 m, 20 m of them inside; 100 by 100 m wholly inside; and one that shares the east edge only.
    town.way(rectangle(middle, 1180, -700, 400, 400), boundary="protected_area", name="Reserve Wide")
    town.way(rectangle(middle, 0, -700, 100, 100), boundary="protected_area", name="Reserve Small")
    east, (low, high) = TOYVILLE[1][0], (at(0, 400)[1], at(0, 500)[1])
    far = offset((east, low), 90, 300)[0]
    ring = [(east, low), (far, low), (far, high), (east, high)]
    town.way(ring, boundary="national_park", name="Touching Park")


SHOPS = {
    "Haus Korn": ("bakery", "1"),
    "Haus Wurst": ("butcher", "5"),
    "Haus Rosa": ("florist", "7"),
    "Haus Klar": ("optician", "9"),
    "Haus Wort": ("books", "11"),
    "Haus Blatt": ("greengrocer", "11a"),
    "Haus Naht": ("tailor", None),
    "Market Lane": ("shoes", "17"),
    "Haus Gold": ("jewelry", "3-5"),
    "Haus Band": ("fabric", "21"),
}
"""Class and house number in Market Lane, 20 m from each other."""
MARKET = {"addr__street": "Market Lane", "addr__city": "Toyville", "addr__postcode": "9999"}


def _address_rules(town: Map) -> None:
    # 11 and 11a may be one house, and so may 5 and 3-5; a tailor has no number, a shoe shop bears the lane's name.
    middle = _cluster(2, 3)
    for number, (name, (shop, house)) in enumerate(SHOPS.items()):
        address = MARKET | ({"addr__housenumber": house} if house else {})
        town.node(offset(middle, 90, 20 * number), shop=shop, name=name, **address)
    # Away from there: a second bakery, and a shop of no kind.
    town.node(offset(middle, 0, 3000), shop="bakery", name="Haus Brot")
    town.node(offset(middle, 0, 3100), shop="yes", name="Haus Eck")


COURTS = {
    "Green": "retail",
    "White": "industrial",
    "Black": "residential",
    "Brown": "religious",
    "Amber": "education",
}
"""Ground of five areas of 100 by 100 metres, 200 m from each other, with an address and three stands each."""


BARNS = {"Grey Yard": None, "Red Forum": "31", "Blue Barn": "41", "Pink Barn": "41b"}
"""Four more areas with their house numbers: none, one whose name says the street, two that may be one house."""


def _court_rules(town: Map) -> None:
    for number, (name, house) in enumerate(BARNS.items()):
        middle = offset(_cluster(1, 3), 90, 200 * (number + len(COURTS)))
        told = {**MARKET, "addr__street": "Forum Way"} | ({"addr__housenumber": house} if house else {})
        town.way(rectangle(middle, 0, 0, 100, 100), True, landuse="farmyard", name=name, **told)
    far = offset(_cluster(1, 3), 0, 2000)
    town.way(rectangle(far, 0, 0, 100, 100), True, landuse="residential", natural="wood", name="Mixed Ground")
    town.way(rectangle(far, 300, 0, 100, 100), True, landuse="basin", name="Water Works")
    for number, (colour, ground) in enumerate(COURTS.items()):
        middle = offset(_cluster(1, 3), 90, 200 * number)
        address = {**MARKET, "addr__street": "Forum Way", "addr__housenumber": str(2 * number + 1)}
        town.way(rectangle(middle, 0, 0, 100, 100), True, landuse=ground, name=f"{colour} Court", **address)
        for stand in range(3):
            town.node(offset(middle, 120 * stand, 20), shop="kiosk", name=f"{colour} Stand {stand + 1}")


def _junction_rules(town: Map) -> None:
    # Main Street crosses Junction Field from west to east and meets First, Middle and Last Lane. Bridge Road passes
    # over it. Second Hop leaves First Lane; Quiet Lane and Park Lane meet nothing.
    middle = _cluster(2, 2)

    def node(east: float, north: float) -> str:
        up = offset(middle, 0 if north >= 0 else 180, abs(north))
        return town.node(offset(up, 90 if east >= 0 else 270, abs(east)))

    town.way(rectangle(middle, 0, 0, 420, 420), landuse="industrial", name="Junction Field")
    first, second, last, hop = node(-150, 0), node(0, 0), node(150, 0), node(-150, 180)
    for name, nodes in {
        "Main Street": [node(-300, 0), first, second, last, node(300, 0)],
        "First Lane": [node(-150, -180), first, hop],
        "Middle Lane": [node(0, -100), second],
        "Last Lane": [last, node(150, 180)],
        "Second Hop": [hop, node(-100, 190)],
        "Quiet Lane": [node(60, 100), node(120, 100)],
        "Park Lane": [node(60, -100), node(120, -100)],
    }.items():
        town.through(nodes, highway="residential", name=name)
    town.through(
        [node(-75, -180), node(-75, 180)], highway="tertiary", bridge="yes", layer="1", name="Bridge Road"
    )


HELD = {
    "Market Yard": ["bakery"] * 8 + ["butcher", "florist"],
    "Books Yard": ["florist", "hairdresser", "books", "butcher", "bakery", "bakery", "bakery"],
    "Shop Yard": ["bakery", "butcher", "bakery", "bakery", "bakery", "bakery"],
    "Kiosk Yard": ["kiosk"] * 5,
    "Empty Yard": [],
}
"""Of five yards, the classes of the places in each: 10, 7, 6, 5 and none; of 3, 5, 2, 1 and no kinds."""


def _count_rules(town: Map) -> None:
    for number, (name, classes) in enumerate(HELD.items()):
        middle = offset(_cluster(-2, 3), 90, 400 * number)
        town.way(rectangle(middle, 0, 0, 150 + number, 150), landuse="retail", name=name)
        for place, klass in enumerate(classes):
            town.node(offset(middle, 30 * place, 50), shop=klass)


SCENE = ("bakery", "butcher", "florist", "hairdresser")
CORNERS = {(700, 700): "toys", (700, -700): "shoes", (-700, -700): "optician", (-700, 700): "jewelry"}
"""Metres east and north of the first square's middle: the class of the place there."""


def _scene_rules(town: Map) -> None:
    # Four squares 900 m from each other, each with four shops that have a name and an address.
    start = _cluster(-1, 2)
    for number in range(4):
        middle = offset(start, 90, 900 * number)
        town.way(
            rectangle(middle, 0, 0, 200, 205 + number), landuse="commercial", name=f"Scene Square {number}"
        )
        for place, klass in enumerate(SCENE):
            address = {"addr__street": "Scene Street", "addr__housenumber": str(10 * number + place + 1)}
            name = f"{klass.capitalize()} of Square {number}"
            town.node(offset(middle, 90 * place, 40 + 5 * place), shop=klass, name=name, **address)
    for (east, north), klass in CORNERS.items():
        up = offset(start, 0 if north >= 0 else 180, abs(north))
        town.node(offset(up, 90 if east >= 0 else 270, abs(east)), shop=klass)


# --- importing and asking ---------------------------------------------------------------------------------


def import_map(settings: Settings, path: Path, name: str) -> ImportResult:
    """Import a file by the real importer."""
    return import_extract(settings, str(path), name, SystemClock(), Silent())


Fill = Callable[[Settings], object]
"""Fills a new, migrated database, and leaves no connection to it open."""


@dataclass(frozen=True)
class Imported:
    """A map in a database of its own."""

    settings: Settings
    name: str
    file: Path
    map: Map | None = None

    def connect(self) -> Any:
        """A connection as the worker."""
        return connect(self.settings, Role.WORKER)

    def key(self, name: str) -> str:
        """The osm_key of a thing by its name."""
        assert self.map
        return self.map.names[name]


@dataclass
class Asker:
    """Asks one tuple of one template of a map, with nothing left out: SQL, margins, options, second path."""

    connection: Connection
    snapshot: SnapshotRef
    layers: Layers
    seed: int = 0
    wanted: OptionsWanted = FIRST_VARIANT

    @classmethod
    def on(cls, connection: Connection, name: str, seed: int = 0) -> "Asker":
        """An asker of the newest snapshot of that name."""
        (snapshot,) = find_snapshots_with_facts(connection, [name])
        use_schema(connection, snapshot.schema)
        outline = bytes.fromhex(snapshot.outline) if snapshot.outline else None
        return cls(connection, snapshot, Layers(connection, snapshot.schema, outline, snapshot.facts), seed)

    @property
    def ground(self) -> Ground:
        """The map, of which nothing is found out yet."""
        return Ground(self.connection, self.snapshot, self.layers)

    def values(self, template: str, parameter: str) -> list[Any]:
        """The values that a parameter can take on this map."""
        found = open_space(
            self.connection,
            template_of(template),
            self.seed,
            self.snapshot.outline,
            facts=self.snapshot.facts,
        )
        return [pick.value for pick in found.choices[parameter]]

    def ask(self, template: str | Template, **parameters: Any) -> Accepted | str:
        """The accepted question, or the reason of its refusal. Raises KeyError for a value that no pick offers."""
        one = template if isinstance(template, Template) else template_of(template)
        chosen = {
            name: parameters[name]
            for name, kind in one.header.parameters.items()
            if kind.default and name in parameters
        }
        space = open_space(
            self.connection, one, self.seed, self.snapshot.outline, chosen, self.snapshot.facts
        )
        picks = {}
        for name, parameter in one.header.parameters.items():
            given = parameters.get(name, parameter.default) if parameter.default else parameters[name]
            wanted = given if isinstance(given, list) else [given]
            if parameter.type == "metres":
                picks[name] = [Pick(value, value, length_in_words(value)) for value in wanted]
            elif parameter.type == "group":
                picks[name] = [next(pick for pick in space.choices[name] if pick.value == given)]
            else:
                offered = {pick.value: pick for pick in space.choices[name]}
                picks[name] = [offered[value] for value in wanted]
        asking = Asking(self.ground, one, Terms(self.seed, wanted=self.wanted), set(), space.choices)
        return asking.ask([Tuple(picks)])[0]

    def accepted(self, template: str, **parameters: Any) -> Accepted:
        """As `ask`, where a refusal is a failure of the test."""
        outcome = self.ask(template, **parameters)
        assert isinstance(outcome, Accepted), outcome
        return outcome

    def drawn(self, template: str, seeds: int, least: int, **parameters: Any) -> list[Accepted]:
        """What `ask` accepts by each of so many seeds, at least so many; else the draw found too few, or gave up."""
        outcomes = [replace(self, seed=seed).ask(template, **parameters) for seed in range(seeds)]
        refused = {one for one in outcomes if not isinstance(one, Accepted)}
        assert refused <= {"too_few_distractors", "common_key"}, refused
        accepted = [one for one in outcomes if isinstance(one, Accepted)]
        assert len(accepted) >= least, refused
        return accepted


@cache
def benchmarks() -> dict[str, Benchmark]:
    """The benchmarks of the checkout, read once: reading checks every statement, which takes a while."""
    return load_benchmarks()


def town_benchmarks() -> dict[str, Benchmark]:
    """The benchmarks that the town is made for; others ask about larger maps."""
    return {name: one for name, one in benchmarks().items() if name in ("gsqa", "urban_knowledge")}


def template_of(name: str) -> Template:
    """A template by its id, whatever its benchmark."""
    return next(one.templates[name] for one in benchmarks().values() if name in one.templates)


def unpacked(path: Path, folder: Path) -> Path:
    """A gzipped file, unpacked into a folder."""
    target = folder / path.name.removesuffix(".gz")
    target.write_bytes(gzip.decompress(path.read_bytes()))
    return target
