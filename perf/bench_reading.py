"""Benchmark: how the time to read an option out of an answer grows with the answer's length.

Texts that are hard for a reader, each repeated to a base length, ten and a hundred times as long, then "Answer: B" or
nothing; best of several rounds, in CPU time. The last line is one JSON object. usage: python -m perf.bench_reading
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from itertools import pairwise

from app.cli.output import line
from app.scores.reading.options import read_option

OPTIONS = ["Café Ursula", "A21 Bar", "Hotel Kämp", "Rock'n'Roll"]
PIECES = {
    "words": "the nearest place of them all lies there ",
    "answers": "Answer: ",
    "letters on lines": "A\n",
    "letters in brackets": "(A) ",
    "letters denied": "so it is not (A) ",
    "lists of options": "A) Café Ursula\nB) A21 Bar\n",
    "option texts": "Hotel Kämp is ",
    "called correct": "B is correct ",
    "opening braces": '{"a":',
    "opening tags": "<think>",
    "closing tags": "</think>",
    "boxes": "\\boxed{",
    "bold": "**",
    "blanks": " \t",
    "combining marks": "\u0301\u0323",
    "Chinese": "答案是",
    "letters that grow": "\ufdfa",
}
FACTORS = (1, 10, 100)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table and the JSON line; returns 0."""
    parser = argparse.ArgumentParser(prog="python -m perf.bench_reading", description=__doc__)
    parser.add_argument("--base", type=int, default=2_000, help="characters of the shortest text")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, of which the best counts")
    chosen = parser.parse_args(arguments)
    lengths = [chosen.base * factor for factor in FACTORS]
    figures: dict[str, dict[str, list[float]]] = {}
    line(
        "milliseconds at "
        + ", ".join(f"{length:,}" for length in lengths)
        + " characters; ten times the text costs"
    )
    for name, piece in PIECES.items():
        for ending in ("", "\nAnswer: B"):
            seconds = [seconds_to_read(piece, length, ending, chosen.rounds) for length in lengths]
            growth = [round(after / before, 2) for before, after in pairwise(seconds)]
            label = f"{name}, then an answer" if ending else name
            figures[label] = {"seconds": [round(one, 6) for one in seconds], "growth": growth}
            shown = " ".join(f"{one * 1000:9.2f}" for one in seconds)
            line(f"  {label:<38} {shown}   {' and '.join(f'{one:.1f}' for one in growth)} times as much")
    worst = max(growth for figure in figures.values() for growth in figure["growth"])
    line(json.dumps({"lengths": lengths, "rounds": chosen.rounds, "largest_growth": worst, "texts": figures}))
    return 0


def seconds_to_read(piece: str, length: int, ending: str, rounds: int) -> float:
    """CPU seconds to read `piece`, repeated to `length` characters, and `ending`: the best round."""
    answer = piece * (length // len(piece)) + ending
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        read_option(answer, OPTIONS)
        best = min(best, time.process_time() - started)
    return best


if __name__ == "__main__":
    sys.exit(main())
