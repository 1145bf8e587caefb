"""Set-up stage: compares two boards as `trigpoint leaderboard --json` prints them; a line for each difference, exit 1.

Reads two JSON files. What depends on the database or the machine alone is left out: numbers of runs and versions,
the time of publishing, how long the endpoint took.
usage: same_boards.py ONE.json OTHER.json
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LEFT_OUT = {"run", "version", "published_at", "latency_median_ms", "latency_p95_ms"}


def differences(one: Any, other: Any, path: str = "board") -> Iterator[str]:
    """One line for each place where two JSON values differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted((one.keys() | other.keys()) - LEFT_OUT):
            yield from differences(one.get(key), other.get(key), f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from differences(left, right, f"{path}[{number}]")
    elif one != other:
        yield f"{path}: {json.dumps(one)} and {json.dumps(other)}"


def main(first: str, second: str) -> int:
    """Compares two files; an empty board is a difference too, since it proves nothing."""
    boards = [json.loads(Path(name).read_text()) for name in (first, second)]
    found = list(differences(*boards))
    if not boards[0].get("rows"):
        found.append("the board has no rows")
    sys.stdout.writelines(f"{line}\n" for line in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
