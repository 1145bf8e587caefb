"""Operators that need what OpenStreetMap does not hold: they say so and guess nothing. G4 refuses graphs with them."""

from app.agent_tools.registry import UNAVAILABLE
from app.geoflow.ontology import ontology
from app.geoflow.operators.base import Bound, OperatorFault, Work, operator

SAYS = {
    "ratings": UNAVAILABLE["ratings"],
    "prices": UNAVAILABLE["prices"],
    "live_hours": UNAVAILABLE["live_times"],
    "transit": UNAVAILABLE["transit"],
}
"""By the source that is missing."""


def _refuse(name: str, says: str) -> None:
    @operator(name)
    def work(bound: Bound) -> Work:
        raise OperatorFault(f"{name} is unavailable. {says}", "data")
        yield  # a generator that asks for nothing


for _one in ontology().operators.values():
    if not _one.available and _one.needs is not None:
        _refuse(_one.name, SAYS[_one.needs])
