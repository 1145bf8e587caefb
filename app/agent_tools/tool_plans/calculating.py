"""Expressions of tool plans that make one value of others: counts, sums, lists, minutes, times of the clock. Pure."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from math import inf
from typing import Any

from app.agent_tools.tool_plans.reading import PlanFault

Parts = Mapping[str, Any]
"""An expression whose parts have their values already."""

LARGEST = 1e12
"""What no number in a calculation may exceed."""


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
    if any(abs(one) > LARGEST for one in numbers):
        raise PlanFault(f"a number is greater than {LARGEST:g}, which no place, way or time needs")
    return numbers


def _number(found: Any) -> float:
    return _numbers([found])[0]


def _sum(parts: Parts) -> float:
    return float(sum(_numbers(parts["$sum"])))


def _among(parts: Parts) -> int:
    wanted = as_list(parts["of"])
    return sum(value in wanted for value in as_list(parts["$among"]))


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


def _members(found: Any) -> list[Mapping[str, Any]]:
    members = as_list(found)
    if not all(isinstance(one, Mapping) for one in members):
        raise PlanFault("not all members of the list are objects")
    return members


def _field(member: Mapping[str, Any], field: Any) -> Any:
    if not isinstance(field, str) or field not in member:
        raise PlanFault(f"there is no {field!r}")
    return member[field]


def _each(parts: Parts) -> list[Any]:
    return [_field(one, parts["of"]) for one in _members(parts["$each"])]


def _first(parts: Parts) -> Any:
    members = _members(parts["$first"])
    if not members:
        raise PlanFault("the list has no member")
    return _field(members[0], parts["of"])


def _where(parts: Parts) -> list[Mapping[str, Any]]:
    above = _number(parts["above"]) if "above" in parts else -inf
    below = _number(parts["below"]) if "below" in parts else inf
    members = _members(parts["$where"])
    return [one for one in members if above < _number(_field(one, parts["field"])) < below]


def _present(parts: Parts) -> list[Any]:
    members = _members(parts["$present"])
    return [_field(one, "say") for one in members if _number(_field(one, "by")) > 0]


def _point(parts: Parts) -> str:
    place = parts["$point"]
    if not isinstance(place, Mapping):
        raise PlanFault("there is no place with lat and lon")
    return f"{_number(_field(place, 'lat'))},{_number(_field(place, 'lon'))}"


def _typed(parts: Parts) -> list[Mapping[str, Any]]:
    wanted, left_out = as_list(parts["as"]), as_list(parts.get("but", []))
    return [
        one
        for one in _members(parts["$typed"])
        if _field(one, "id") not in left_out
        and any(kind in wanted for kind in str(_field(one, "type")).split("; "))
    ]


CALCULATIONS: Mapping[str, Callable[[Parts], Any]] = {
    "$count": lambda parts: len(as_list(parts["$count"])),
    "$sum": _sum,
    "$among": _among,
    "$at_most": _at_most,
    "$minutes": _minutes,
    "$clock": _clock,
    "$each": _each,
    "$first": _first,
    "$where": _where,
    "$present": _present,
    "$point": _point,
    "$typed": _typed,
}
"""By the key that tells an expression."""
