"""The tools open_at and hours_overlap: opening hours as OpenStreetMap writes them, by the library opening-hours-py.

Times are local. Time zone and country, and with it the public holidays, follow from where the place lies.
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
from pydantic import AfterValidator, BaseModel, Field, model_validator

from app.agent_tools.arguments import PlaceId
from app.agent_tools.errors import ToolError
from app.agent_tools.places import Place, find_place, shown
from app.agent_tools.registry import Arguments, Result, tool
from app.agent_tools.scope import Scope

LONGEST = 1_000
"""Characters of opening hours that are read."""
LONGEST_DAYS = 14
MOST_PLACES = 10
MOST_CHANGES = 2_000
FARTHEST_DAYS = 366
"""A change that is farther away than this counts as none."""
YEARS = range(1950, 2101)


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


Interval = tuple[datetime, datetime]
OpenState = Literal["open", "closed", "unknown"]
LocalTime = Annotated[str, Field(max_length=32), AfterValidator(_check_time)]


class OpenArguments(Arguments):
    """Of what, and when."""

    place: PlaceId | None = Field(None, description="the id of a place; its opening_hours on the map count")
    opening_hours: str | None = Field(
        None,
        min_length=1,
        max_length=LONGEST,
        description="instead of a place's: 'Mo-Fr 08:00-18:00'; without a place holidays are not known",
    )
    time: LocalTime = Field(description="local time: '2024-05-31T14:30'")

    @model_validator(mode="after")
    def _one_of_both(self) -> "OpenArguments":
        if self.place is None and self.opening_hours is None:
            raise ValueError("give a place or opening_hours")
        return self


class OpenResult(Result):
    """Whether it is open at a time."""

    place: Place | None
    opening_hours: str
    time: str
    state: OpenState
    comment: str | None = None
    next_change: str | None = Field(None, description="the local time of the next change within a year")
    time_zone: str | None = None

    def sentence(self) -> str:
        """The answer in words."""
        what = self.place.called if self.place else f"What has the hours {self.opening_hours!r}"
        state = "may be open or closed" if self.state == "unknown" else f"is {self.state}"
        comment = f" ({self.comment})" if self.comment else ""
        change = f" The next change is at {self.next_change}." if self.next_change else ""
        return f"{what} {state} at {self.time}{comment}.{change}"


class OverlapArguments(Arguments):
    """Which places, and in which time."""

    places: list[PlaceId] = Field(min_length=2, max_length=MOST_PLACES, description="ids of places")
    start: LocalTime = Field(description="local time at the first place: '2024-05-31T08:00'")
    end: LocalTime = Field(description=f"at most {LONGEST_DAYS} days later")

    @model_validator(mode="after")
    def _ends_later(self) -> "OverlapArguments":
        length = datetime.fromisoformat(self.end) - datetime.fromisoformat(self.start)
        if not timedelta(0) < length <= timedelta(days=LONGEST_DAYS):
            raise ValueError(f"the end must be later than the start, by {LONGEST_DAYS} days at most")
        return self


class Span(BaseModel):
    """A time from start to end, local to the first place."""

    start: str
    end: str


class OverlapResult(Result):
    """When all places are open at once."""

    places: list[Place]
    spans: list[Span]

    def sentence(self) -> str:
        """The answer in words."""
        names = ", ".join(place.called for place in self.places)
        if not self.spans:
            return f"{names} are never open at the same time then."
        return f"{names} are all open {'; '.join(f'from {one.start} to {one.end}' for one in self.spans)}."


@tool(OpenArguments, OpenResult)
def open_at(scope: Scope, wanted: OpenArguments) -> OpenResult:
    """Say whether a place is open at a local time, by the opening hours that the map has, or by hours that
    are given."""
    place = find_place(scope, wanted.place).place if wanted.place else None
    said = wanted.opening_hours or _hours_of(scope, wanted.place or "")
    hours = read_hours(said, place)
    moment = datetime.fromisoformat(wanted.time)
    state, comment = hours.state(moment)
    change = hours.next_change(moment)
    zone = _zone_of(hours, moment)
    return OpenResult(
        place=place,
        opening_hours=shown(said) or "",
        time=_shown_time(moment),
        state=cast(OpenState, str(state)),
        comment=shown(comment) or None,
        next_change=_shown_time(change) if change else None,
        time_zone=str(zone) if zone else None,
    )


@tool(OverlapArguments, OverlapResult)
def hours_overlap(scope: Scope, wanted: OverlapArguments) -> OverlapResult:
    """Find the times at which several places are all open, between two local times at most 14 days apart."""
    places = [find_place(scope, key).place for key in wanted.places]
    schedules = [read_hours(_hours_of(scope, place.id), place) for place in places]
    start, end = datetime.fromisoformat(wanted.start), datetime.fromisoformat(wanted.end)
    zone = _zone_of(schedules[0], start)
    start, end = start.replace(tzinfo=zone), end.replace(tzinfo=zone)
    common = [(start, end)]
    for hours in schedules:
        common = list(_intersect(common, _open_spans(hours, start, end)))
    return OverlapResult(
        places=places,
        spans=[
            Span(start=_shown_time(one.astimezone(zone)), end=_shown_time(other.astimezone(zone)))
            for one, other in common
        ],
    )


def read_hours(said: str, place: Place | None) -> OpeningHours:
    """Opening hours as the library reads them, with the place's zone and country. Raises ToolError for no hours."""
    if len(said) > LONGEST:
        raise ToolError(f"The opening hours have {len(said)} characters, and {LONGEST} are read at most.")
    coordinates = (place.lat, place.lon) if place else None
    try:
        return OpeningHours(said, coords=coordinates, max_interval_days=FARTHEST_DAYS)
    except ParserError:
        raise ToolError(
            f"These are no opening hours as OpenStreetMap writes them: {shown(said)!r}."
        ) from None


def _hours_of(scope: Scope, key: str) -> str:
    """The opening hours of a place. Raises ToolError where the map has none."""
    known = find_place(scope, key)
    said = known.tags.get("opening_hours")
    if not said:
        raise ToolError(f"The map has no opening hours of {known.place.called} ({key}).", "unavailable")
    return said


def _zone_of(hours: OpeningHours, moment: datetime) -> tzinfo | None:
    """The time zone of the place that the hours belong to; None without a place."""
    first = next(iter(hours.intervals(moment, moment + timedelta(days=1))), None)
    return None if first is None else first[0].tzinfo


def _open_spans(hours: OpeningHours, start: datetime, end: datetime) -> Iterator[Interval]:
    for one, other, state, _ in islice(hours.intervals(start, end), MOST_CHANGES):
        if state == State.OPEN:
            yield one, other


def _intersect(one: Iterable[Interval], other: Iterable[Interval]) -> Iterator[Interval]:
    """The times that are in both; each of the two is in order and without overlaps."""
    spans = list(other)
    for start, end in one:
        for begin, finish in spans:
            if max(start, begin) < min(end, finish):
                yield max(start, begin), min(end, finish)


def _shown_time(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(timespec="minutes")
