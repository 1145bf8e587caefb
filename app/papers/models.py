"""The tables of a paper with own runs; the terminal, REST, the page and files render these and nothing else.

Values and interval ends are shares of 1, or points, ranks or numbers where the table's unit says so; null: there is
none.
"""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from app.leaderboard.models import MapSource
from app.papers.definitions import Unit

RowKind = Literal["published", "mine"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class PaperCell(_Model):
    """A figure of the paper, which has a value alone; or one of a run."""

    value: float
    n: int | None = Field(default=None, description="questions that count; null for published figures")
    low: float | None = Field(
        default=None, description="end of the 95 % interval; null for published figures"
    )
    high: float | None = None
    partial: bool = Field(
        default=False,
        description="an average over fewer columns than the paper's: the run has no questions of the others",
    )


class PaperRow(_Model):
    """A system of the paper, or a run of ours."""

    kind: RowKind = Field(
        description="published: another map, other models, other questions; mine: a run of this service"
    )
    key: str = Field(description="the paper's label of a system, or the run's number")
    name: str
    cells: dict[str, PaperCell | None] = Field(description="by column; null without data")


class PaperTable(_Model):
    """One measure of a table of the paper: published rows first, then the runs in the order of the request."""

    table: int = Field(description="the table's number in the paper; 0 for figures that stand in no table")
    place: str = Field(description="how the paper calls it", examples=["Table 7", "Figure 4"])
    title: str
    measure: str
    better: Literal["higher", "lower", "neither"]
    unit: Unit = Field(
        description="how the paper prints its figures; values here are shares of 1, or points, ranks or numbers"
    )
    decimals: int = Field(description="that the paper prints")
    columns: list[str]
    rows: list[PaperRow]
    notes: list[str]


class PaperRun(_Model):
    """A run of the tables: what was asked of whom, and of which map."""

    run: int
    name: str
    dataset: str = Field(examples=["demo_gsqa@1"])
    snapshots: list[MapSource]
    solver: str
    endpoint: str | None = Field(description="null without an endpoint, or for one that was given by its URL")
    model: str | None
    finished_at: datetime | None
    judged: int | None = Field(default=None, description="of a judge's run: the run whose answers it marks")
    questions: int = Field(description="public questions that count")
    notes: list[str] = Field(description="where its data differ from the paper's")


class PaperReport(_Model):
    """The tables of a paper with own runs beside the published rows; of public questions alone, and never ranked."""

    paper: str = Field(examples=["gsqa"])
    title: str
    url: str
    benchmarks: list[str] = Field(description="whose runs stand in the tables", examples=[["gsqa"]])
    map: str = Field(description="what the published rows were measured on")
    profiles: dict[str, int] = Field(
        description="the rules that scored the runs, with their versions", examples=[{"published": 3}]
    )
    interval: str = Field(description="the name and the level of the method")
    systems: dict[str, str] = Field(description="the meanings of the paper's labels")
    runs: list[PaperRun]
    tables: list[PaperTable]
    notes: list[str]
    attribution: str
    licence_url: str
