"""Second path of directions, distances and nearest places in a picture. Metres; degrees clockwise from north."""

from collections.abc import Sequence

from app.benchmarks.mapeval_visual.second_path.seen import (
    four_places,
    place_named,
    seen_place,
    symbol_name,
)
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import circular_difference
from app.questions.second_path.layers import Layers
from app.questions.second_path.told_places import metres_between
from app.questions.second_path.verdicts import Verdict, wrong_rule

BENCHMARK = "mapeval_visual"
CENTRES = {"north": 0.0, "east": 90.0, "south": 180.0, "west": 270.0}
MOST_OFF, CLEARLY_OFF = 35.0, 45.0
CLEARLY_FARTHER = 1.15
CLEARLY_OTHER = 1.25
SHORTEST = 10.0


def _between(layers: Layers, parameters: Parameters) -> tuple[float, float]:
    origin, destination = (seen_place(layers, parameters, name) for name in ("origin", "destination"))
    return metres_between(layers, origin, destination)


@second_path(BENCHMARK, "Direction_In_Picture")
def direction_in_picture(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The main direction in which the destination lies."""
    _, azimuth = _between(layers, parameters)
    offs = {name: float(circular_difference(azimuth, centre)) for name, centre in CENTRES.items()}
    direction = min(offs, key=offs.__getitem__)
    refusal = first_refusal((offs[direction] > MOST_OFF, "off_axis"))
    return SecondAnswer({"text": direction}, refusal, {"offs": offs})


@wrong_rule(BENCHMARK, "Direction_In_Picture")
def is_another_direction(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is a main direction in which the destination does not lie."""
    off = answer.facts["offs"].get(text)
    return (False, "no main direction") if off is None else (off >= CLEARLY_OFF, f"{off:.1f} degrees off")


@second_path(BENCHMARK, "Apart_In_Picture")
def apart_in_picture(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The distance in two significant digits."""
    metres, _ = _between(layers, parameters)
    if metres < SHORTEST:
        raise Refused("too_close")
    rounded = float(f"{metres:.1e}")
    text = f"{rounded / 1000:g} km" if rounded >= 1000 else f"{rounded:g} m"
    return SecondAnswer({"text": text}, None, {"metres": metres})


@wrong_rule(BENCHMARK, "Apart_In_Picture")
def is_another_length(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is a length that is at least a quarter longer or shorter."""
    number, _, unit = text.partition(" ")
    if unit not in ("m", "km") or not number.replace(".", "", 1).isdigit():
        return False, "no length"
    said = float(number) * (1000 if unit == "km" else 1)
    times = max(said, answer.facts["metres"]) / min(said, answer.facts["metres"])
    return times >= CLEARLY_OTHER, f"{times:.2f} times as long, or as short"


@second_path(BENCHMARK, "Nearest_In_Picture")
def nearest_in_picture(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The nearest of four places to the anchor."""
    anchor, places = seen_place(layers, parameters, "anchor"), four_places(layers, parameters)
    if anchor in places:
        raise Refused("no_answer")
    return _nearest_of(layers, anchor, places)


@second_path(BENCHMARK, "Nearest_To_Symbol")
def nearest_to_symbol(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The nearest of four places to the only one whose symbol is of the kind."""
    poi, symbol = layers["poi"], parameter(parameters, "symbol", str)
    drawn = [poi.position[key] for key in parameter(parameters, "drawn", list) if key in poi.position]
    having = [one for one in {*drawn} if symbol_name(poi.rows[one].classes) == symbol]
    places = four_places(layers, parameters)
    if len(having) != 1 or having[0] in places:
        raise Refused("not_one_right")
    return _nearest_of(layers, having[0], places)


def _nearest_of(layers: Layers, start: int, places: Sequence[int]) -> SecondAnswer:
    """The place nearest to the start; refused where the second is hardly farther."""
    poi = layers["poi"]
    far = {one: metres_between(layers, start, one)[0] for one in places}
    first, second, *_ = sorted(far, key=lambda one: (far[one], poi.keys[one]))
    facts = {"far": {poi.keys[one]: metres for one, metres in far.items()}, "nearest": far[first]}
    refusal = first_refusal((far[second] < CLEARLY_FARTHER * far[first], "close"))
    row = poi.rows[first]
    return SecondAnswer({"text": row.name, "objects": [row.osm_key]}, refusal, facts)


@wrong_rule(BENCHMARK, "Nearest_To_Symbol")
@wrong_rule(BENCHMARK, "Nearest_In_Picture")
def lies_farther(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the place is compared, and clearly farther than the nearest."""
    one = place_named(layers, text, four_places(layers, parameters))
    if one is None:
        return False, "no place of this name is compared"
    metres = answer.facts["far"][layers["poi"].keys[one]]
    return metres >= CLEARLY_FARTHER * answer.facts["nearest"], f"{metres:.0f} m away"
