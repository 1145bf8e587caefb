"""Benchmarks: how long attackers need to learn hidden answers from the stepped sums that their submissions are told.

Several attackers, each over many drawn sets of keys. An owner's submissions count hidden questions so many times within
so many days: who needs more of them waits. The last line is JSON. Exit 1 where the best attacker learns the share of
answers in less than --days.
usage: scripts/bench-hidden [--questions N] [--share F] [--days N] [--repeats N]
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from app.cli.output import line, say
from app.predictions.submissions.storing import HIDDEN_FOR, MOST_A_DAY, MOST_HIDDEN
from perf.hidden_attackers import Learned, Way, attack, draw_by_belief, draw_evenly, draw_few

WAYS: Mapping[str, Way] = {
    "any option of every question": draw_evenly,
    "options as they are believed": draw_by_belief,
    "new options for the same third of the questions each time, none for the others": draw_few(3),
    "new options for the same tenth of the questions each time, none for the others": draw_few(10),
}
OPTIONS = {4: "four options", 2: "two options left of each"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line an attacker, and all figures as JSON; 1 where one is too fast."""
    parser = argparse.ArgumentParser(prog="bench-hidden")
    parser.add_argument("--questions", type=int, default=300, help="hidden ones")
    parser.add_argument("--share", type=float, default=0.1, help="of their answers, to be learned")
    parser.add_argument("--days", type=int, default=60, help="in which they must not be")
    parser.add_argument("--repeats", type=int, default=20, help="sets of keys that are drawn")
    parser.add_argument("--tellings", type=int, default=3 * MOST_HIDDEN, help="sums that are told at most")
    given = parser.parse_args(arguments)
    wanted = given.share * given.questions
    found = [
        _measure(name, options, exact, given)
        for options in OPTIONS
        for name in WAYS
        for exact in (False, True)
    ]
    for one in found:
        say(
            f"{OPTIONS[one['options']]}, {one['way']}, {'exact sums' if one['exact'] else 'in steps'}: "
            f"{one['gained']:.1f} answers gained and {one['known']:.1f} known after {MOST_HIDDEN} sums; "
            f"{wanted:g} after {one['tellings'] or 'more than ' + str(given.tellings)}, on day {one['day']}"
        )
    day = min(one["day"] for one in found)
    learned = max(max(one["gained"], one["known"]) for one in found)
    figures = {
        "questions": given.questions,
        "sums": MOST_HIDDEN,
        "within_days": HIDDEN_FOR.days,
        "a_day": MOST_A_DAY,
        "learned_by_the_best": round(learned, 1),
        "day_of_the_best": day,
        "attackers": found,
    }
    line(json.dumps(figures))
    return 0 if day > given.days else 1


def day_of(tellings: int) -> int:
    """The day on which an owner is told so many sums, as many at once as may be; the first day is 1."""
    return 1 + HIDDEN_FOR.days * ((tellings - 1) // MOST_HIDDEN)


def _measure(name: str, options: int, exact: bool, given: argparse.Namespace) -> dict[str, Any]:
    runs = [
        attack(given.questions, options, given.tellings, WAYS[name], np.random.default_rng(seed), exact=exact)
        for seed in range(given.repeats)
    ]
    after = [_mean(of) for of in zip(*runs, strict=True)]
    wanted = given.share * given.questions
    enough = [number for number, one in enumerate(after, 1) if max(one.gained, one.known) >= wanted]
    first = after[min(MOST_HIDDEN, given.tellings) - 1]
    return {
        "options": options,
        "way": name,
        "exact": exact,
        "gained": round(first.gained, 1),
        "known": round(first.known, 1),
        "tellings": min(enough, default=None),
        "day": day_of(min(enough, default=given.tellings + 1)),
    }


def _mean(found: Sequence[Learned]) -> Learned:
    return Learned(fmean(one.gained for one in found), fmean(one.known for one in found))


if __name__ == "__main__":
    sys.exit(main())
