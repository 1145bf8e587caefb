"""The scores that stand in the authors' files, computed again from what is loaded: equal, or told one by one.

`distance_error` alone is left out: it stands on what their geocoder said of an address.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from app.benchmarks.gsqa.published.cases import Case, parsed_score, text_score
from app.core.errors import UsageError
from app.questions.imported.json_files import JsonFile

TOLERANCE = 1e-9
BY_GEOCODER = "distance_error"


def compare_scores(file: JsonFile, stored: Mapping[str, Any], case: Case) -> tuple[int, list[str]]:
    """How many scores of one answer were compared, and those that differ: {"text": {…}, "parsed": {…}} is `stored`."""
    try:
        computed = {"text": text_score(case), "parsed": parsed_score(case)}
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{file.path}: case {case.case} cannot be scored ({error!r}).") from error
    compared, differing = 0, []
    for part, name, value in _numbers(stored):
        found = (computed[part] or {}).get(name)
        compared += 1
        if found is None or abs(float(found) - float(value)) > TOLERANCE:
            differing.append(
                f"{case.case}: {part} {name} is {value!r} in {file.path}, and {found!r} by the rules"
            )
    return compared, differing


def _numbers(stored: Mapping[str, Any]) -> Iterator[tuple[str, str, float]]:
    for part in ("text", "parsed"):
        scores = stored.get(part)
        for name, value in scores.items() if isinstance(scores, Mapping) else ():
            if name != BY_GEOCODER and isinstance(value, int | float) and math.isfinite(value):
                yield part, name, value
