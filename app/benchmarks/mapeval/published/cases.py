"""Published cases: one reply to one question → what our rules and the authors' read from it, and whether it is right.

Cases are lines of JSON: {"case", "task", "options", "correct", "reply"}. As in the authors' files, `correct` counts
from 0 for the tasks textual and api, where -1 stands for "cannot be answered", and from 1 for visual, where 0 does.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from app.benchmarks.mapeval.published.replies import READERS, VISUAL
from app.core.errors import UsageError
from app.core.strict_json import read_json
from app.scores.reading.numbered_options import read_numbered_option
from app.scores.reading.reading import Reading


def score_cases(lines: Iterable[bytes], source: str) -> Iterator[Mapping[str, Any]]:
    """{"case", "ours", "published"} of each, in order; each of the two is {option, correct, invalid}.

    `option` is the option's number counted from 1, 0 for "cannot be answered", null where the reply is invalid.
    Raises UsageError naming file, line and what is amiss.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield _scored(read_json(line))
        except (KeyError, TypeError, ValueError) as error:
            said = (
                f"it is not JSON ({error.msg})" if isinstance(error, json.JSONDecodeError) else _what(error)
            )
            raise UsageError(
                f"{source}, line {number}: {said}. docs/imported-data-sets.md shows what a case looks like."
            ) from error


def _what(error: Exception) -> str:
    return f"there is no field {error}" if isinstance(error, KeyError) else str(error)


def _scored(case: Any) -> dict[str, Any]:
    if not isinstance(case, dict):
        raise ValueError("it is not a JSON object")
    name, task, options, key, reply = (
        case[field] for field in ("case", "task", "options", "correct", "reply")
    )
    if task not in READERS:
        raise ValueError(f"task is {task!r}, not one of {', '.join(READERS)}")
    if not isinstance(options, list) or not all(isinstance(one, str) for one in options):
        raise ValueError("options is not a list of texts")
    if not isinstance(key, int) or isinstance(key, bool) or not isinstance(reply, str):
        raise ValueError("correct is no whole number, or reply is no text")
    place = key - 1 if task == VISUAL else key
    if not -1 <= place < len(options):
        raise ValueError(f"correct is {key}, and there are {len(options)} options")
    return {
        "case": str(name),
        "ours": _read(read_numbered_option, reply, options, place),
        "published": _read(READERS[task], reply, options, place),
    }


def _read(
    reader: Callable[[str, Sequence[str]], Reading[int]], reply: str, options: Sequence[str], place: int
) -> dict[str, Any]:
    read = reader(reply, options)
    option = None if read.value is None else read.value + 1
    return {"option": option, "correct": read.value == place, "invalid": read.value is None}
