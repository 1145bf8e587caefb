"""A schedule as it is asked for, and as it is shown."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.core.words import Word
from app.schedules.timing import Window

Result = Literal["nothing_new", "refreshed", "unchanged", "held", "failed"]
Stage = Literal["idle", "found", "fetched", "imported", "refreshed"]
ScheduleName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$", examples=["liechtenstein-daily"])]


class Continued(BaseModel):
    """A run to continue after a refresh: who answers, and where."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    solver: Word = Field(examples=["direct"])
    endpoint: Word = Field(description="the name of a stored endpoint", examples=["local"])


class NewSchedule(BaseModel):
    """What is asked for."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={
            "examples": [
                {
                    "name": "liechtenstein-daily",
                    "dataset": "demo_gsqa",
                    "region": "europe/liechtenstein",
                    "cadence_hours": 24,
                    "window": "01-05",
                }
            ]
        },
    )

    name: ScheduleName
    dataset: Word = Field(description="a data set, without a version")
    region: str = Field(
        max_length=100,
        pattern=r"^[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*){0,3}$",
        description="Geofabrik's name of the region; it is looked up at TRIGPOINT_GEOFABRIK_URL",
    )
    snapshot: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9][a-z0-9_]{0,29}$",
        description="the name of the maps that are imported; by default the region's name",
    )
    cadence_hours: int = Field(default=24, ge=1, le=8784)
    window: str | None = Field(
        default=None,
        pattern=r"^([01][0-9]|2[0-3])-([01][0-9]|2[0-3])$",
        description="hours of the day (UTC) in which rounds may start, such as 01-05 or 22-04",
    )
    keep_snapshots: int = Field(default=3, ge=1, le=10_000)
    keep_comparisons: int = Field(default=10, ge=0, le=10_000)
    runs: list[Continued] = Field(default=[], max_length=20)
    budget_tokens: int | None = Field(default=None, ge=1, le=2**62, description="for each of the runs")

    @property
    def map_name(self) -> str:
        """The name of its maps."""
        return self.snapshot or self.region.rpartition("/")[2].replace("-", "_")[:30]

    @property
    def hours(self) -> Window | None:
        """Its window."""
        return None if self.window is None else Window(*map(int, self.window.split("-")))


class Schedule(BaseModel):
    """A schedule as it stands."""

    model_config = ConfigDict(frozen=True)

    name: str
    dataset: str
    region: str
    snapshot: str = Field(description="the name of the maps that it imports")
    cadence_hours: int
    window: str | None
    keep_snapshots: int
    keep_comparisons: int
    runs: list[Continued]
    budget_tokens: int | None
    paused: bool
    created_at: datetime
    due_at: datetime = Field(description="when a worker checks the source next")
    looked_at: datetime | None
    state_sequence: int | None = Field(description="the state of the source at the last check")
    state_timestamp: datetime | None
    taken_timestamp: datetime | None = Field(description="the last state that was imported, or held")
    stage: Stage = Field(description="the stage of the current round; idle if there is none")
    aim: dict[str, Any] | None = Field(description="the aim of the current round, and what it has done")
    result: Result | None
    told: str | None = Field(description="the result in words")
    well_at: datetime = Field(description="when a round last came to its end")
    stalled: bool = Field(
        description="no newer map was imported and used for three cadences, and for at least three days"
    )

    @property
    def hours(self) -> Window | None:
        """Its window."""
        return None if self.window is None else Window(*map(int, self.window.split("-")))

    @property
    def alarm(self) -> str | None:
        """Why it is stalled, in a sentence."""
        if not self.stalled:
            return None
        since = f"{self.well_at:%Y-%m-%d %H:%M} UTC"
        if self.looked_at is None or self.looked_at < self.well_at:
            return f"{self.name} is stalled: nobody has looked since {since}. Start a worker, and one with --beat."
        why = {
            "nothing_new": "its source had no newer map",
            "held": "the newer map is held",
            "failed": "each look failed",
        }.get(self.result or "", "no round came to its end")
        return f"{self.name} is stalled since {since}: {why}. {self.told or ''}".strip()


class ScheduleList(BaseModel):
    """All schedules."""

    schedules: list[Schedule]
