"""What a planner of rules does with the forms of questions that it knows: a graph for each, and how to read its trace."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from tests.support.planner_graphs import Sketch
from tests.support.planner_roads import find_drawing
from tests.support.planner_words import (
    RANKS,
    attribute_of,
    class_of,
    condition_of,
    metres,
    read_form,
    time_of,
)

MOST = 20
"""Places that a search lists at most."""
NEXT_TO_M = 50.0
BEARINGS: Final = {"north": 0, "east": 90, "south": 180, "west": 270}
Said = Mapping[str, str]
"""What stands in the slots of a form; `rest`: the sentences after the question; `options`: joined by line ends."""
Reads = Literal["nearest", "names", "kinds", "attribute", "nothing"]
Drawing = Callable[[Sketch, Said], object]


class Rule(NamedTuple):
    """Questions of these forms become this graph. Where it decides nothing, its trace is read for what `reads` says."""

    forms: Sequence[str]
    draw: Drawing
    reads: Reads


RULES: list[Rule] = []


def rule(reads: Reads, *forms: str) -> Callable[[Drawing], Drawing]:
    """Register the decorated function as what draws the graph of questions of these forms."""

    def register(draw: Drawing) -> Drawing:
        RULES.append(Rule(forms, draw, reads))
        return draw

    return register


def find_rule(text: str, rest: str, options: Sequence[str]) -> tuple[Rule, Said]:
    """The first rule that knows the question, and what its slots hold; for any other question, a guess."""
    for one in RULES:
        for form in one.forms:
            if found := read_form(form).fullmatch(text):
                said = {key: held for key, held in found.groupdict().items() if held is not None}
                return one, {**said, "rest": rest, "options": "\n".join(options)}
    return Rule((), _guess, "nearest"), {"text": text, "rest": rest, "options": "\n".join(options)}


def _place(sketch: Sketch, said: Said, slot: str) -> str:
    return sketch.place(said[slot], class_of(said[f"{slot}_kind"]))


def _options(said: Said) -> list[str]:
    """The options that name something."""
    return [one for one in said["options"].split("\n") if one and "cannot be answered" not in one]


def _radius(said: Said) -> float:
    return metres(said["r"], said["unit"]) if "r" in said else NEXT_TO_M


# --- distances and directions --------------------------------------------------------------------------------


@rule(
    "nothing",
    "{a} to {b} as the crow flies, how far?",
    "How far is {a} from {b}, straight line?",
    "Distance {a} to {b}, in a straight line?",
    "What is the distance between {a} and {b} in metres?",
    "How many metres is {a} away from {b}?",
    "Give the distance from {a} to {b} in metres with two decimals.",
    "How far is it in a straight line from {a} to {b}?",
    "How many kilometres is it from {a} to {b} in a straight line?",
    "I'm at {a}. How far away is {b} in km, as the crow flies?",
    "How far, in kilometres, is {a} from {b}, measured in a straight line?",
    "{a} to {b}, straight line, how many km?",
    "How far is {a} from {b} as the crow flies, in km?",
    "Roughly how many km between {a} and {b}? Just the straight-line distance{free}",
    "What is the straight-line distance in kilometres between {a} and {b}?",
)
def _distance(sketch: Sketch, said: Said) -> object:
    return sketch.make(
        "haversine", {"origin": _place(sketch, said, "a"), "destination": _place(sketch, said, "b")}
    )


@rule(
    "nothing",
    "{b}, which direction from {a}?",
    "Seen from {a}, in which main direction is {b}?",
    "I stand at {a} and look towards {b}. In which main direction do I look?",
    "In which main direction does {b} lie from {a}?",
    "Standing at {a}, which way do I look to see {b}?",
    "Which way is {b} from {a}?",
)
def _direction(sketch: Sketch, said: Said) -> object:
    ends = {"origin": _place(sketch, said, "a"), "destination": _place(sketch, said, "b")}
    return sketch.make("bearing_to_direction", {"bearing": sketch.make("bearing", ends)}, names=4)


@rule(
    "nearest",
    "Which one of these is to the {side} of {a}?",
    "What's {side} of {a}, any of these?",
    "Of these four places, only one lies {side} of {a}. Which one?",
    "Heading {side} from {a} in a straight line, which of these places is in that direction?",
    "I'm at {a} looking {side}. Which of these is that way?",
    "Seen from {a}, which of these places is to the {side}?",
    "Which of these places lies {side} of {a}?",
)
def _option_in_direction(sketch: Sketch, said: Said) -> object:
    """The option whose direction differs the least from the wanted one."""
    origin, wanted = _place(sketch, said, "a"), BEARINGS[said["side"]]
    options = [sketch.place(one) for one in _options(said)]
    bearings = [sketch.make("bearing", {"origin": origin, "destination": one}) for one in options]
    turns = [
        sketch.make("arithmetic", {"numbers": one}, formula=f"abs(({{0}} - {wanted} + 540) % 360 - 180)")
        for one in bearings
    ]
    return sketch.make("least_of", {"candidates": options, "numbers": turns}, which="least")


@rule(
    "nearest",
    "{a} to {b} with one stop in between. Which of these is the least out of the way, straight line?",
    "Which of these places lies between {a} and {b}, that is, adds the least to the straight way from one to the other?",
    "Want to stop somewhere between {a} and {b}, which of these is in between?",
    "Via which of these places is the way from {a} to {b} in straight lines the shortest?",
    "I go from {a} to {b} by way of one of these places, in straight lines. Via which of them is the way the shortest?",
    "Going from {a} to {b}, which one of these is on the way in a straight line?",
    "Which of these is between {a} and {b}, as the crow flies?",
)
def _between(sketch: Sketch, said: Said) -> object:
    """The option by way of which the way is the shortest."""
    start, end = _place(sketch, said, "a"), _place(sketch, said, "b")
    options = [sketch.place(one) for one in _options(said)]
    ways = [
        [
            sketch.make("haversine", {"origin": start, "destination": one}),
            sketch.make("haversine", {"origin": one, "destination": end}),
        ]
        for one in options
    ]
    sums = [sketch.make("sum", {"amounts": one}) for one in ways]
    return sketch.make("least_of", {"candidates": options, "numbers": sums}, which="least")


def _pairs(sketch: Sketch, said: Said, which: str) -> object:
    """The pair whose distance is the least, or the greatest."""
    options = _options(said)
    pairs = [[sketch.place(name) for name in halves(one)] for one in options]
    apart = [sketch.make("haversine", {"origin": one, "destination": other}) for one, other in pairs]
    chosen = [
        {"say": option, "by": {"$call": number, "path": ["value"]}} for number, option in enumerate(options)
    ]
    return sketch.make("calculate_field", {"values": apart}, expression=json.dumps({f"${which}": chosen}))


def halves(pair: str) -> tuple[str, str]:
    """The two names of a pair; where `and` stands in a name, too, it is parted in the middle."""
    parts = pair.split(" and ")
    middle = len(parts) // 2
    return " and ".join(parts[:middle]), " and ".join(parts[middle:])


@rule(
    "nothing",
    "Which of these pairs of places has the smallest distance between its two places?",
    "Want to see two places that are close to each other. Which pair is the closest together, in a straight line?",
    "Which of these pairs is closest together, as the crow flies?",
    "Of these four pairs of places, which pair is the closest together?",
    "In which of these pairs are the two places closest to each other?",
    "Which pair is nearest to each other, straight-line distance?",
)
def _closest_pair(sketch: Sketch, said: Said) -> object:
    return _pairs(sketch, said, "least")


@rule(
    "nothing",
    "In which of these pairs are the two places farthest from each other?",
    "Which of these pairs of places has the greatest distance between its two places?",
    "Of these four pairs of places, which pair is the farthest apart?",
    "Need two places that are as far from each other as possible. Which pair, in a straight line?",
    "Which pair is the farthest from each other, straight-line distance?",
    "Which of these pairs is farthest apart, as the crow flies?",
)
def _farthest_pair(sketch: Sketch, said: Said) -> object:
    return _pairs(sketch, said, "greatest")


# --- the nearest ---------------------------------------------------------------------------------------------


def _around(sketch: Sketch, center: str, kind: str, *conditions: str) -> str:
    wanted = {"attributes": [*conditions]} if conditions else {}
    return sketch.make("nearest_places", {"center": center}, type=class_of(kind), limit=MOST, **wanted)


@rule(
    "nearest",
    "Nearest {type} to the crossing of {street} and {other}?",
    "Corner of {street} and {other}: nearest {type}, straight line?",
    "I'm where {street} and {other} meet. Which {type} is closest as the crow flies?",
    "What is the name of the {type} closest to where {street} and {other} meet?",
    "Which {type} lies closest to the intersection of {street} and {other}?",
    "Which {type} is nearest to the junction of {street} and {other}?",
    "From the corner of {street} and {other}, which {type} has the shortest distance?",
)
def _at_crossing(sketch: Sketch, said: Said) -> object:
    streets = {"street": sketch.named(said["street"]), "other": sketch.named(said["other"])}
    crossing = sketch.make("intersection_of", streets)
    return sketch.make("nearest", {"anchor": crossing, "candidates": _around(sketch, crossing, said["type"])})


@rule(
    "nearest",
    "At {c}: is {a} or {b} nearer, straight line?",
    "What's closer to {c} as the crow flies, {a} or {b}?",
    "{a} or {b}, which is nearer to {c} in a straight line?",
    "Which of the two, {a} or {b}, has the shorter distance to {c}?",
    "Is {a} or {b} nearer to {c}?",
    "Of {a} and {b}, which one lies closer to {c}?",
    "Which is closer to {c}: {a} or {b}?",
)
def _closer(sketch: Sketch, said: Said) -> object:
    anchor, *two = (_place(sketch, said, slot) for slot in ("c", "a", "b"))
    return sketch.make("nearest", {"anchor": anchor, "candidates": two})


@rule(
    "nearest",
    "Of all {type} {side} of {a}, which one is the closest to that place?",
    "I'm at {a} and go only {side}. Nearest {type} on that side, straight line?",
    "Nearest {type} in the whole half of the map {side} of {a}?",
    "Closest {type} {side} of {a}, anything on that side counts?",
    "What is the name of the closest {type} {side} of {a}?",
    "Looking only {side} of {a}, which {type} is the nearest?",
    "Which {type} is nearest to {a} among those {side} of it?",
)
def _nearest_on_a_side(sketch: Sketch, said: Said) -> object:
    anchor = _place(sketch, said, "a")
    there = {"anchor": anchor, "candidates": _around(sketch, anchor, said["type"])}
    return sketch.make("nearest_in_direction", there, direction=said["side"])


@rule(
    "nearest",
    "I am at {a} and look for a {type} {with}. Which one is the closest?",
    "Of all {type} {with} on the map, which one has the shortest distance to {a}?",
    "I'm at {a}, where's the closest {type} {with}, straight-line distance?",
    "Closest {type} {with} to {a}, as the crow flies?",
    "Which {type} {with} is nearest to {a}?",
    "Any {type} {with} near {a}? Which one is nearest as the crow flies?",
)
def _nearest_with(sketch: Sketch, said: Said) -> object:
    anchor = _place(sketch, said, "a")
    candidates = _around(sketch, anchor, said["type"], condition_of(said["with"]))
    return sketch.make("nearest", {"anchor": anchor, "candidates": candidates})


@rule(
    "nothing",
    "The {rank} nearest {type} to {a}, straight-line distance, also counting ones without a name?",
    "Which {type} has the {rank} shortest distance to {a}?",
    "Looking for a {type} near {a}. Counting nameless ones, which one is the {rank} nearest in a straight line?",
    "I'm at {a} and want a {type}, but not necessarily the closest. Which is the {rank} closest as the crow flies,"
    " if nameless ones count?",
    "What's the {rank} closest {type} to {a}, as the crow flies, nameless ones included?",
    "If the {type} are ordered by their distance from {a}, the nearest first, which one is the {rank}?",
    "Of all {type} on the map, which one is the {rank} nearest to {a}?",
)
def _kth_nearest(sketch: Sketch, said: Said) -> object:
    anchor = _place(sketch, said, "a")
    there = {"anchor": anchor, "candidates": _around(sketch, anchor, said["type"])}
    return sketch.make("nearest", there, rank=RANKS.index(said["rank"]) + 1)


@rule(
    "nearest",
    "Nearest {type} from the middle of {a}, straight line?",
    "Closest {type} to the centre of {a}, name?",
    "What is the name of the {type} closest to the middle of {a}?",
    "From the centre of {a}, which {type} has the shortest distance?",
    "Which {type} is nearest to the centre of {a}?",
    "I am in the middle of {a}. What is the nearest {type} called?",
    "Standing at the centre of {a}, which {type} is closest as the crow flies?",
    "Which {type} is nearest to {a}?",
    "At {a} right now, which {type} is closest as the crow flies?",
    "I am at {a}. Which {type} is the closest?",
    "Of all {type} on the map, which one has the shortest distance to {a}?",
    "Closest {type} to {a}, straight-line distance?",
)
def _nearest(sketch: Sketch, said: Said) -> object:
    anchor = _place(sketch, said, "a")
    return sketch.make("nearest", {"anchor": anchor, "candidates": _around(sketch, anchor, said["type"])})


# --- sets ----------------------------------------------------------------------------------------------------


def _within(sketch: Sketch, center: str, kind: str, radius: float) -> str:
    return sketch.make("place_search", {"center": center}, type=class_of(kind), radius_m=radius, limit=MOST)


@rule(
    "names",
    "All other places like {a} within {r}, same kind?",
    "What are the names of the other places of this kind within {r} of {a}?",
    "Which other places of the same kind lie within {r} of {a}? Give all their names.",
    "{a}: which others of the same kind are found in a circle of {r} around it?",
    "{a} is full. Which others of the same kind are within {r}? All of them, please.",
    "Others of the same kind within {r} of {a}?",
)
def _same_kind(sketch: Sketch, said: Said) -> object:
    return _within(sketch, _place(sketch, said, "a"), said["a_kind"], _radius(said))


@rule(
    "names",
    "Which {type} are within {r} of {a}?",
    "Any {type} next to {a}, within {r}? All names.",
    "What is the name of every {type} within {r} of {a}?",
    "Which {type} neighbour {a}, at most {r} away?",
    "Which {type} are next to {a}? Give all their names.",
    "What {type} are right beside {a}, at most {r} off?",
    "Name all {type} right by {a}, that is, within {r}.",
)
def _neighbours(sketch: Sketch, said: Said) -> object:
    return _within(sketch, _place(sketch, said, "a"), said["type"], _radius(said))


@rule(
    "kinds",
    "I stand at {a}. Which kinds of amenities are there within {r}, the place itself included?",
    "What kinds of amenities are there within {r} of {a}, itself included?",
    "Which kinds of amenities lie within {r} of {a}? The place itself counts, too.",
    "{r} around {a}, that place included: which kinds of amenities?",
    "What kinds of amenities can be found at most {r} from {a}? Name each kind once, and that of the place itself,"
    " if it is an amenity.",
    "At {a} now. What amenities are within {r} (count this place, too)?",
    "List the kinds of amenities in a circle of {r} around {a}, itself included.",
)
def _kinds_around(sketch: Sketch, said: Said) -> object:
    """A search for each kind that counts: those that find something are the answer, and the place's own kind."""
    center, kinds = _place(sketch, said, "a"), listed_kinds(said["rest"])
    sets = [_within(sketch, center, kind, _radius(said)) for kind in kinds]
    present = [
        {
            "say": kind,
            "by": {
                "$sum": [
                    {"$count": {"$call": number, "path": ["members"]}},
                    {"$among": [{"$call": 0, "path": ["type"]}], "of": [class_of(kind)]},
                ]
            },
        }
        for number, kind in enumerate(kinds, 1)
    ]
    return sketch.make(
        "calculate_set", {"values": [center, *sets]}, expression=json.dumps({"$present": present})
    )


def listed_kinds(rest: str) -> list[str]:
    """The kinds that a question lists."""
    found = re.search(r"(?:amenities count|I mean): (.+?)\.", rest)
    return re.split(r", | and ", found[1]) if found else ["restaurant", "cafe", "bar"]


@rule(
    "nothing",
    "I'm at {a}, how many {type} within a radius of {r}?",
    "Staying near {a}. How many {type} are there within a radius of {r}?",
    "How many {type} are there within {r} of {a}?",
    "What is the number of {type} within {r} of {a}?",
    "How many {type} within {r} of {a}, as the crow flies?",
    "Number of {type} within {r} from {a}, straight line?",
)
def _count(sketch: Sketch, said: Said) -> object:
    found = _within(sketch, _place(sketch, said, "a"), said["type"], _radius(said))
    return sketch.make("count", {"members": found})


@rule(
    "names",
    "I am at {a}. Which {type} that are at most {r} away are open on {when}?",
    "Which {type} can I go to on {when}, at most {r} from {a} as the crow flies?",
    "I'm at {a}, which {type} within {r} are open on {when}?",
    "Which {type} are open on {when} within {r} of {a}?",
    "Which {type} within {r} of {a} are open on {when}?",
    "List all {type} within {r} of {a} that are open on {when}.",
)
def _open_nearby(sketch: Sketch, said: Said) -> object:
    time = sketch.at(time_of(said["when"]))
    found = _within(sketch, _place(sketch, said, "a"), said["type"], _radius(said))
    return sketch.make("filter_places_by_time", {"candidates": found, "time": time})


# --- one place -----------------------------------------------------------------------------------------------


@rule(
    "nothing",
    "As which amenity is {name} mapped?",
    "What amenity can be found at {name}?",
    "What kind of amenity is {name}, by its tag?",
    "What sort of amenity would I find at {name}?",
    "Which kind of amenity is {name}?",
    "{name}: which amenity is that?",
    "{name} is an amenity. Of which kind is it?",
)
def _amenity(sketch: Sketch, said: Said) -> object:
    known = sketch.make("amenity_of", {"place": sketch.place(said["name"])})
    return sketch.make(
        "calculate_field", {"values": known}, expression='{"$call": 0, "path": ["members", 0, "type"]}'
    )


@rule(
    "nothing",
    "Can I still visit {a} on {when}?",
    "Thinking of going to {a} on {when}, will it be open?",
    "I want to go to {a} on {when}. Is it open then?",
    "Is {a} open on {when}?",
    "By its opening hours, is {a} open on {when}?",
    "{a} on {when}, open or not?",
)
def _open_at(sketch: Sketch, said: Said) -> object:
    place, time = _place(sketch, said, "a"), sketch.at(time_of(said["when"]))
    return sketch.make("open_at_time", {"place": place, "time": time})


@rule(
    "attribute",
    "Which of these is the {attribute} of {a}?",
    "According to the map, which of these is the {attribute} of {a}?",
    "Want to go to {a}. What's the {attribute} there?",
    "{a}, what {attribute}?",
    "Anyone know the {attribute} of {a}?",
    "What is the {attribute} of {a}?",
)
def _attribute(sketch: Sketch, said: Said) -> object:
    known = sketch.make("place_details", {"place": _place(sketch, said, "a")})
    path = f'["members", 0, "attributes", "{attribute_of(said["attribute"])}"]'
    return sketch.make("calculate_field", {"values": known}, expression=f'{{"$call": 0, "path": {path}}}')


# --- what no map tells, and what no rule knows ----------------------------------------------------------------


@rule(
    "nothing",
    "Which {type} near {a} has the {what}?",
    "Which {type} near {a} {what}?",
    "Looking for a {type} near {a}. Which of these {what}?",
    "{type} around {a}: which one {what}?",
    "Of the {type} near {a}, which one {what}?",
    "I am at {a}. Which of these {type} has {what}?",
    "I am at {a}. Which of these {type} is going to {what}?",
    "I am at {a}. Which of these {type} will {what}?",
)
def _untold(sketch: Sketch, said: Said) -> object:
    """Places around, of which the map does not have what is asked for."""
    near = sketch.make(
        "nearest_places", {"center": _place(sketch, said, "a")}, type=class_of(said["type"]), limit=3
    )
    return sketch.make("filter_places", {"candidates": near}, attribute=said["what"], value="yes")


_MENTIONED = read_form("{a}")


def _guess(sketch: Sketch, said: Said) -> object:
    """A way along roads, where the words are about one; else what is near, or what the map knows."""
    draw = find_drawing(said["text"])
    if draw is not None:
        with_places = Sketch()
        try:
            draw(with_places, said["text"], _options(said))
        except (IndexError, ValueError):
            return _near(sketch, said)
        return draw(sketch, said["text"], _options(said))
    return _near(sketch, said)


def _near(sketch: Sketch, said: Said) -> object:
    """With options, where the place in the question's first sentence is near; without, what the map knows of it."""
    found = _MENTIONED.search(said["text"])
    options = _options(said)
    name = found["a"] if found else said["text"].rstrip("?. ")
    anchor = sketch.place(re.sub(r"^.*\b(?:at|from|of|to) ", "", name))
    if len(options) > 1:
        return sketch.make(
            "nearest", {"anchor": anchor, "candidates": [sketch.place(one) for one in options]}
        )
    return sketch.make("place_details", {"place": anchor})
