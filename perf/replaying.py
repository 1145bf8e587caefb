"""The attacker who draws again what public numbers decide: from id, seed, options and our source to a guess at the key.

Pure; reads neither map nor gold. Each replay asks of every option what the draws would have been were it the key, and
takes the one that they fit best; where they fit several, a hash takes one. It is as good against options that come
from the seed as an attacker without the map gets; against options that come from a secret it should be blind.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from app.core import seeds

SEPARATOR = " and "
Scores = Sequence[float]


class Posed(NamedTuple):
    """A question as everybody sees it."""

    id: str
    template: str
    options: Sequence[str]


def guess_again(posed: Posed, seed: int, length_ratio: float) -> int:
    """The option that fits the draws of its question best."""
    fits = REPLAYS.get(posed.template)
    scores = fits(posed, seed) if fits else window_fits(posed, seed, length_ratio)
    best = max(scores)
    places = [place for place, score in enumerate(scores) if score == best]
    return seeds.choose(places, seed, "replay", posed.id)


def window_fits(posed: Posed, seed: int, ratio: float) -> Scores:
    """1 for each option whose window of lengths holds all the others, 0 for the rest."""
    if not ratio:
        return [0.0] * len(posed.options)
    share = seeds.unit(seed, "window", posed.id)
    lengths = [len(option) for option in posed.options]
    starts = [length / ratio**share for length in lengths]
    return [float(all(start <= length <= start * ratio for length in lengths)) for start in starts]


def stranger_turns(posed: Posed, seed: int) -> Scores:
    """How late each road comes in the order in which strangers are drawn: who came early is wrong."""
    return [seeds.unit(seed, "stranger", posed.id, option) for option in posed.options]


def junction_turns(posed: Posed, seed: int) -> Scores:
    """Likewise for pairs: of the four roads that make up the options, two came early."""
    pairs = _pairs_of_grid(posed.options)
    if pairs is None:
        return [0.0] * len(posed.options)
    return [sum(seeds.unit(seed, "stranger", posed.id, road) for road in pair) for pair in pairs]


def _pairs_of_grid(options: Sequence[str]) -> list[tuple[str, str]] | None:
    """The roads of each option, where the options are a grid: four roads, each in two of them."""
    splits = [
        [(one[:at], one[at + len(SEPARATOR) :]) for at in range(len(one)) if one.startswith(SEPARATOR, at)]
        for one in options
    ]
    for first in splits[0]:
        chosen = [first]
        for ways in splits[1:]:
            known = {road for pair in chosen for road in pair}
            found = max(ways, key=lambda pair: len(known & set(pair)), default=None)
            if found is None:
                return None
            chosen.append(found)
        roads = [road for pair in chosen for road in pair]
        if all(roads.count(road) == 2 for road in roads):
            return chosen
    return None


def number_ranks(posed: Posed, seed: int) -> Scores:
    """How near the rank of each number is to the rank that was drawn for the key."""
    numbers = [float("".join(sign for sign in one if sign.isdigit() or sign == ".")) for one in posed.options]
    order = sorted(numbers)
    wanted = seeds.unit(seed, "numbers", posed.id, 0) * len(numbers) - 0.5
    return [-abs(order.index(number) - wanted) for number in numbers]


def draws_of(posed: Posed, seed: int, ratio: float) -> list[Scores]:
    """All that public draws say of the options, a row a draw: what a learner may weigh."""
    named = ("stranger", "alike", "candidates", "groups", "hop", "corners", "options")
    shared = [
        *(seeds.unit(seed, "numbers", posed.id, part) for part in range(3)),
        *(seeds.unit(seed, name, posed.id) for name in ("window", "kept")),
        *(seeds.unit(seed, "grid", posed.id, axis) for axis in ("lon", "lat")),
    ]
    fits = REPLAYS.get(posed.template)
    return [
        window_fits(posed, seed, ratio),
        fits(posed, seed) if fits else [0.0] * len(posed.options),
        *([seeds.unit(seed, name, posed.id, option) for option in posed.options] for name in named),
        *([value] * len(posed.options) for value in shared),
    ]


REPLAYS: dict[str, Callable[[Posed, int], Scores]] = {
    "Identify_Connections": stranger_turns,
    "Find_Junctions": junction_turns,
    "Query_Length": number_ranks,
    "Calculate_Distance": number_ranks,
    "Calculate_Distance_Context": number_ranks,
}
"""By template, where options are not drawn from a window of lengths."""
