"""What plan_trip is asked: the stops with their stays and times, and what limits the trip."""

from datetime import datetime, timedelta
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.agent_tools.arguments import PLACE_ID, Where
from app.agent_tools.hours import LocalTime
from app.agent_tools.matrices import units_of_cells
from app.agent_tools.registry import Arguments
from app.agent_tools.roads import END, Mode

MOST_STOPS = 25
MOST_WINDOWS = 20
LONGEST_STAY_MINUTES = 1440
LONGEST_TRIP = timedelta(days=7)


class StayWindow(BaseModel):
    """A time in which a stay may happen."""

    model_config = ConfigDict(extra="forbid")

    start: LocalTime = Field(description="local time: '2024-05-31T14:30'")
    end: LocalTime = Field(description="local time, later than the start")

    @model_validator(mode="after")
    def _ends_later(self) -> Self:
        if datetime.fromisoformat(self.end) <= datetime.fromisoformat(self.start):
            raise ValueError("the end must be later than the start")
        return self


class AskedStop(BaseModel):
    """A stop of a trip; its place alone may be written instead."""

    model_config = ConfigDict(extra="forbid")

    place: Where = Field(description=END)
    stay_minutes: float = Field(
        0, ge=0, le=LONGEST_STAY_MINUTES, allow_inf_nan=False, description="how long one stays"
    )
    windows: list[StayWindow] | None = Field(
        None, max_length=MOST_WINDOWS, description="the whole stay must lie in one of these times"
    )
    when_open: bool = Field(
        False, description="instead of windows: the whole stay must lie in the opening hours that the map has"
    )

    @model_validator(mode="before")
    @classmethod
    def _read_place(cls, said: Any) -> Any:
        return {"place": said} if isinstance(said, str) else said

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if self.when_open and self.windows is not None:
            raise ValueError("give either windows or when_open")
        if self.when_open and not PLACE_ID.fullmatch(self.place):
            raise ValueError("only a place has opening hours: with when_open, write the id of a place")
        return self


class TripArguments(Arguments):
    """A trip from a start to stops."""

    start: Where = Field(description=f"{END}; the trip begins there")
    stops: list[AskedStop] = Field(
        min_length=1,
        max_length=MOST_STOPS,
        description="the stops, in any order; the answer counts them from 1 on in this order",
    )
    end: Where | None = Field(None, description="where the trip ends; without it, at the last stop")
    mode: Mode = Field("car", description="how one travels")
    start_time: LocalTime = Field(description="local time at the start: '2024-05-31T14:30'")
    until: LocalTime | None = Field(
        None, description="when the trip must be over, at most 7 days after its start"
    )

    @model_validator(mode="after")
    def _is_over_later(self) -> Self:
        if self.until is not None:
            length = datetime.fromisoformat(self.until) - datetime.fromisoformat(self.start_time)
            if not timedelta(0) < length <= LONGEST_TRIP:
                raise ValueError("until must be later than start_time, by 7 days at most")
        return self

    def cost(self) -> int:
        """As a matrix of all places of the trip."""
        places = 1 + len(self.stops) + (self.end is not None)
        return units_of_cells(places * places)
