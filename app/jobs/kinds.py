"""What a job may be: the arguments of each kind, checked, and the command that does it.

What somebody else gave is the right side of `--option=`, or stands behind `--`: it is never read as an option.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.core.words import Word
from app.predictions.messages import IMPORT, JOB

Kind = Literal["endpoint_check", "import", "generate", "rescore", "refresh", "erratum", "refresh_schedule"]
OWNERS: frozenset[Kind] = frozenset({"import", "refresh_schedule"})
"""Kinds that need the owner's password, which not every worker has."""
Snapshot = Annotated[Word, Field(examples=["liechtenstein"])]
DatasetName = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$", examples=["liechtenstein_gsqa"])
]


def message_of(kind: Kind) -> str:
    """The message that makes a worker look which can do it."""
    return IMPORT if kind in OWNERS else JOB


class Body(BaseModel):
    """What is asked for; nothing beyond it."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Arguments(Body, ABC):
    """What a job is given."""

    @abstractmethod
    def command(self) -> list[str]:
        """Words after `trigpoint`, without `--json`."""


class Import(Arguments):
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
        description="as Geofabrik names it; looked up at TRIGPOINT_GEOFABRIK_URL",
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

    def command(self) -> list[str]:
        """`trigpoint import`, in the folder of extracts."""
        source = self.region if self.file is None else f"./{self.file}"
        return ["import", *_option("name", self.name), "--", str(source)]


class Generate(Arguments):
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
    seed: int = Field(default=0, ge=0, le=2**63 - 1)
    hidden: float = Field(default=0.0, ge=0, le=1, description="share of questions whose gold stays hidden")
    names: Literal["local", "en", "both"] = "local"
    locale: Word = "en"
    variant: Word | None = Field(default=None, examples=["hard"])
    five_options: bool = False
    choose: dict[Word, Word] = Field(default={}, max_length=20, examples=[{"semantics": "intersects"}])

    def command(self) -> list[str]:
        """`trigpoint generate`."""
        numbers = ("bank", "per_template", "seed", "hidden", "names", "locale", "variant")
        options = [word for name in numbers for word in _option(name, getattr(self, name))]
        snapshots = [word for one in self.snapshots for word in _option("snapshot", one)]
        chosen = [word for pair in sorted(self.choose.items()) for word in _option("choose", "=".join(pair))]
        five = ["--five-options"] if self.five_options else []
        return [
            "generate",
            *_option("out", self.name),
            *snapshots,
            *options,
            *chosen,
            *five,
            "--",
            self.benchmark,
        ]


class Rescore(Arguments):
    """A finished run to score again from its stored answers."""

    run: int = Field(ge=1, le=2**62)

    def command(self) -> list[str]:
        """`trigpoint run rescore`."""
        return ["run", "rescore", "--", str(self.run)]


class Refresh(Body):
    """A data set to take over to a newer map."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"snapshot": "liechtenstein"}, {"snapshot": "liechtenstein", "dry_run": True}]
        }
    )

    snapshot: Snapshot
    dry_run: bool = Field(default=False, description="say what would come of it, and change nothing")


class RefreshOf(Refresh, Arguments):
    """The same with its data set."""

    dataset: Word

    def command(self) -> list[str]:
        """`trigpoint refresh`."""
        dry = ["--dry-run"] if self.dry_run else []
        return ["refresh", *_option("snapshot", self.snapshot), *dry, "--", self.dataset]


class Erratum(Arguments):
    """A dispute to accept: its question is voided or corrected in a new version."""

    dispute: int = Field(ge=1, le=2**62)
    verdict: Literal["void", "correct"]
    text: str
    key_id: int

    def command(self) -> list[str]:
        """`trigpoint dispute decide`."""
        options = (("verdict", self.verdict), ("text", self.text), ("key_id", self.key_id))
        told = [word for name, value in options for word in _option(name, value)]
        return ["dispute", "decide", *told, "--", str(self.dispute)]


class ScheduleRun(Arguments):
    """A schedule to run: its source is looked at, and what follows from that is done."""

    schedule: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$")

    def command(self) -> list[str]:
        """`trigpoint schedule run`."""
        return ["schedule", "run", "--", self.schedule]


COMMANDS: Mapping[Kind, type[Arguments]] = {
    "import": Import,
    "generate": Generate,
    "rescore": Rescore,
    "refresh": RefreshOf,
    "erratum": Erratum,
    "refresh_schedule": ScheduleRun,
}


def _option(name: str, value: object) -> list[str]:
    return [] if value is None else [f"--{name.replace('_', '-')}={value}"]
