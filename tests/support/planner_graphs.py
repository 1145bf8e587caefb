"""GeoFlow graphs of a planner of rules: a sketch collects concepts and steps, and gives them the roles that they need."""

import json
from collections.abc import Sequence
from typing import Any

ROLES = {"LOCATION": "SUBCOND", "OBJECT": "COND"}
"""By the type of what a step makes; numbers, times and routes are SUPPORT."""
GIVES = {
    "geocode": "LOCATION",
    "batch_geocode": "OBJECT",
    "intersection_of": "LOCATION",
    "nearest": "LOCATION",
    "nearest_in_direction": "LOCATION",
    "least_of": "LOCATION",
    "haversine": "FIELD",
    "bearing": "FIELD",
    "bearing_to_direction": "FIELD",
    "calculate_field": "FIELD",
    "open_at_time": "EVENT",
    "calculate_finish_time": "EVENT",
    "calculate_latest_departure": "EVENT",
    "steps_analysis": "EVENT",
    "travel_time": "NETWORK",
    "directions": "NETWORK",
    "extract_distance": "AMOUNT",
    "extract_duration": "AMOUNT",
    "count_in_route": "AMOUNT",
    "add_durations": "AMOUNT",
    "arithmetic": "AMOUNT",
    "count": "AMOUNT",
    "sum": "AMOUNT",
}
"""By operator: the type of what it makes; all others that are used here make sets."""


class Sketch:
    """A graph in the making. What is made last is the measure."""

    def __init__(self) -> None:
        self._concepts: list[dict[str, Any]] = []
        self._steps: list[dict[str, Any]] = []
        self._places: dict[tuple[str, str | None], str] = {}

    def named(self, name: str) -> str:
        """A place of which the question says the name alone."""
        return self._concept("LOCATION", "EXTENT", name=name)

    def at(self, time: str) -> str:
        """A time of the question."""
        return self._concept("EVENT", "TEXTENT", attrs={"time": time})

    def place(self, name: str, kind: str | None = None) -> str:
        """A place that is looked up, each only once."""
        key = (name, kind)
        if key not in self._places:
            wish = {} if kind is None else {"type": kind}
            self._places[key] = self.make("geocode", {"place": self.named(name)}, **wish)
        return self._places[key]

    def make(self, op: str, ports: dict[str, str | Sequence[str]], **params: Any) -> str:
        """What an operator makes."""
        kind = GIVES.get(op, "OBJECT")
        made = self._concept(kind, ROLES.get(kind, "SUPPORT"))
        inputs = {port: [one] if isinstance(one, str) else [*one] for port, one in ports.items()}
        number = len(self._steps) + 1
        self._steps.append(
            {"id": f"s{number}", "op": op, "inputs": inputs, "outputs": [made], "params": params}
        )
        return made

    def as_text(self) -> str:
        """The graph as a model writes it."""
        measure = self._steps[-1]["outputs"][0]
        concepts = [one | {"role": "MEASURE"} if one["id"] == measure else one for one in self._concepts]
        return json.dumps(
            {"concepts": concepts, "steps": self._steps, "measure": measure}, ensure_ascii=False
        )

    def _concept(self, kind: str, role: str, **said: Any) -> str:
        key = f"c{len(self._concepts) + 1}"
        self._concepts.append({"id": key, "type": kind, "role": role, **said})
        return key
