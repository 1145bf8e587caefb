"""The tools open_at and hours_overlap: when places are open, by the hours that the map has."""

from datetime import datetime, timedelta
from typing import Self

from pydantic import BaseModel, Field, model_validator

from app.agent_tools.arguments import PlaceId
from app.agent_tools.errors import ToolError
from app.agent_tools.hours import (
    LONGEST,
    LocalTime,
    OpenState,
    intersect,
    is_sometimes_unknown,
    open_spans,
    read_hours,
    read_hours_of_map,
    shown_time,
    state_at,
    zone_of,
)
from app.agent_tools.places import Place, find_place, shown
from app.agent_tools.registry import Arguments, Result, tool
from app.agent_tools.scope import Scope

LONGEST_DAYS = 14
MOST_PLACES = 10


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
    def _one_of_both(self) -> Self:
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
    def _ends_later(self) -> Self:
        length = datetime.fromisoformat(self.end) - datetime.fromisoformat(self.start)
        if not timedelta(0) < length <= timedelta(days=LONGEST_DAYS):
            raise ValueError(f"the end must be later than the start, by {LONGEST_DAYS} days at most")
        return self

    def cost(self) -> int:
        """One for each place."""
        return len(self.places)


class Span(BaseModel):
    """A time from start to end, local to the first place."""

    start: str
    end: str


class OverlapResult(Result):
    """When all places are open at once."""

    places: list[Place]
    spans: list[Span] = Field(description="when all are surely open")
    unknown: list[Place] = Field(
        description="of these it is not known at some of the times whether they are open"
    )

    def sentence(self) -> str:
        """The answer in words."""
        names = ", ".join(place.called for place in self.places)
        surely = "surely " if self.unknown else ""
        if self.spans:
            said = f"{names} are all {surely}open {'; '.join(f'from {one.start} to {one.end}' for one in self.spans)}."
        else:
            said = f"{names} are never {surely}open at the same time then."
        if not self.unknown:
            return said
        return f"{said} It is not always known when these are open: {', '.join(one.called for one in self.unknown)}."


@tool(OpenArguments, OpenResult)
def open_at(scope: Scope, wanted: OpenArguments) -> OpenResult:
    """Say whether a place is open at a local time, by the opening hours that the map has, or by hours that
    are given."""
    place = find_place(scope, wanted.place).place if wanted.place else None
    if wanted.opening_hours is None and place is not None:
        said = hours_of(scope, place.id)
        hours = read_hours_of_map(said, place)
    else:
        said = wanted.opening_hours or ""
        hours = read_hours(said, place)
    moment = datetime.fromisoformat(wanted.time)
    state, comment = state_at(hours, moment)
    change = hours.next_change(moment)
    zone = zone_of(hours, moment)
    return OpenResult(
        place=place,
        opening_hours=shown(said) or "",
        time=shown_time(moment),
        state=state,
        comment=shown(comment) or None,
        next_change=shown_time(change) if change else None,
        time_zone=str(zone) if zone else None,
    )


@tool(OverlapArguments, OverlapResult)
def hours_overlap(scope: Scope, wanted: OverlapArguments) -> OverlapResult:
    """Find the times at which several places are all open, between two local times at most 14 days apart."""
    places = [find_place(scope, key).place for key in wanted.places]
    schedules = [read_hours_of_map(hours_of(scope, place.id), place) for place in places]
    start, end = datetime.fromisoformat(wanted.start), datetime.fromisoformat(wanted.end)
    zone = zone_of(schedules[0], start)
    start, end = start.replace(tzinfo=zone), end.replace(tzinfo=zone)
    common = [(start, end)]
    for hours in schedules:
        common = list(intersect(common, open_spans(hours, start, end)))
    return OverlapResult(
        places=places,
        spans=[
            Span(start=shown_time(one.astimezone(zone)), end=shown_time(other.astimezone(zone)))
            for one, other in common
        ],
        unknown=[
            place
            for place, hours in zip(places, schedules, strict=True)
            if is_sometimes_unknown(hours, start, end)
        ],
    )


def hours_of(scope: Scope, key: str) -> str:
    """The opening hours of a place. Raises ToolError where the map has none."""
    known = find_place(scope, key)
    said = known.tags.get("opening_hours")
    if not said:
        raise ToolError(f"The map has no opening hours of {known.place.called} ({key}).", "unavailable")
    return said
