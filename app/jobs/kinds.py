"""What a job may be: its kinds, and the arguments of each, checked."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.core.words import Word
from app.predictions.messages import IMPORT, JOB

Kind = Literal[
    "endpoint_check",
    "import",
    "generate",
    "rescore",
    "refresh",
    "erratum",
    "refresh_schedule",
    "publish_written",
    "report_card",
]
OWNERS: frozenset[Kind] = frozenset({"import", "refresh_schedule"})
"""Kinds that need the owner's password, which not every worker has."""
Snapshot = Annotated[Word, Field(examples=["liechtenstein"])]
Amounts = Annotated[
    str,
    Field(
        pattern=r"^[0-9]{1,6}(\.[0-9]{1,6})?(-[0-9]{1,6}(\.[0-9]{1,6})?)?$",
        description="MIN-MAX, or one number",
        examples=["2-3"],
    ),
]
DatasetName = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$", examples=["liechtenstein_gsqa"])
]


def message_of(kind: Kind) -> str:
    """The message that makes a worker look which can do it."""
    return IMPORT if kind in OWNERS else JOB


class Body(BaseModel):
    """What is asked for; nothing beyond it."""

    model_config = ConfigDict(extra="forbid", frozen=True, serialize_by_alias=True)


class Import(Body):
    """A map to import: a Geofabrik region, or a file in the workers' folder of extracts."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"region": "europe/liechtenstein"},
                {"file": "liechtenstein-140101.osm.pbf", "name": "liechtenstein"},
            ]
        }
    )

    region: str | None = Field(
        default=None,
        max_length=100,
        pattern=r"^[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*){0,3}$",
        description="Geofabrik's name of the region; it is looked up at TRIGPOINT_GEOFABRIK_URL",
    )
    file: str | None = Field(
        default=None,
        max_length=200,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*\.(osm\.pbf|osm\.gz|osm\.bz2|osm|pbf)$",
        description="a file in .local/extracts of the worker, without folders",
    )
    name: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9][a-z0-9_]{0,39}$",
        description="the snapshot's name; by default the source's name up to its first - or .",
    )

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.region is None) == (self.file is None):
            raise ValueError("give either region or file")
        return self


class Generate(Body):
    """A data set version to make. The same recipe again makes no second version."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"benchmark": "gsqa", "name": "liechtenstein_gsqa", "snapshots": ["liechtenstein"]},
                {
                    "benchmark": "urban_knowledge",
                    "name": "two_cities",
                    "snapshots": ["helsinki", "liechtenstein"],
                    "per_template": 150,
                    "bank": 1000,
                    "hidden": 0.5,
                },
            ]
        }
    )

    benchmark: Word = Field(examples=["gsqa"])
    name: DatasetName
    snapshots: list[Snapshot] = Field(min_length=1, max_length=20, description="NAME, or NAME@TIMESTAMP")
    bank: int = Field(default=200, ge=1, le=1_000_000)
    per_template: int = Field(default=50, ge=1, le=1_000_000)
    per_city: int | None = Field(
        default=None, ge=1, le=1_000_000, description="of each template and map, instead of per_template"
    )
    seed: int = Field(default=0, ge=0, le=2**63 - 1)
    hidden: float = Field(default=0.0, ge=0, le=1, description="share of questions whose gold stays hidden")
    names: Literal["local", "en", "both"] = "local"
    locale: Word = "en"
    variant: Word | None = Field(default=None, examples=["hard"])
    five_options: bool = False
    text_register: Literal["mixed", "precise", "everyday"] = Field(default="mixed", alias="register")
    phrasing: int = Field(default=0, ge=0, le=99, description="how many phrasings further each text is")
    lengths: Literal["usual", "metres", "feet"] = Field(default="usual", description="lengths in texts")
    points: Literal["decimal", "minutes"] = Field(default="decimal", description="coordinates in texts")
    unanswerable: float = Field(default=0.0, ge=0, le=0.5, description="share of questions without an answer")
    choose: dict[Word, Word] = Field(default={}, max_length=20, examples=[{"semantics": "intersects"}])
    templates: list[Word] = Field(
        default=[], max_length=100, description="ask these of the benchmark alone", examples=[["T1", "T5"]]
    )
    hops: Amounts | None = Field(default=None, description="calls of tools that lead to the answer")
    region_km: Amounts | None = Field(
        default=None, description="radius of the circle that decides the answer"
    )
    nearness_km: Amounts | None = Field(default=None, description="mean distance between the options")
    noise: int | None = Field(
        default=None, ge=0, le=100, description="lines of blocks of a context that do not matter"
    )


class Rescore(Body):
    """A finished run to score again from its stored answers."""

    run: int = Field(ge=1, le=2**62)


class Refresh(Body):
    """A data set to take over to a newer map."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"snapshot": "liechtenstein"}, {"snapshot": "liechtenstein", "dry_run": True}]
        }
    )

    snapshot: Snapshot
    dry_run: bool = Field(default=False, description="say what would be done, and change nothing")


class RefreshOf(Refresh):
    """The same with its data set."""

    dataset: Word


class Erratum(Body):
    """A dispute to accept: its question is voided or corrected in a new version."""

    dispute: int = Field(ge=1, le=2**62)
    verdict: Literal["void", "correct"]
    text: str
    key_id: int


class ScheduleRun(Body):
    """A schedule to run: its source is looked at, and what follows from that is done."""

    schedule: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$")


class PublishWritten(Body):
    """A data set whose questions were written by hand: those on which people agree become its next version."""

    dataset: DatasetName


class ReportCard(Body):
    """A report card to make: the questions of a suite on a published map, and the runs that answer them."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"endpoint": "local", "snapshot": "liechtenstein"},
                {"endpoint": "local", "snapshot": "helsinki", "suite": "geo-full"},
            ]
        }
    )

    endpoint: Word = Field(description="the name of a stored endpoint", examples=["local"])
    snapshot: Snapshot
    suite: str = Field(
        default="geo-lite", pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$", description="the name of a suite"
    )


ARGUMENTS: Mapping[Kind, type[Body]] = {
    "import": Import,
    "generate": Generate,
    "rescore": Rescore,
    "refresh": RefreshOf,
    "erratum": Erratum,
    "refresh_schedule": ScheduleRun,
    "publish_written": PublishWritten,
    "report_card": ReportCard,
}
"""Of each kind that a process of its own does; an endpoint is checked by the worker itself."""
