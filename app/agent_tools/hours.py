"""Opening hours as OpenStreetMap writes them, read by the library opening-hours-py.

Times are local. Time zone and country, and with it the public holidays, follow from where a place lies.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta, tzinfo
from itertools import islice
from typing import Annotated, Literal, cast

from opening_hours import (  # type: ignore[attr-defined]  # the stubs leave ParserError out
    OpeningHours,
    ParserError,
    State,
)
from pydantic import AfterValidator, Field

from app.agent_tools.errors import ToolError
from app.agent_tools.hours_texts import names_no_time, prepare_hours
from app.agent_tools.places import Place, shown

LONGEST = 1_000
"""Characters of opening hours that are read."""
MOST_CHANGES = 2_000
FARTHEST_DAYS = 366
"""A change that is farther away than this counts as none."""
UNREADABLE = "the opening hours of the map cannot be read"
YEARS = range(1950, 2101)

Interval = tuple[datetime, datetime]
OpenState = Literal["open", "closed", "unknown"]


def _check_time(said: str) -> str:
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        raise ValueError("write a local time as 2024-05-31T14:30") from None
    if moment.tzinfo is not None:
        raise ValueError("write a local time without a time zone, as 2024-05-31T14:30")
    if moment.year not in YEARS:
        raise ValueError(f"the year must be {YEARS[0]} to {YEARS[-1]}")
    return said


LocalTime = Annotated[str, Field(max_length=32), AfterValidator(_check_time)]
"""A time where the place lies, without a time zone."""


def read_hours(said: str, place: Place | None) -> OpeningHours:
    """Opening hours as the library reads them, with the place's zone and country. Raises ToolError for no hours.

    Words alone, as in `by appointment`, are hours that are never known.
    """
    if len(said) > LONGEST:
        raise ToolError(f"The opening hours have {len(said)} characters, and {LONGEST} are read at most.")
    found = _parse(prepare_hours(said), place)
    if found is None and names_no_time(said):
        found = _parse(_never_known(said), place)
    if found is None:
        raise ToolError(f"These are no opening hours as OpenStreetMap writes them: {shown(said)!r}.")
    return found


def read_hours_of_map(said: str, place: Place) -> OpeningHours:
    """The opening hours of a place, as the map has them: never known where they cannot be read."""
    try:
        return read_hours(said, place)
    except ToolError:
        found = _parse(_never_known(UNREADABLE), place)
        assert found is not None
        return found


def _parse(said: str | None, place: Place | None) -> OpeningHours | None:
    coordinates = (place.lat, place.lon) if place else None
    try:
        return (
            None if said is None else OpeningHours(said, coords=coordinates, max_interval_days=FARTHEST_DAYS)
        )
    except ParserError:
        return None


def _never_known(comment: str) -> str:
    return f'unknown "{" ".join(comment.replace(chr(34), " ").split())}"'


def state_at(hours: OpeningHours, moment: datetime) -> tuple[OpenState, str]:
    """Whether it is open at a local time, and the comment that the hours make."""
    state, comment = hours.state(moment)
    return cast(OpenState, str(state)), comment


def zone_of(hours: OpeningHours, moment: datetime) -> tzinfo | None:
    """The time zone of the place that the hours belong to; None without a place."""
    first = next(iter(hours.intervals(moment, moment + timedelta(days=1))), None)
    return None if first is None else first[0].tzinfo


def open_spans(hours: OpeningHours, start: datetime, end: datetime) -> Iterator[Interval]:
    """The times from `start` to `end` at which it is surely open, in order."""
    for one, other, state, _ in islice(hours.intervals(start, end), MOST_CHANGES):
        if state == State.OPEN:
            yield one, other


def is_sometimes_unknown(hours: OpeningHours, start: datetime, end: datetime) -> bool:
    """Whether nobody knows, at some time from `start` to `end`, if it is open."""
    spans = islice(hours.intervals(start, end), MOST_CHANGES)
    return any(state == State.UNKNOWN for _, _, state, _ in spans)


def intersect(one: Iterable[Interval], other: Iterable[Interval]) -> Iterator[Interval]:
    """The times that are in both; each of the two is in order and without overlaps."""
    spans = list(other)
    for start, end in one:
        for begin, finish in spans:
            if max(start, begin) < min(end, finish):
                yield max(start, begin), min(end, finish)


def shown_time(moment: datetime) -> str:
    """A local time, to the minute."""
    return moment.replace(tzinfo=None).isoformat(timespec="minutes")
