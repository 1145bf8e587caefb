"""`spiral`: how far plain search comes within the calls that an agent has; it knows what the driver wants.

It searches stations at the user's place and looks around each, the nearest first, until three fit. Then it goes on to
points 7 km apart in square rings around the user: N, E, S, S, W, W, N, N, N, E, E, E …
"""

from app.solvers.agents.playing import Play
from app.solvers.exploring.answers import FEWEST, Station
from app.solvers.exploring.rules import Explorer, exploring, spiral_directions


@exploring("spiral", version=1)
def play_spiral(explorer: Explorer) -> Play:
    """At most 19 calls: one for a move, one for a search of stations, one for a look around a station."""
    place = explorer.stop.user
    directions = spiral_directions()
    found: list[Station] = []
    while True:
        for station in (yield from explorer.search_stations(place)):
            if len(found) == FEWEST or explorer.calls_left == 0:
                break
            if (yield from explorer.fits(station)):
                found.append(station)
        if len(found) == FEWEST or explorer.calls_left < 2:
            return explorer.answer(explorer.in_order(found))
        place = yield from explorer.move(place, next(directions))
