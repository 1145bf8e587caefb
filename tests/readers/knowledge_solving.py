"""The right option of a multiple-choice question, found on the map file by plain geometry and tags."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from shapely import Point

from tests.readers.knowledge_map import Feature, MapFile, metres_between, plain
from tests.readers.knowledge_nouns import nouns
from tests.readers.knowledge_roads import drivable, first_and_last, has_twin, meets, road_and_area
from tests.readers.knowledge_scenes import likeliest
from tests.readers.knowledge_text import KILOMETRES, METRES, NOUN, PAIR, QUOTED, Asked, Mention, Unclear
from tests.readers.knowledge_words import BY_DEFAULT, address_in, counted_by, fits_address, kinds, uses

SAME = 0.001
"""Share by which two measures of one thing may differ."""
HALF_OF_A_DIGIT = 0.0051
"""Kilometres by which a distance with two decimals may be off."""
FAR = 75.0
"""Metres from a place beyond which coordinates are another place's; wrong options are twice as far."""
Options = Sequence[str]
Measure = Callable[[Sequence[Feature]], int]
Solve = Callable[[Asked, Options, MapFile], int]


def solve(asked: Asked, options: Options, world: MapFile) -> int:
    """The index of the one option that the map and the text make right. Raises Unclear where none is, or several are."""
    return SOLVERS[asked.what](asked, options, world)


def only(options: Options, right: Iterable[bool], why: object = "") -> int:
    """The index of the one option that is right."""
    found = [number for number, one in enumerate(right) if one]
    if len(found) != 1:
        raise Unclear(f"right by the map: {[options[number] for number in found]} {why}")
    return found[0]


def places_meant(mention: Mention) -> list[Feature]:
    """The places that a name means: points of interest before all others."""
    called = [one for one in mention.features if not one.is_road]
    return [one for one in called if BY_DEFAULT.takes(one.tags)] or called


def point_meant(mention: Mention) -> Point:
    """The point of the one place that a name means: the point that the text gives, if any."""
    found = places_meant(mention)
    if len(found) != 1:
        raise Unclear(f"{mention.name!r} means {[one.key for one in found]}")
    return Point(mention.point) if mention.point else found[0].point


def subject(asked: Asked) -> Mention:
    """The one name in the text."""
    if len(asked.mentions) != 1:
        raise Unclear(f"names: {[one.name for one in asked.mentions]}")
    return asked.mentions[0]


def coordinates(asked: Asked, options: Options, world: MapFile) -> int:
    """The pair at which the place is."""
    point = point_meant(subject(asked))
    pairs = [match for option in options if (match := PAIR.fullmatch(option))]
    metres = [metres_between(point, Point(float(pair[1]), float(pair[2]))) for pair in pairs]
    return only(options, (one == min(metres) < FAR for one in metres), metres)


def distance(asked: Asked, options: Options, world: MapFile) -> int:
    """The kilometres between the two places."""
    if len(asked.mentions) != 2:
        raise Unclear(f"two places are wanted: {[one.name for one in asked.mentions]}")
    one, other = (point_meant(mention) for mention in asked.mentions)
    far = metres_between(one, other) / 1000
    told = [float(match[1]) for option in options if (match := KILOMETRES.fullmatch(option))]
    return only(options, (abs(one - far) < HALF_OF_A_DIGIT + SAME * far for one in told), far)


def length(asked: Asked, options: Options, world: MapFile) -> int:
    """The metres of all drivable ways of the name; without a note, also where two carriageways count once."""
    ways = [road for road in drivable(world) if road.name == subject(asked).name]
    metres = sum(road.metres for road in ways)
    told = [int(match[1]) for option in options if (match := METRES.fullmatch(option))]
    found = only(options, (abs(one - metres) <= 0.5 + SAME * metres for one in told), metres)
    once = metres - sum(road.metres for road in ways if has_twin(road, ways)) / 2
    if not asked.note and min(told, key=lambda one: abs(one - once)) != told[found]:
        raise Unclear(f"{metres} m, or {once} m with carriageways once")
    return found


def use(asked: Asked, options: Options, world: MapFile) -> int:
    """The likeliest class that the tags of the area could mean."""
    areas = [one for one in subject(asked).features if one.is_area]
    shown = [option.lower().replace(" ", "") for option in options]
    could = [told for area in areas for one in uses(area.tags) if (told := one.lower()) in shown]
    return only(options, (one in could[:1] for one in shown), [dict(area.tags) for area in areas])


def size(asked: Asked, options: Options, world: MapFile) -> int:
    """The area of the rank that is asked for, by square metres."""
    return ranked(asked, [area_called(option, world).square_metres for option in options])


def count(asked: Asked, options: Options, world: MapFile) -> int:
    """As `size`, by points of interest."""
    return with_and_without(asked, options, world, len)


def different_kinds(asked: Asked, options: Options, world: MapFile) -> int:
    """As `size`, by kinds of points of interest."""
    return with_and_without(
        asked, options, world, lambda inside: len({next(kinds(one.tags)) for one in inside})
    )


def with_and_without(asked: Asked, options: Options, world: MapFile, measure: Measure) -> int:
    """The area of the rank that is asked for, by what the note says of the area itself; by both where there is no note."""
    areas = [area_called(option, world) for option in options]
    counted = counted_by(asked.note)
    inside = [world.places_inside(area.shape, counted) for area in areas]
    others = [[one for one in places if one is not area] for area, places in zip(areas, inside, strict=True)]
    itself = "the area itself counts" in asked.note
    ways = [inside if itself else others] if asked.note else [inside, others]
    found = {ranked(asked, [measure(places) for places in way]) for way in ways}
    if len(found) > 1:
        raise Unclear("the area itself makes a difference")
    return found.pop()


def area_called(name: str, world: MapFile) -> Feature:
    """The one area of that name; of several, the one whose ground is used for something."""
    found = [one for one in world.areas_called(name) if next(uses(one.tags), None)] or world.areas_called(
        name
    )
    if len(found) != 1:
        raise Unclear(f"{name!r} is {[one.key for one in found]}")
    return found[0]


def ranked(asked: Asked, values: Sequence[float]) -> int:
    """The index of the value that is asked for, which no other value equals."""
    assert asked.rank is not None
    wanted = sorted(values, reverse=True)[asked.rank]
    if values.count(wanted) > 1:
        raise Unclear(f"equal values: {values}")
    return values.index(wanted)


def cover(asked: Asked, options: Options, world: MapFile) -> int:
    """The area in which all of the places are."""
    points = [point_meant(mention) for mention in asked.mentions]
    return only(
        options,
        (
            any(all(area.shape.covers(point) for point in points) for area in world.areas_called(option))
            for option in options
        ),
    )


def nearest(asked: Asked, options: Options, world: MapFile) -> int:
    """The place that is nearest to the one that is named."""
    point = point_meant(subject(asked))
    far = [
        min((metres_between(point, one.point) for one in world.places_called(option)), default=1e9)
        for option in options
    ]
    return only(options, (one == min(far) for one in far), far)


def address(asked: Asked, options: Options, world: MapFile) -> int:
    """The own address of the place or area that is named."""
    meant = [one for one in subject(asked).features if not one.is_road]
    return only(options, (any(fits_address(one.tags, option) for one in meant) for option in options))


def addressee(asked: Asked, options: Options, world: MapFile) -> int:
    """The place or area that has the address."""
    return only(
        options,
        (
            any(address_in(one.tags, asked.question) for one in world.by_name.get(option, ()))
            for option in options
        ),
    )


def kind(asked: Asked, options: Options, world: MapFile) -> int:
    """What the place is."""
    meant = {told for one in places_meant(subject(asked)) for told in nouns(one.tags)}
    return only(options, (plain(option) in meant for option in options), meant)


def instance(asked: Asked, options: Options, world: MapFile) -> int:
    """The place that is of the kind."""
    (wanted,) = QUOTED.findall(asked.question) or NOUN.findall(asked.question)
    return only(
        options,
        (any(plain(wanted) in nouns(one.tags) for one in world.places_called(option)) for option in options),
    )


def junctions(asked: Asked, options: Options, world: MapFile) -> int:
    """The roads at the first and the last junction."""
    road, area = road_and_area(asked)
    pairs = {" and ".join(names) for names in first_and_last(world, road, area)}
    return only(options, (option in pairs for option in options), pairs)


def connection(asked: Asked, options: Options, world: MapFile) -> int:
    """The road that is connected with the road of the question in the area, or is not."""
    road, area = road_and_area(asked)
    wanted = not re.search(r"\bnot (?:directly )?connected", asked.text, re.IGNORECASE)
    there = meets(world, road, area)
    return only(options, ((option in there) == wanted for option in options), sorted(there))


SOLVERS: Mapping[str, Solve] = {
    "address": address,
    "addressee": addressee,
    "connection": connection,
    "coordinates": coordinates,
    "count": count,
    "cover": cover,
    "distance": distance,
    "instance": instance,
    "junctions": junctions,
    "kind": kind,
    "kinds": different_kinds,
    "length": length,
    "nearest": nearest,
    "scene": likeliest,
    "size": size,
    "use": use,
}
