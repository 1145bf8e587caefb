"""Published cases: one answer to one question of MapQA's files → whether it is right by our rules and by `published`.

Cases are lines of JSON: {"case", "type", "key", "answer"}. `type` is one of the nine of the files, and `key` is what
their column Answer says.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app.benchmarks.mapqa.imported.gold import KINDS, gold_of
from app.benchmarks.mapqa.published.comparing import JUDGES
from app.core.errors import UsageError
from app.core.strict_json import read_json
from app.scores.registry import get_scorer
from app.scores.score import Score


def score_cases(lines: Iterable[bytes], source: str) -> Iterator[Mapping[str, Any]]:
    """{"case", "ours", "published"} of each, in order; each of the two is {correct, unread, …} with its components.

    Raises UsageError naming file, line and what is amiss.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield _scored(read_json(line))
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(
                f"{source}, line {number}: {_what(error)}. docs/scoring.md shows what a case looks like."
            ) from error


def _what(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"it is not JSON ({error.msg})"
    return f"there is no field {error}" if isinstance(error, KeyError) else str(error)


def _scored(case: Any) -> dict[str, Any]:
    if not isinstance(case, dict):
        raise ValueError("it is not a JSON object")
    name, kind, key, answer = (case[field] for field in ("case", "type", "key", "answer"))
    if kind not in KINDS:
        raise ValueError(f"type is {kind!r}, not one of {', '.join(KINDS)}")
    if not isinstance(key, str) or not isinstance(answer, str):
        raise ValueError("key or answer is no text")
    gold = gold_of(kind, key)
    if not key or gold is None:
        raise ValueError(f"key is {key!r}, which is no answer to a question of type {kind}")
    scorer = KINDS[kind].scorer
    return {
        "case": str(name),
        "ours": _shown(get_scorer(scorer).judge(answer, gold, None)),
        "published": _shown(JUDGES[scorer](answer, gold, None)),
    }


def _shown(score: Score) -> dict[str, Any]:
    told = {name: part.value for name, part in score.components.items() if name in ("f1", "relative_error")}
    return {"correct": score.value == 1.0, "unread": score.outcome == "unparseable", **told}
