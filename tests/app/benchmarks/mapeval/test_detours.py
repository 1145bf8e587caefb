"""Ways by one of four places of mapeval, counted by hand: gold, plans, refusals, and answers from what is printed."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from app.agent_tools.tool_plans.running import evaluate
from app.benchmarks.mapeval.contexts.blocks import BY_MODE, travel_line
from app.questions.alike import COMMON
from app.questions.contexts import CONTEXT, Shown, context_fault
from app.questions.derivations import derive
from app.questions.derivations.base import Case, Derived
from app.questions.prechecks import Intended, refused_beforehand
from tests.support.town import benchmarks

NAME = "mapeval"
NAMES = ("Krone", "Rathaus", "Linde", "Sonne", "Post", "Bad")
TO, FROM = (600.0, 300.0, 900.0, 1200.0), (400.0, 1000.0, 200.0, 600.0)
"""Seconds from the start to each of the four places, and on: 1000, 1300, 1100 and 1800 in all."""
FAR_TO, FAR_FROM = (9000.0, 2000.0, 8000.0, 9000.0), (3000.0, 4000.0, 2000.0, 9000.0)
"""The like in metres: 12, 6, 10 and 18 km in all."""


def rows_of(to_them: Sequence[float | None] = TO, far: Sequence[float] = FAR_TO) -> list[dict[str, Any]]:
    """The places as the program gives them; what nobody asks takes a quarter of an hour."""
    seconds: list[list[float | None]] = [[900.0] * len(NAMES) for _ in NAMES]
    metres: list[list[float | None]] = [[None] * len(NAMES) for _ in NAMES]
    for number in range(4):
        seconds[0][2 + number], seconds[2 + number][1] = to_them[number], FROM[number]
        metres[0][2 + number], metres[2 + number][1] = far[number], FAR_FROM[number]
    return [
        {"osm_key": f"n{number}", "name": name, "seconds": seconds[number], "metres": metres[number]}
        for number, name in enumerate(NAMES)
    ]


def ask(template: str, rows: Sequence[Mapping[str, Any]]) -> Derived:
    """What the template derives, with the bounds of its header."""
    header = benchmarks()[NAME].templates[template].header
    return derive(NAME, header.derive, Case(rows, {"mode": "car"}, header.margins, {}))


PASSED = (510.0, 300.0, 1000.0, 1200.0)
"""With these it takes ten seconds longer by way of the first place than without, and five minutes longer by the next."""
BEHIND = (1400.0, 300.0, 900.0, 1200.0)
"""With these the first place is the slowest but for the last, and the third one is the fastest."""


@pytest.mark.parametrize(
    ("template", "rows", "best", "margin"),
    [
        ("Fastest_Via", rows_of(BEHIND), "Post", {"seconds": 200.0}),
        ("Shortest_Via", rows_of(), "Sonne", {"metres": 4000.0}),
        ("Landmark_Passed", rows_of(PASSED), "Linde", {"seconds": 290.0}),
    ],
)
def test_the_best_place_to_pass_by_is_found(
    template: str, rows: list[dict[str, Any]], best: str, margin: dict[str, float]
) -> None:
    made = ask(template, rows)
    assert (made.refusal, made.gold["text"], made.margin) == (None, best, margin)
    assert made.gold["objects"] == [f"n{NAMES.index(best)}"]
    cells = "distance_m" if template == "Shortest_Via" else "seconds"
    of_row = "metres" if template == "Shortest_Via" else "seconds"
    to_them = {cells: [rows[0][of_row][2:]]}
    from_them = {cells: [[row[of_row][1]] for row in rows[2:]]}
    plan = made.solutions["tool_plan"]
    assert len(plan["calls"]) == 8
    assert evaluate(plan["answer"], [{}] * 6 + [to_them, from_them]) == {"text": best}


@pytest.mark.parametrize(
    ("reason", "template", "rows"),
    [
        ("no_answer", "Fastest_Via", rows_of()[:5]),
        ("no_way", "Fastest_Via", rows_of((None, 300.0, 900.0, 1200.0))),
        ("margin", "Fastest_Via", rows_of()),
        ("not_one_right", "Landmark_Passed", rows_of()),
        ("not_one_right", "Landmark_Passed", rows_of((510.0, 300.0, 900.0, 1200.0))),
        ("long_way", "Shortest_Via", rows_of((4000.0, 300.0, 900.0, 1200.0))),
        ("margin", "Shortest_Via", rows_of(far=(3400.0, 2000.0, 8000.0, 9000.0))),
    ],
)
def test_what_cannot_be_told_surely_is_refused(
    reason: str, template: str, rows: list[dict[str, Any]]
) -> None:
    assert ask(template, rows).refusal == reason


def fault(template: str, made: Derived, rows: Sequence[Mapping[str, Any]]) -> str | None:
    """Why the gold does not follow from the travel times as they are printed."""
    lines = [
        travel_line(
            {
                "origin": {"name": NAMES[one]},
                "destination": {"name": NAMES[other]},
                "mode": "car",
                "seconds": rows[one]["seconds"][other],
                "distance_m": rows[one]["metres"][other] or 5000.0,
            }
        ).text
        for one, other in ((0, 1), *(leg for place in range(2, 6) for leg in ((0, place), (place, 1))))
    ]
    asked = {CONTEXT: {"asks": {"places": NAMES, "by": BY_MODE["car"]}}}
    return context_fault(NAME, Shown(template, "\n".join(lines), NAMES[2:]), asked, made.gold)


def test_answers_follow_from_the_printed_sums() -> None:
    assert fault("Fastest_Via", ask("Fastest_Via", rows_of(BEHIND)), rows_of(BEHIND)) is None
    assert fault("Shortest_Via", ask("Shortest_Via", rows_of()), rows_of()) is None
    passed = ask("Landmark_Passed", rows_of(PASSED))
    assert fault("Landmark_Passed", passed, rows_of(PASSED)) is None
    assert fault("Landmark_Passed", passed, rows_of((740.0, 800.0, 1300.0, 1200.0))) == (
        "the way by Linde is printed as much longer than the direct one"
    )
    equal = rows_of((660.0, 300.0, 900.0, 1200.0))
    assert fault("Fastest_Via", Derived({"text": "Linde"}), equal) == (
        "the ways by Linde and by Post are printed as equal"
    )


def test_four_places_are_asked_about_by_the_modes_that_their_answer_was_drawn_for() -> None:
    def asked(mode: str, facts: Mapping[str, Any]) -> Intended:
        return Intended({"mode": mode}, {"places": facts, "mode": {}})

    assert refused_beforehand(NAME, asked("car", {"modes": ["bicycle", "foot"]})) == COMMON
    assert refused_beforehand(NAME, asked("foot", {"modes": ["bicycle", "foot"]})) is None
    assert refused_beforehand(NAME, asked("car", {})) is None
