"""Keys computed again from contexts: right and wrong ones of each kind, and all that is too unsure to be checked."""

from collections.abc import Sequence

import pytest

from app.benchmarks.mapeval.rechecks.contexts import read_context
from app.benchmarks.mapeval.rechecks.opening import Moment, is_open, read_hours, read_moment
from app.questions.rechecking.checks import Finding, KeyedQuestion, find_checker


def block(name: str, position: str = "", *details: str) -> str:
    lines = [
        f"Information of <b>{name}</b>:",
        f"- Location: Somewhere{position}.",
        *(f"- {one}" for one in details),
    ]
    return "\n".join([*lines, "", ""])


TOWN = "".join(
    [
        block("Old Mill", "(47.0000, 9.0000)"),
        block("The New Bridge", "(47.1000, 9.0000)"),
        block(
            "City Museum", "(47.0000, 9.2000)", "Open: Monday: Closed, Tuesday: 9:00\u202fAM – 5:00\u202fPM."
        ),
        block("Opera", "(47.0100, 9.2000)"),
    ]
)
LIST = """Nearby Restaurants of Old Mill are (in 1000 m radius):
1. <b>Alpha</b>(47.0010, 9.0000)
   - Address: Here.
   - Rating: 4.6. (7 ratings).

   - Open: Sunday: 6:00 – 10:00 PM.
2. <b>Beta</b>(47.0050, 9.0000)
   - Rating: 4.5. (7 ratings).

   - Open: Sunday: Open 24 hours.
3. <b>Gamma</b>(47.0080, 9.0000)
   - Rating: 4. (7 ratings).

   - Open: Sunday: Closed.
4. <b>Delta</b>(47.0085, 9.0000)
   - Address: There.
"""
SORTED = """Nearby Bus Stations of Old Mill are (sorted by distance in ascending order):
1. <b>First Stop</b>
   - Address: A.
2. <b>Second Stop</b>
   - Address: B.
3. <b>Café Stop</b>
   - Address: C.
4. <b>Twin</b>
5. <b>Twin</b>
"""
LEGS = "\n".join(
    f"Travel Time from {one} to {other} by car is {time} (1.0 km)."
    for one, other, time in [
        ("Hotel", "Mill", "5 mins"),
        ("Mill", "Opera", "1 hour 5 mins"),
        ("Hotel", "Opera", "10 mins"),
        ("Opera", "Mill", "7 mins"),
    ]
)


def check(
    question: str, options: Sequence[str], key: int, context: str = TOWN, also: Sequence[int] = ()
) -> Finding:
    checker = find_checker("mapeval", "mapeval-textual")
    assert checker is not None
    gold = {"index": key, **({"also": list(also)} if also else {})}
    return checker(KeyedQuestion("a", "id 1", "textual_poi", question, context, options, gold, "value", {}))


COMPASS = ("North", "East", "South", "West")
ROUTES = ("Hotel -> Mill -> Opera", "Hotel -> Opera -> Mill")
STOPS = ("Second Stop", "Cafe stop", "First Stop")
COUNTS = ("1", "2", "3", "4")


@pytest.mark.parametrize(
    ("question", "options", "right", "context", "kind"),
    [
        ("What is the straight-line distance between Old Mill and New Bridge?", ("11.1 km", "15.0 km"), 0, TOWN, "straight-line distance"),
        ("What is the direction and straight-line distance from Old Mill to New Bridge?", ("South, 11.1 km", "North, 11.1 kilometers", "North, 20 km"), 1, TOWN, "straight-line distance"),
        ("How far is New Bridge from Old Mill in a straight line?", ("11.1 km", "15.0 km"), 0, TOWN, "straight-line distance"),
        ("What is the direction of New Bridge from Old Mill?", COMPASS, 0, TOWN, "direction"),
        ("I am at Old Mill. In which direction do I go to reach the Opera?", COMPASS, 1, TOWN, "direction"),
        ("In which direction is Old Mill located from the City Museum?", COMPASS, 3, TOWN, "direction"),
        ("Which of these lies directly east of Old Mill?", ("The New Bridge", "City Museum"), 1, TOWN, "place in a direction"),
        ("Which two places are closest to each other?", ("Old Mill and New Bridge", "Opera and City Museum"), 1, TOWN, "closest or farthest pair"),
        ("Which pair of places is the farthest apart?", ("Old Mill and Opera", "Opera and City Museum"), 0, TOWN, "closest or farthest pair"),
        ("Is City Museum open on Tuesday?", ("Yes", "No"), 0, TOWN, "open then"),
        ("Is the City Museum open at 6:30 PM on Tuesday?", ("Yes", "No"), 1, TOWN, "open then"),
        ("Is the museum closed on Monday?", ("Yes", "No"), 0, TOWN, "open then"),
        ("How many restaurants are there within 600 meters of Old Mill?", COUNTS, 1, TOWN + LIST, "count"),
        ("How many restaurants near Old Mill have a rating of at least 4.5?", COUNTS, 1, TOWN + LIST, "count"),
        ("How many restaurants near Old Mill are rated higher than 4.5?", COUNTS, 0, TOWN + LIST, "count"),
        ("It is 7 PM on Sunday. How many restaurants near Old Mill are open now?", COUNTS, 1, TOWN + LIST, "count"),
        ("What is the nearest bus station to Old Mill?", STOPS, 2, TOWN + SORTED, "nearest of a list"),
        ("Which is the nearest restaurant to Old Mill?", ("Beta", "Alpha"), 1, TOWN + LIST, "nearest of a list"),
        ("In which order do I drive the shortest time?", ROUTES, 1, LEGS, "order of visits"),
    ],
)  # fmt: skip
def test_right_keys_agree_and_wrong_ones_are_contradicted(
    question: str, options: Sequence[str], right: int, context: str, kind: str
) -> None:
    for key in range(len(options)):
        found = check(question, options, key, context)
        assert (found.verdict, found.check) == ("agrees" if key == right else "contradicts", kind), (
            found.working
        )
        if key != right:
            assert f"The key is {options[key]!r}, and {options[right]!r} is right." in found.working


@pytest.mark.parametrize(
    ("question", "options", "context", "why"),
    [
        ("What is the straight-line distance between Old Mill and the Castle?", ("1 km", "2 km"), TOWN, "not sure between which"),
        ("What is the straight-line distance between Old Mill and New Bridge?", ("1 km", "2 km"), TOWN, "0 options fit"),
        ("What is the straight-line distance between Old Mill and New Bridge?", ("11.1 km", "11.12 km"), TOWN, "2 options fit"),
        ("What is the direction of the Castle from Old Mill?", COMPASS, TOWN, "not sure which place"),
        ("Which lies directly east of Old Mill?", ("Castle", "City Museum"), TOWN, "Not every place"),
        ("Which two places are closest to each other?", ("Old Mill and Castle", "Opera and City Museum"), TOWN, "Not every option"),
        ("Is Opera open on Tuesday?", ("Yes", "No"), TOWN, "no opening hours"),
        ("Is City Museum open on Sunday?", ("Yes", "No"), TOWN, "do not tell it"),
        ("Is City Museum open at 5 PM on Tuesday?", ("Yes", "No"), TOWN, "do not tell it"),
        ("How many restaurants within 890 m of Old Mill?", ("2", "3"), TOWN + LIST, "surely"),
        ("How many restaurants within 600 m of Old Mill serve breakfast?", COUNTS, TOWN + LIST, "a condition"),
        ("How many restaurants are there near Old Mill?", COUNTS, TOWN + LIST, "a condition"),
        ("How many cafes are there within 600 m of Old Mill?", COUNTS, TOWN + LIST, "which list"),
        ("What is the nearest open bus station to Old Mill?", STOPS, TOWN + SORTED, "further condition"),
        ("What is the nearest bus station to Old Mill?", ("First Stop", "Twin"), TOWN + SORTED, "Not every option"),
        ("What is the nearest bus station to the Castle?", STOPS, TOWN + SORTED, "which list"),
        ("I spend 2 hours at each. Which order is the shortest?", ROUTES, LEGS, "other conditions"),
        ("In which order do I drive the shortest time?", ("Hotel -> Mill -> Zoo", ROUTES[1]), LEGS, "every leg"),
        ("Where can I buy bread?", ("A", "B"), TOWN, "No check here"),
        ("What is the direction of New Bridge from Old Mill?", COMPASS, "", "no context"),
    ],
)  # fmt: skip
def test_what_is_not_sure_is_not_checked(
    question: str, options: Sequence[str], context: str, why: str
) -> None:
    found = [check(question, options, key, context) for key in range(len(options))]
    assert {one.verdict for one in found} <= {"cannot be checked", "agrees"}
    assert sum(one.verdict == "agrees" for one in found) <= 1
    assert any(why in one.working for one in found)


def test_a_direction_near_a_border_contradicts_nothing() -> None:
    context = block("Old Mill", "(0.0000, 0.0000)") + block("New Bridge", "(0.1000, 0.1010)")
    found = [
        check("What is the direction of New Bridge from Old Mill?", COMPASS, key, context)
        for key in (0, 1, 2)
    ]
    assert [one.verdict for one in found] == ["cannot be checked", "agrees", "cannot be checked"]


def test_equal_options_are_a_fault_and_each_is_accepted() -> None:
    found = check("Which way is the fastest?", ("Via A", "Via B", "Via B"), 1, also=[2])
    assert (found.verdict, found.is_flagged) == ("cannot be checked", True)
    assert found.fault == "The key is one of several equal options: options 2 and 3 are 'Via B'."


def test_hours_over_midnight_and_without_a_half_of_the_day() -> None:
    hours = read_hours(
        "Friday: 11:00 AM – 2:30 PM, 6:00 PM – 1:00 AM, Saturday: 1:00 – 2:30 PM, Sunday: Open 24 hours."
    )
    assert hours is not None
    asked = {
        "Friday at 2 PM": True,
        "Friday at 3 PM": False,
        "Saturday at 12:30 AM": True,
        "Saturday at 1:30 PM": True,
        "Saturday at 9 AM": False,
        "Sunday at 4 AM": True,
        "Friday at 2:30 PM": None,
        "Monday at 9 AM": None,
    }
    found = {said: moment and is_open(hours, moment) for said in asked if (moment := read_moment(said))}
    assert found == asked
    assert read_hours("Monday: by appointment") is None
    assert read_moment("Monday or Tuesday") is None
    assert read_moment("at noon") == Moment(None, 720)


def test_what_is_no_block_is_passed_over() -> None:
    read = read_context(
        "Hello.\n- Rating: 4.\n"
        + TOWN
        + "There are 2 routes from A to B by car. They are:\n1. Via C\n"
        + LEGS
    )
    assert [one.name for one in read.places] == ["Old Mill", "The New Bridge", "City Museum", "Opera"]
    assert (len(read.placed), read.lists) == (4, [])
    assert read.travel["Mill", "Opera", "by car"] == 65
