"""`oracle`: reads the gold and says it; proves that the path from gold to score is whole, and nothing else."""

import json
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection

from app.core.errors import ProofError
from app.questions.gold import VALUE
from app.questions.rotations import place_shown
from app.solvers.base import Answer, NextStep, QuestionView, RunView, letter, solver
from app.solvers.calls import CallResult
from app.solvers.queries import GOLD_OF_VERSION


def _number(gold: dict[str, Any], name: str) -> Any:
    """Gold's one number, or that of the first of the places of which any is right."""
    return gold[name] if name in gold else gold["objects"][0][name]


def _point(place: dict[str, Any]) -> str:
    """Where a place is, to the twentieth decimal and without exponents."""
    lon, lat = (
        f"{Decimal(repr(degrees)):.20f}".rstrip("0") + "0" for degrees in (place["lon"], place["lat"])
    )
    return f"latitude {lat}, longitude {lon}"


def _stations(stations: Sequence[dict[str, Any]]) -> str:
    told = [
        {
            "station_id": one["osm_key"],
            "station_name": one["name"],
            "station_location": [one["lon"], one["lat"]],
            "station_distance": f"{one['geodesic_m'] / 1000:.3f} km",
        }
        for one in stations
    ]
    return json.dumps(told, ensure_ascii=False)


UNANSWERABLE = "I cannot answer"
"""What is said where gold is that the question cannot be answered."""
_SAYINGS: dict[str, Callable[[dict[str, Any]], str]] = {
    "option": lambda gold: letter(gold["index"]),
    "location": lambda gold: _point(gold["objects"][0]),
    "name": lambda gold: str(gold["names"][0]),
    "names": lambda gold: "; ".join(gold["members"]) or "none",
    "fact": lambda gold: f"{gold['fact']['value']} {gold['fact']['unit']}".strip(),
    "azimuth": lambda gold: f"{_number(gold, 'azimuth')!r} degrees",
    "count": lambda gold: str(gold["count"]),
    "area": lambda gold: f"{gold['area']!r} m2",
    "distance": lambda gold: f"{_number(gold, 'distance')!r} m",
    "length": lambda gold: f"{gold['length']!r} m",
    "order": lambda gold: "->".join(gold["order"]),
    "relation": lambda gold: str(gold["relation"]),
    "route": lambda gold: ", then ".join(gold["route"]),
    "destinations": lambda gold: _stations(gold["stations"]),
}


def say_gold(answer_type: str, gold: dict[str, Any], kind: str = VALUE) -> str:
    """The gold as an answer that a scorer reads: a letter, a name, a number with its unit, or that there is none."""
    if kind != VALUE and "index" not in gold:
        return UNANSWERABLE
    if answer_type not in _SAYINGS:
        raise ProofError(f"the oracle cannot say gold of answer type {answer_type!r}")
    return _SAYINGS[answer_type](gold)


@solver("oracle", version=1, reads=("gold",))
def open_oracle(connection: Connection, run: RunView) -> NextStep:
    """Loads the default gold of the whole version."""
    rows = connection.execute(GOLD_OF_VERSION, {"version_id": run.version_id}).all()
    sayings = {row.id: say_gold(row.answer_type, row.value) for row in rows}
    places = {row.id: row.value["index"] for row in rows if row.answer_type == "option"}

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Answer:
        if question.id not in sayings:
            return Answer("no_answer", UNANSWERABLE)
        if question.rotation and question.options:
            shown = place_shown(places[question.id], question.rotation, len(question.options))
            return Answer("answered", letter(shown))
        return Answer("answered", sayings[question.id])

    return next_step
