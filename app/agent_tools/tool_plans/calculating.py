"""The expressions of tool plans that make one value of others: counts, sums, minutes and times of the clock. Pure."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from app.agent_tools.tool_plans.reading import PlanFault

Parts = Mapping[str, Any]
"""An expression whose parts have their values already."""


def as_list(found: Any) -> list[Any]:
    """What must be a list. Raises PlanFault where it is none."""
    if not isinstance(found, list):
        raise PlanFault("there is no list")
    return found


def is_number(value: Any) -> bool:
    """Whether a value is a number, which true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _numbers(found: Any) -> list[float]:
    numbers = as_list(found)
    if not all(map(is_number, numbers)):
        raise PlanFault(f"not all of {numbers} are numbers")
    return numbers


def _number(found: Any) -> float:
    return _numbers([found])[0]


def _sum(parts: Parts) -> float:
    return float(sum(_numbers(parts["$sum"])))


def _at_most(parts: Parts) -> int:
    limit = _number(parts["limit"])
    return sum(number <= limit for number in _numbers(parts["$at_most"]))


def _minutes(parts: Parts) -> int:
    return max(1, round(_number(parts["$minutes"]) / 60))


def _clock(parts: Parts) -> str:
    time, minutes = parts["$clock"], _number(parts.get("add", 0)) - _number(parts.get("take", 0))
    has_date = "T" in str(time)
    try:
        moment = datetime.fromisoformat(time if has_date else f"2000-01-02T{time}")
        moved = moment + timedelta(minutes=minutes)
    except (TypeError, ValueError, OverflowError):
        raise PlanFault(
            f"no time is {minutes:g} minutes from {time!r}: write 09:10, or a local time such as 2024-09-17T09:10"
        ) from None
    return moved.isoformat(timespec="minutes") if has_date else f"{moved:%H:%M}"


CALCULATIONS: Mapping[str, Callable[[Parts], Any]] = {
    "$count": lambda parts: len(as_list(parts["$count"])),
    "$sum": _sum,
    "$at_most": _at_most,
    "$minutes": _minutes,
    "$clock": _clock,
}
"""By the key that tells an expression."""
