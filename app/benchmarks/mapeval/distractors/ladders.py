"""Numbers around the key's of which each could be the key. Pure."""

from app.core import seeds
from app.core.seeds import Seed

STEP, SPAN = 1.16, 1.6
"""Each number is at least so many times the one below it, and the greatest at most so many times the least."""


def draw_ladder(seed: Seed, question_id: str, number: float, count: int) -> list[float]:
    """So many other numbers: the steps from number to number are drawn, and which of them the given one is."""
    rank = seeds.below(count + 1, seed, "rank", question_id, number)
    shares = [seeds.unit(seed, "step", question_id, number, step) for step in range(count + 1)]
    room = SPAN / STEP**count
    ladder = [1.0]
    for share in shares[:count]:
        ladder.append(ladder[-1] * STEP * room ** (share / sum(shares)))
    return [number * one / ladder[rank] for place, one in enumerate(ladder) if place != rank]
