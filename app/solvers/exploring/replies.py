"""What a reply of GeoRover's model comes to: one call of a tool, the final list of stations, or a fault. Pure.

A reply is one JSON and nothing else. Where the run is lenient, JSON in a fenced block or among other words is read,
too, and counted as a fault of form.
"""

import re
from itertools import islice
from json import JSONDecoder
from typing import Any, Final

from app.agent_tools.georover.coordinates import read_coordinate
from app.inference.completions import parse_json
from app.solvers.agents.actions import NoAction
from app.solvers.agents.manners import Turn, Wish
from app.solvers.exploring.answers import FEWEST, MOST
from app.solvers.not_knowing import said_beside_thinking

TOOL_NAME: Final = "tool_name"
_ARGUMENTS = "arguments"
_FENCED = re.compile(r"```(?:\w+)?[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_LARGEST = 64 * 1024
_MOST_STARTS = 100
FORM = (
    'Write one JSON and nothing else, without a fence: either the call of a tool, such as {"tool_name": '
    '"Search_Stations", "coord": [LONGITUDE, LATITUDE]}, or the final list of stations.'
)


def read_turn(text: str, *, lenient: bool) -> Turn:
    """What a reply in words comes to; `unread` says what the model is to correct."""
    try:
        value, faults = _read_value(text, lenient=lenient)
        if isinstance(value, list):
            check_list(value)
            return Turn(answer=text, faults=faults)
        return Turn([_read_call(value)], faults=faults)
    except NoAction as error:
        return Turn(faults=1, unread=f"{error} {FORM}")


def check_list(value: Any) -> None:
    """Raise NoAction where a value is no list of FEWEST to MOST stations, each with name, location and distance."""
    if not isinstance(value, list):
        raise NoAction("The final answer is no list of stations.")
    for one in value:
        if not isinstance(one, dict) or not isinstance(one.get("station_name"), str):
            raise NoAction('Each station of the list needs a "station_name".')
        try:
            read_coordinate(one.get("station_location"))
        except ValueError:
            raise NoAction(
                f'The "station_location" of {one["station_name"][:60]!r} is not [longitude, latitude].'
            ) from None
    if len(value) < FEWEST:
        raise NoAction(f"The list has {len(value)} stations, and {FEWEST} are the fewest: go on looking.")
    if len(value) > MOST:
        raise NoAction(f"The list has {len(value)} stations, and {MOST} are the most: leave out the worst.")


def read_list(text: str, *, lenient: bool) -> tuple[Any, int]:
    """The final list in a reply, and how many faults of form it has. Raises NoAction."""
    value, faults = _read_value(text, lenient=lenient)
    check_list(value)
    return value, faults


def _read_call(value: dict[str, Any]) -> Wish:
    """A call: the name, and the arguments beside it or in an object of their own."""
    name = value.get(TOOL_NAME)
    if not isinstance(name, str) or not name:
        raise NoAction(f'The object has no "{TOOL_NAME}".')
    arguments = {key: given for key, given in value.items() if key != TOOL_NAME}
    if set(arguments) == {_ARGUMENTS} and isinstance(arguments[_ARGUMENTS], dict):
        arguments = arguments[_ARGUMENTS]
    return Wish(name, arguments)


def _read_value(text: str, *, lenient: bool) -> tuple[Any, int]:
    """The object or list of a reply, and how many faults of form it has. Raises NoAction."""
    said = said_beside_thinking(text, cut_off=False).strip()
    if len(said) > _LARGEST:
        raise NoAction(f"Your message is longer than {_LARGEST:,} characters.")
    try:
        return _as_value(parse_json(said)), 0
    except ValueError:
        if not lenient:
            raise NoAction("Your message is not one JSON and nothing else.") from None
    return _find_value(said), 1


def _find_value(said: str) -> Any:
    """The first object or list of objects in a fenced block or among other words."""
    for block in (one[1] for one in islice(_FENCED.finditer(said), _MOST_STARTS)):
        try:
            return _as_value(parse_json(block.strip()))
        except (ValueError, NoAction):
            continue
    decoder = JSONDecoder()
    for start in islice(re.finditer(r"[{\[]", said), _MOST_STARTS):
        try:
            _, end = decoder.raw_decode(said, start.start())
            found = parse_json(said[start.start() : end])
        except RecursionError:
            raise NoAction("Your message is nested too deep.") from None
        except ValueError:
            continue
        if isinstance(found, dict) or _is_list_of_objects(found):
            return found
    raise NoAction("There is no JSON in your message.")


def _as_value(value: Any) -> Any:
    if not isinstance(value, dict | list):
        raise NoAction("Your message is JSON, but neither an object nor a list.")
    return value


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)
