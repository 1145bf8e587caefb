"""`nearest_station`: the nearest stations, whatever the driver wants to do near them.

Agents must do better than that. Where the view from the user's place shows too few stations, it goes on along a spiral.
"""

from app.solvers.agents.playing import Play
from app.solvers.exploring.rules import Explorer, exploring

MOST_NAMED = 5
"""Stations that it names: as many as a key has at most."""


@exploring("nearest_station", version=1)
def play_nearest_station(explorer: Explorer) -> Play:
    """Search, and name the nearest."""
    yield from explorer.look_around()
    return explorer.answer(explorer.in_order(explorer.seen.values())[:MOST_NAMED])
