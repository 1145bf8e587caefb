"""An agent of rules that sees texts and tools alone: over the town, whose answers are known by hand."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.snapshots import find_snapshots
from tests.app.agent_tools.conftest import make_tool_town
from tests.app.predictions.test_worker import work
from tests.support.agent_runs import plan_agent
from tests.support.factories import MadeMap, MadeVersion, QuestionSpec, make_version
from tests.support.processes import query
from tests.support.routers import own_routers
from tests.support.rule_agent import NOT_KNOWN, serving_rule_agent
from tests.support.rule_agent_choices import REFUSAL
from tests.support.rule_agent_journeys import Journey, read_journey
from tests.support.rule_agent_kinds import class_of, fits_kind
from tests.support.rule_agent_questions import Asked, Mention, read_question
from tests.support.town import import_map

PLACES = ("Krone", "Linde", "Sonne", "Stadtpark")
ANSWERS: list[tuple[str, str, list[str] | None, str]] = [
    ("distance", "How far is it from Café Élan (café) to Krone (restaurant)? Give it in metres.", None, "100.0 m"),
    ("azimuth", "In how many degrees does Linde (restaurant) lie from Café Élan (café)?", None, "90.0 degrees"),
    ("count", "How many restaurants are there within 450 m of Café Élan (café)?", None, "3"),
    ("count", "How many pharmacies are there in Altstadt?", None, "1"),
    ("name", "What is the name of the restaurant closest to Café Élan (café)?", None, "Krone"),
    ("name", "Take the restaurant that is nearest to Linde. Which café is nearest to that restaurant?", None, "Café Élan"),
    ("area", "How large is Stadtpark, in square metres?", None, "20001 m2"),
    ("option", "Which of these places is nearest to Krone (restaurant)?", ["Linde", "Sonne", "Stadtpark", "Café Élan"], "D"),
    ("option", "Which of these places is open on Sunday, 22 September 2024, at 15:15?", list(PLACES), "A"),
    ("count", "How many angels dance on Krone?", None, NOT_KNOWN),
]  # fmt: skip


def _gold(kind: str) -> dict[str, Any]:
    """Any gold of the form: what is right is not asked here."""
    gold: dict[str, dict[str, Any]] = {
        "distance": {"distance": 100.0}, "azimuth": {"azimuth": 90.0}, "count": {"count": 4}, "area": {"area": 1.0},
        "name": {"names": ["Krone"], "objects": [], "tolerated": []},
        "option": {"index": 0, "text": "Linde", "objects": []},
    }  # fmt: skip
    return gold[kind]


def ask_in_town(
    made: Settings, folder: Path, asked: Sequence[tuple[str, str, list[str] | None]]
) -> tuple[Settings, MadeVersion]:
    """The town of tools, and questions about it: the form of the answer, the text, the options."""
    settings = made.model_copy(update={"backoff_seconds": 0.01})
    import_map(settings, make_tool_town().write(folder / "tools.osm"), "tools")
    with connect(settings, Role.WORKER) as connection:
        (found,) = find_snapshots(connection, ["tools"])
    specs = [
        QuestionSpec("T24", kind, text, _gold(kind), {"test": number}, options)
        for number, (kind, text, options) in enumerate(asked)
    ]
    return settings, make_version(settings, specs, made_map=MadeMap(found.id, found.schema))


def read_answers(settings: Settings, run_id: int) -> list[str]:
    """The answers of a run, in the order of its questions."""
    rows = query(
        settings,
        "select p.answer from prediction p join question q on (q.version_id, q.id) ="
        " (p.version_id, p.question_id) where p.run_id = :id order by q.position",
        id=run_id,
    )
    return [row.answer for row in rows]


def test_the_agent_finds_by_tools_what_is_known_by_hand(
    make_database: Callable[[], Settings], tmp_path: Path
) -> None:
    settings, version = ask_in_town(make_database(), tmp_path, [one[:3] for one in ANSWERS])
    with serving_rule_agent() as endpoint:
        run_id = plan_agent(settings, version, endpoint.url)
        work(settings)
    answers = read_answers(settings, run_id)
    assert {one[1]: answers[place] for place, one in enumerate(ANSWERS)} == {
        one[1]: one[3] for one in ANSWERS
    }


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (
            "Which school is nearest to Kapelle St. Maria (place of worship)? Give its name.",
            Asked("nearest", (Mention("Kapelle St. Maria", "place of worship"),), ("school",)),
        ),
        (
            "I am at AMAG (Vaduz) AG (car dealer). How many cash machines are at most 1.8 km away? Answer from the map.",
            Asked("count_around", (Mention("AMAG (Vaduz) AG", "car dealer"),), ("cash machines",), 1800.0),
        ),
        (
            "Starting at Dux (park), I visit the closest pharmacy and then the bank closest to it. How is it called?",
            Asked("nearest", (Mention("Dux", "park"),), ("pharmacy", "bank")),
        ),
    ],
)  # fmt: skip
def test_questions_are_read(said: str, asked: Asked) -> None:
    assert read_question(said) == asked


def test_kinds_are_read() -> None:
    words = [
        "petrol stations",
        "doctor's practices",
        "cafés",
        "fast food places",
        "bus stops",
        "bicycle shop",
        "churches",
    ]
    assert [class_of(one) for one in words] == [
        "fuel", "doctors", "cafe", "fast_food", "bus_stop", "bicycle", "church",
    ]  # fmt: skip
    assert fits_kind("car dealer", "car")
    assert not fits_kind("hotel", "restaurant")


SET_ANSWERS: list[tuple[str, list[str], str]] = [
    ("Which way is Linde (restaurant) from Café Élan (café)?", ["north", "east", "south", "west"], "B"),
    ("How far is Krone (restaurant) from Café Élan (café) as the crow flies, in km?", ["0.20 km", "0.10 km"], "B"),
    ("Which of these pairs is closest together, as the crow flies?", ["Krone and Linde", "Krone and Café Élan"], "B"),
    ("Can I still visit Krone (restaurant) on Sunday, 22 September 2024, at 23:15?", ["Yes", "No"], "B"),
    ("I'm at Café Élan (café), how many restaurants in a radius of 450 m?", ["2", "3", REFUSAL], "B"),
    ("What's the second closest restaurant to Café Élan (café), as the crow flies?", ["Krone", "Sonne", "Linde"], "C"),
    ("Closest restaurant with Italian cuisine to Sonne (restaurant), as the crow flies?", ["Linde", "Krone"], "B"),
    ("What's north of Sonne (restaurant), any of these?", ["Linde", "Krone", REFUSAL], "B"),
    ("Café Élan (café), what wheelchair accessibility?", ["no", "yes", "limited"], "B"),
    ("Which restaurant near Café Élan (café) has the friendliest staff?", ["Krone", "Linde", REFUSAL], "C"),
    ("Which restaurants within 300 m of Café Élan (café) are open on Sunday, 22 September 2024, at 15:15?",
     ["Krone and Linde", "Krone"], "B"),
]  # fmt: skip


# Two roads cross: Ring from west to east, Marktstraße from north to south. On foot, it is 350 m from Krone to Linde (4
# minutes), 476 m from Krone to Sonne (6), 556 m from Linde to Sonne (7), 535 m from Krone to Stadtpark (6) and 185 m from
# Linde to Stadtpark (2).
JOURNEY_ANSWERS: list[tuple[str, list[str], str]] = [
    ("How long do I need from Krone to Linde if I go on foot?", ["5 minutes", "4 minutes", REFUSAL], "B"),
    ("Going from Krone to Linde and then to Sonne on foot, total travel time?", ["11 minutes", "13 minutes"], "A"),
    ("I'm at Krone, going on foot. Which of these can I get to the quickest?", ["Sonne", "Linde", REFUSAL], "B"),
    ("Which order saves the most time on foot, from Krone to Sonne and Linde? I don't go back to the start.",
     ["Sonne → Linde", "Linde → Sonne"], "B"),
    ("I've got 30 minutes. Going from Krone to Linde and then to Sonne on foot in this order, 10 minutes at each. "
     "How many can I fully visit? The start doesn't count.", ["0", "1", "2"], "B"),
    ("Starting 23:50, going from Krone to Linde and then to Sonne on foot, 15 minutes at each stop in between. "
     "When am I at the last one?", ["00:01", "00:16", "00:31"], "B"),
    ("Have to be at the last place by 12:00. Going from Krone to Linde and then to Sonne on foot, 15 minutes at each "
     "stop in between. When do I have to leave?", ["11:34", "11:49", "12:26"], "A"),
    ("We are two, at Krone and Linde, on foot. Which place gets us together the fastest?", ["Sonne", "Stadtpark"], "B"),
    ("Which of these can I still visit for 15 minutes if I start from Linde on Friday, 20 September 2024, at 17:50, "
     "going there on foot?", ["Café Élan", "Krone", "Sonne", REFUSAL], "B"),
    ("Fastest drive Krone (restaurant) to Linde (restaurant), the second road with a name or number?",
     ["Marktstraße", "Ring", REFUSAL], "B"),
    ("Driving from Krone to Linde, fastest route. I've been following Marktstraße, what's next?",
     ["Turn right onto Ring", "Turn left onto Ring"], "B"),
    ("Driving from Krone to Linde the fastest way, how many left turns in all? Don't count slight ones.",
     ["0", "1", "2"], "B"),
    ("Trip from Krone to Linde on foot via one of these: quickest via which?", ["Sonne", "Stadtpark"], "B"),
    ("Fewest km from Krone to Linde on foot, on the fastest roads via which of these?", ["Stadtpark", "Sonne"], "A"),
]  # fmt: skip


def test_by_the_tools_of_mapeval_it_finds_what_is_known_by_hand(
    make_database: Callable[[], Settings], tmp_path: Path
) -> None:
    asked = [*SET_ANSWERS, *JOURNEY_ANSWERS]
    with own_routers(make_database(), tmp_path / "routers") as made, serving_rule_agent() as endpoint:
        settings, version = ask_in_town(
            made, tmp_path, [("option", text, options) for text, options, _ in asked]
        )
        run_id = plan_agent(settings, version, endpoint.url, "react", tools="mapeval", manner="native")
        work(settings)
        answers = read_answers(settings, run_id)
    assert {one[0]: answers[place] for place, one in enumerate(asked)} == {one[0]: one[2] for one in asked}


MINUTES = {"A": "15 minutes", "B": "25 minutes"}
NAMED = {"A": "Krone", "B": "Linde"}


@pytest.mark.parametrize(
    ("text", "options", "journey"),
    [
        (
            "I go by bicycle from Dr. Med. Ott to § 7 Rechtsanwälte, by the fastest way. How many minutes do I need?",
            MINUTES,
            Journey("minutes", MINUTES, "bicycling", ("Dr. Med. Ott", "§ 7 Rechtsanwälte")),
        ),
        (
            "With 2 hours and 30 minutes in all, how many places can I visit if I go by car from Falknis to Hort, then to "
            "Café Matt and then to Eni, in this order, and stay 15 minutes at each one after the start?",
            {"A": "3", "B": "2"},
            Journey("budget", {"A": "3", "B": "2"}, "driving", ("Falknis", "Hort", "Café Matt", "Eni"), (), 1, 15, 150),
        ),
        (
            "Leaving at 08:40 by bicycle: from Torkel to Dux and then to Resch. I need 30 minutes at each place in "
            "between. When will I get to the last one?",
            {"A": "10:12", "B": "10:35"},
            Journey("arrival", {"A": "10:12", "B": "10:35"}, "bicycling", ("Torkel", "Dux", "Resch"), (), 1, 30, 0, 520),
        ),
        (
            "Two people start at Spring and Fall and Eni at the same time and travel on foot. At which of these places "
            "are both of them the soonest?",
            NAMED,
            Journey("meeting", NAMED, "walking", (), (("Spring", "Fall and Eni"), ("Spring and Fall", "Eni"))),
        ),
        ("Which of these hotels is open by night?", NAMED, None),
    ],
)  # fmt: skip
def test_journeys_are_read(text: str, options: dict[str, str], journey: Journey | None) -> None:
    assert read_journey(text, options) == journey
