"""Travel times of single ways of mapeval, counted by hand: gold, refusals, and answers from what is printed."""

from collections.abc import Sequence
from typing import Any

import pytest

from app.benchmarks.mapeval.contexts.blocks import BY_MODE, travel_line
from app.questions.contexts import CONTEXT, Shown, context_fault
from app.questions.derivations import derive
from app.questions.derivations.base import Case, Derived
from tests.support.town import benchmarks

NAME = "mapeval"
NAMES = ("Krone", "Linde", "Sonne", "Post", "Rathaus")
FROM_KRONE = (0.0, 1207.0, 655.0, 530.0, 1500.0)
"""Seconds from the first place to each; 20, 11, 9 and 25 minutes."""


def ask(template: str, seconds: Sequence[float | None] = FROM_KRONE, count: int = 5) -> Derived:
    """What the template derives for the first so many places, with the bounds of its header."""
    found = benchmarks()[NAME].templates[template]
    rows: list[dict[str, Any]] = [
        {"osm_key": f"n{number}", "name": name, "seconds": [*seconds]}
        for number, name in enumerate(NAMES[:count])
    ]
    return derive(NAME, found.header.derive, Case(rows, {"mode": "car"}, found.header.margins, {}))


def test_minutes_are_those_of_the_way_there() -> None:
    made = ask("Travel_Time_Between", count=2)
    assert (made.refusal, made.gold) == (None, {"text": "20 minutes", "minutes": 20})


def test_the_place_that_is_reached_first_is_found() -> None:
    made = ask("Nearest_By_Travel")
    assert (made.gold, made.margin) == ({"text": "Post", "objects": ["n3"]}, {"seconds": 125.0})


@pytest.mark.parametrize(
    ("reason", "template", "seconds"),
    [
        ("no_way", "Travel_Time_Between", (0.0, None)),
        ("too_close", "Travel_Time_Between", (0.0, 660.0)),
        ("long_way", "Travel_Time_Between", (0.0, 3700.0)),
        ("near_rounding", "Travel_Time_Between", (0.0, 1229.0)),
        ("margin", "Nearest_By_Travel", (0.0, 1207.0, 655.0, 570.0, 1500.0)),
        ("no_way", "Nearest_By_Travel", (0.0, 1207.0, 655.0, 530.0, None)),
    ],
)
def test_what_cannot_be_told_surely_is_refused(
    reason: str, template: str, seconds: Sequence[float | None]
) -> None:
    assert ask(template, seconds, len(seconds)).refusal == reason


def fault(template: str, made: Derived, options: Sequence[str]) -> str | None:
    """Why the gold does not follow from the travel times as they are printed."""
    lines = [
        travel_line(
            {
                "origin": {"name": one},
                "destination": {"name": other},
                "mode": "car",
                "seconds": seconds,
                "distance_m": 900,
            }
        ).text
        for name, there in zip(NAMES[1:], FROM_KRONE[1:], strict=True)
        for one, other, seconds in ((NAMES[0], name, there), (name, NAMES[0], there - 200))
    ]
    asked = {CONTEXT: {"asks": {"places": NAMES[: len(options)], "by": BY_MODE["car"]}}}
    return context_fault(NAME, Shown(template, "\n".join(lines), options), asked, made.gold)


def test_answers_follow_from_the_printed_minutes() -> None:
    way = ask("Travel_Time_Between", count=2)
    assert fault("Travel_Time_Between", way, ["17 minutes", "20 minutes"]) is None
    assert fault("Travel_Time_Between", way, ["17 minutes", "23 minutes"]) == "no option is listed"
    assert fault("Nearest_By_Travel", ask("Nearest_By_Travel"), NAMES[1:]) is None
