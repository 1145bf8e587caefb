"""`random_station`: three stations drawn from those that are seen around the user. Agents must do better than that.

Each draw is a hash of the run's seed and the question's id and repeat.
"""

from app.core.seeds import shuffled
from app.solvers.agents.playing import Play
from app.solvers.exploring.answers import FEWEST
from app.solvers.exploring.rules import Explorer, exploring


@exploring("random_station", version=1)
def play_random_station(explorer: Explorer) -> Play:
    """Search, and draw."""
    yield from explorer.look_around()
    asked = explorer.question
    stations = explorer.in_order(explorer.seen.values())
    drawn = shuffled(stations, explorer.run.seed, "station", asked.id, asked.repeat)
    return explorer.answer(drawn[:FEWEST])
