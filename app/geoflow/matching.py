"""From the value of a graph's measure to an answer, by rules alone; None where no rule decides.

With options, the answer is one of them: the nearest number, the time, the direction, yes or no, the name, the names in
their order, the names in any order. Without options, it is the value in the form that the question asks for.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from app.agent_tools.bearings import name_direction, read_direction
from app.agent_tools.tool_plans.calculating import is_number
from app.core.names import bare_form, normal_form
from app.geoflow.operators.base import Value
from app.geoflow.operators.given import has_readable_form
from app.geoflow.quantities import ANGLE, COUNT, in_dimension, read_clock, read_quantity

Rule = Literal["number", "time", "direction", "yes_no", "name", "order", "set", "form"]
"""Which rule decided; `form`: there are no options."""
_PARTS: Final = re.compile(r"\s*(?:->|→|>|;|,|\band\b|&)\s*")
_ARROWS: Final = re.compile(r"\s*(?:->|→|>)\s*")
_YES_NO: Final[Mapping[str, bool]] = {
    "yes": True,
    "true": True,
    "open": True,
    "no": False,
    "false": False,
    "closed": False,
}


class Match(NamedTuple):
    """An answer: the place of the option (from 0), or a text where there are no options; and the rule that decided."""

    option: int | None
    text: str
    rule: Rule


def match_option(value: Value, options: Sequence[str]) -> Match | None:
    """The option that the value is; None where no rule decides, or the value has a form that no rule reads."""
    if not has_readable_form(value):
        return None
    for rule, find in _RULES:
        found = find(value, options)
        if found is not None:
            return Match(found, options[found], rule)
    return None


def match_form(value: Value, answer_type: str) -> Match | None:
    """The value in the form of an answer of that type; None where it has no such form."""
    form = _FORMS.get(answer_type)
    text = None if form is None or not has_readable_form(value) else form(value)
    return None if not text else Match(None, text, "form")


# --- options ------------------------------------------------------------------------------------------------


def _by_number(value: Value, options: Sequence[str]) -> int | None:
    """The option whose number is the nearest, where all options with numbers are of the value's dimension."""
    number: Any = value.data.get("value")
    if not is_number(number):
        return None
    wanted = in_dimension(float(number), value.data.get("unit"))
    read = {place: found for place, one in enumerate(options) if (found := read_quantity(one)) is not None}
    others = [one for place, one in enumerate(options) if place not in read]
    fits = all(_fits(one.dimension, wanted.dimension, value) for one in read.values())
    if len(read) < 2 or not fits or any(char.isdecimal() for one in others for char in one):
        return None
    return _only_least(
        {place: _apart(one.value, wanted.value, wanted.dimension) for place, one in read.items()}
    )


def _fits(option: str, wanted: str, value: Value) -> bool:
    """Whether an option's dimension is the value's; a value without a unit that nobody knows is that of any option."""
    return option == wanted or (wanted == COUNT and "unit" not in value.data)


def _apart(one: float, other: float, dimension: str) -> float:
    apart = abs(one - other)
    return min(apart, 360 - apart) if dimension == ANGLE else apart


def _only_least(numbers: Mapping[int, float]) -> int | None:
    """The key of the least number; None where two are equal."""
    first, *more = sorted(numbers, key=lambda place: numbers[place])
    return None if more and numbers[more[0]] == numbers[first] else first


def _by_time(value: Value, options: Sequence[str]) -> int | None:
    """The option that is the same time of the clock."""
    time = value.data.get("time") if value.type == "EVENT" else None
    minute = read_clock(str(time).rpartition("T")[2]) if time else None
    return None if minute is None else _only([read_clock(one) == minute for one in options])


def _by_direction(value: Value, options: Sequence[str]) -> int | None:
    """The option that is the direction; degrees are named by as many points as the options need."""
    read = [read_direction(_direction_word(one)) for one in options]
    if value.type != "FIELD" or sum(one is not None for one in read) < 2:
        return None
    said: Any = value.data.get("value")
    if isinstance(said, str):
        degrees = read_direction(said)
    elif is_number(said) and value.data.get("unit") == "degrees":
        degrees = read_direction(
            name_direction(float(said), _names_of([one for one in read if one is not None]))
        )
    else:
        return None
    return None if degrees is None else _only([one == degrees for one in read])


def _direction_word(option: str) -> str:
    return option.strip(" .").lower().removeprefix("to the ").removeprefix("the ")


def _names_of(degrees: Sequence[float]) -> Literal[4, 8, 16]:
    """How many points of the compass the options have."""
    if all(one % 90 == 0 for one in degrees):
        return 4
    return 8 if all(one % 45 == 0 for one in degrees) else 16


def _by_yes_no(value: Value, options: Sequence[str]) -> int | None:
    if value.type != "EVENT":
        return None
    said: Any = value.data.get("feasible")
    if said is None:
        said = {"open": True, "closed": False}.get(str(value.data.get("state")))
    read = [_YES_NO.get(_first_word(one)) for one in options]
    return None if said is None else _only([one is said for one in read])


def _first_word(option: str) -> str:
    return re.split(r"[\W_]", option.strip().lower(), maxsplit=1)[0]


def _by_name(value: Value, options: Sequence[str]) -> int | None:
    """The option that is called exactly so; names that differ by an accent alone are not taken for each other."""
    for name in _names_told(value):
        for form in (normal_form, bare_form):
            found = _only([form(one) == form(name) for one in options])
            if found is not None:
                return found
    return None


def _names_told(value: Value) -> list[str]:
    """What the value may be called, the surest first."""
    data = value.data
    told: list[Any] = [data.get("value"), data.get("name"), data.get("instruction")]
    members = data.get("members")
    if isinstance(members, list) and len(members) == 1 and isinstance(members[0], Mapping):
        told.append(members[0].get("name"))
    routes = data.get("routes")
    if isinstance(routes, list) and len(routes) == 1:
        told += [*routes[0].get("via", [])][:1]
        told.append(routes[0].get("destination", {}).get("name"))
    return [one for one in told if isinstance(one, str) and one.strip()]


def _members(value: Value) -> list[str]:
    members = value.data.get("members") if value.type == "OBJECT" else None
    names = [one.get("name") for one in members or () if isinstance(one, Mapping)]
    return [bare_form(one) for one in names if isinstance(one, str) and one]


def _by_order(value: Value, options: Sequence[str]) -> int | None:
    """The option that names the members in their order, with arrows between; where it begins is left out or named."""
    names = _members(value)
    if len(names) < 2:
        return None
    read = [[bare_form(part) for part in _ARROWS.split(one) if part] for one in options]
    if not any(len(one) > 1 for one in read):
        return None
    return _only(
        [len(one) > 1 and one[-len(names) :] == names and len(one) <= len(names) + 1 for one in read]
    )


def _by_set(value: Value, options: Sequence[str]) -> int | None:
    """The option that names the members, whatever their order."""
    names = sorted(_members(value))
    if not names:
        return None
    exact = [[bare_form(one)] for one in options]
    parted = [sorted(bare_form(part) for part in _PARTS.split(one) if part) for one in options]
    return _only([one == names or whole == names for one, whole in zip(parted, exact, strict=True)])


def _only(fits: Sequence[bool]) -> int | None:
    """The place of the only one that fits."""
    return fits.index(True) if sum(fits) == 1 else None


_RULES: Final[Sequence[tuple[Rule, Callable[[Value, Sequence[str]], int | None]]]] = (
    ("yes_no", _by_yes_no),
    ("time", _by_time),
    ("direction", _by_direction),
    ("number", _by_number),
    ("name", _by_name),
    ("order", _by_order),
    ("set", _by_set),
)


# --- forms --------------------------------------------------------------------------------------------------


def _number(value: Value, *units: str) -> float | None:
    """The number of the value in its base unit, where it has one of these dimensions or none."""
    number: Any = value.data.get("value")
    if not is_number(number):
        return None
    found = in_dimension(float(number), value.data.get("unit"))
    return found.value if found.dimension in (*units, COUNT) else None


def _count(value: Value) -> str | None:
    number = _number(value)
    return None if number is None or number != round(number) else f"{number:.0f}"


def _metres(value: Value) -> str | None:
    number = _number(value, "m")
    return None if number is None else f"{number:.2f} m"


def _square_metres(value: Value) -> str | None:
    number = _number(value, "m2")
    return None if number is None else f"{number:.2f} m2"


def _degrees(value: Value) -> str | None:
    number = _number(value, "degrees")
    return None if number is None else f"{number:.4f} degrees"


def _name(value: Value) -> str | None:
    return next(iter(_names_told(value)), None)


def _names(value: Value) -> str | None:
    members = value.data.get("members")
    if not isinstance(members, list):
        return None
    names = [one.get("name") for one in members if isinstance(one, Mapping)]
    told = [one for one in names if isinstance(one, str) and one]
    if len(told) < len(members):
        return None
    return "; ".join(told) or "none"


def _location(value: Value) -> str | None:
    lat, lon = value.data.get("lat"), value.data.get("lon")
    return f"latitude {lat}, longitude {lon}" if is_number(lat) and is_number(lon) else None


def _order(value: Value) -> str | None:
    names = _names(value)
    return None if names is None or names == "none" else names.replace("; ", "->")


def _fact(value: Value) -> str | None:
    return _name(value) or _count(value)


_FORMS: Final[Mapping[str, Callable[[Value], str | None]]] = {
    "count": _count,
    "distance": _metres,
    "length": _metres,
    "area": _square_metres,
    "azimuth": _degrees,
    "name": _name,
    "names": _names,
    "location": _location,
    "order": _order,
    "fact": _fact,
}
