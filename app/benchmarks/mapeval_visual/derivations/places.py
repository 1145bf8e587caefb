"""Directions, distances and nearest places, among places whose names are written in the picture. Metres, degrees."""

from app.benchmarks.mapeval_visual.lengths import length_text
from app.questions.derivations.base import Case, Derived, derivation, refused

BENCHMARK = "mapeval_visual"
DIRECTIONS = ("north", "east", "south", "west")
FOUR = 4


@derivation(BENCHMARK, "direction_in_picture")
def direction_in_picture(case: Case) -> Derived:
    """The main direction in which the destination lies."""
    if not case.rows:
        return refused("no_answer")
    azimuth = case.rows[0]["azimuth"]
    place = round(azimuth / 90) % len(DIRECTIONS)
    off = abs((azimuth - 90 * place + 180) % 360 - 180)
    if off > case.margins["aside"]:
        return refused("off_axis")
    return Derived({"text": DIRECTIONS[place]}, margin={"off": off})


@derivation(BENCHMARK, "apart_in_picture")
def apart_in_picture(case: Case) -> Derived:
    """The distance, as an option writes it."""
    if not case.rows:
        return refused("no_answer")
    distance = case.rows[0]["distance"]
    if distance < case.margins["least"]:
        return refused("too_close")
    return Derived({"text": length_text(distance)})


@derivation(BENCHMARK, "nearest_in_picture")
def nearest_in_picture(case: Case) -> Derived:
    """The nearest of four places, where the second is clearly farther."""
    if len(case.rows) < FOUR:
        return refused("no_answer")
    first, second = case.rows[:2]
    behind = second["distance"] - first["distance"]
    if behind < case.margins["ratio"] * first["distance"]:
        return refused("close")
    return Derived({"text": first["name"], "objects": [first["osm_key"]]}, margin={"behind": behind})
