"""What REST shows of published things. Every answer that holds map data names its source and licence."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.leaderboard.board import ATTRIBUTION, LICENCE_URL
from app.leaderboard.models import MapSource


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, serialize_by_alias=True)


class Licensed(_Model):
    """An answer with map data."""

    attribution: str = ATTRIBUTION
    licence_url: str = LICENCE_URL


class Snapshot(_Model):
    """One published map."""

    snapshot: str = Field(
        description="name@timestamp, as commands take it", examples=["helsinki@2019-04-21T20:21:02Z"]
    )
    name: str
    timestamp: datetime | None = Field(description="the map's date")
    published_at: datetime | None
    newest: bool = Field(description="whether no newer map of its name is published")
    source: str = Field(description="file name or URL of the extract")
    checksum: str = Field(description="SHA-256 of the extract")
    boundary: str | None = Field(description="the region, if the map was cut out of another map")
    outline_source: str
    box: list[float] | None = Field(description="west, south, east, north of the outline; null without one")
    layers: dict[str, Any] = Field(description="layer: {found, kept, repaired, rejected}")
    planted: dict[str, int] = Field(
        description="class: number of its points that were invented by `trigpoint plant`, and are not of OpenStreetMap"
    )
    permuted: bool = Field(
        description="whether `trigpoint permute` changed names or coordinates: then it shows no real place"
    )
    datasets: list[str] = Field(description="published versions that were made from it")


class SnapshotPage(Licensed):
    """Published maps, the latest import first."""

    snapshots: list[Snapshot]
    next: str | None = Field(description="the cursor of the next page; null on the last page")


class Splits(_Model):
    """How many questions have public gold, and how many hidden."""

    public: int
    hidden: int


class ErratumEntry(_Model):
    """What a version puts right of the one before it. It says which questions, and nothing of an answer."""

    earlier: str = Field(examples=["demo_gsqa@1"])
    later: str = Field(examples=["demo_gsqa@2"])
    voided: list[str] = Field(description="number of questions that were left out")
    corrected: list[str] = Field(description="number of questions whose gold was computed again")


class Version(Licensed):
    """A published data set version, as it says of itself."""

    dataset: str
    version: int
    benchmark: str
    published_at: datetime | None
    questions: Splits
    snapshots: list[MapSource]
    seed: int
    hidden_fraction: float
    recipe: dict[str, Any] = Field(description="everything that is needed to make the version again")
    templates: dict[str, Any] = Field(description="template: {version, capacity, accepted, refused}")
    engine_versions: dict[str, Any]
    licence: dict[str, Any]
    canary: str
    versions: list[int] = Field(description="all published versions of the data set, the newest first")
    warnings: list[str] = Field(description="warnings about its hidden questions")
    errata: list[ErratumEntry] = Field(
        description="the one that this version is, and the one that corrects it; both versions stay as they are"
    )


class Question(_Model):
    """A question. Of hidden ones text and options are public, and nothing else that could tell an answer."""

    dataset: str = Field(examples=["demo_gsqa@1"])
    id: str
    prompt_hash: str
    template: str
    template_version: int
    variant: str
    snapshot: str | None = Field(description="null of a question that others published, with no map")
    city: str | None = Field(description="the name of the map, the first where there are several")
    further_snapshots: list[str] | None = Field(
        default=None,
        description="the maps that the question stands on beside `snapshot`, where there are any",
    )
    text: str
    parts: list[dict[str, Any]] | None = Field(
        default=None,
        description="the prompt's parts in order, where there is more than text: `text`, `context` with a title and a"
        " JSON document, `image` with the address of the picture; `text` above says all of them in words",
    )
    options: list[str] | None
    answer_type: str
    split: Literal["public", "hidden"]
    locale: str
    text_register: str | None = Field(
        default=None,
        alias="register",
        description="precise or everyday; null in versions made before there were registers",
    )
    gold: dict[str, Any] | None = Field(
        default=None, description="with `gold=true`; null for hidden questions"
    )
    gold_kind: str | None = Field(
        default=None,
        description="with `gold`: value, or unanswerable, where it is right to say that there is no answer",
    )
    gold_keys: dict[str, Any] | None = Field(
        default=None,
        description="with `gold`, where there are any: answers under further keys, each with its kind",
    )


class QuestionPage(Licensed):
    """Questions in the order of their data sets."""

    questions: list[Question]
    next: str | None


class Feature(_Model):
    """A question on the map: its geometry is the ground whose change could change it; null for hidden ones."""

    type: Literal["Feature"] = "Feature"
    id: str
    geometry: dict[str, Any] | None
    properties: Question


class QuestionCollection(Licensed):
    """Questions as GeoJSON, WGS84, longitude first."""

    type: Literal["FeatureCollection"] = "FeatureCollection"
    features: list[Feature]
    next: str | None


class BenchmarkEntry(_Model):
    """A family of templates."""

    name: str
    title: str
    version: int
    metric: str
    direction: str
    weights: dict[str, float]
    templates: list[str]


class BenchmarkList(_Model):
    """Every benchmark, by name."""

    benchmarks: list[BenchmarkEntry]


class BenchmarkPage(BenchmarkEntry):
    """A benchmark with its page of documentation."""

    readme: str = Field(description="Markdown")


class TemplateEntry(_Model):
    """A template, in a word."""

    benchmark: str
    id: str
    version: int
    title: str
    dimension: str | None
    answer_type: str
    has_options: bool


class TemplatePage(_Model):
    """Templates by benchmark and in its order."""

    templates: list[TemplateEntry]
    next: str | None


class StoredTemplate(_Model):
    """A template as it was when it made questions."""

    version: int
    hash: str
    header: dict[str, Any]
    sql: str


class TemplateDetail(TemplateEntry):
    """A template with all that it is made of."""

    header: dict[str, Any]
    hash: str = Field(description="a hash that changes if anything changes that could change its questions")
    sql: str = Field(description="the SELECT that answers a question")
    picks: dict[str, str] = Field(description="the SELECTs that list values of its parameters")
    pool: str | None = Field(description="the SELECT that wrong options are drawn from")
    phrasings: dict[str, dict[str, list[str]]] = Field(
        description="by locale and register, precise or everyday"
    )
    made: list[StoredTemplate] = Field(description="forms of it that published questions were made by")


class MapAge(_Model):
    """How old a data set's map is."""

    snapshot: str
    timestamp: datetime | None
    age_days: float | None
    newest: str = Field(description="the newest published map of that name")
    behind_days: float | None = Field(description="how much newer the newest map is")


class Fresh(_Model):
    """The newest version of a data set, and its maps."""

    dataset: str
    maps: list[MapAge]


class Followed(_Model):
    """A data set that follows the map by a schedule."""

    schedule: str
    dataset: str
    snapshot: str = Field(description="the name of the maps that it imports")
    paused: bool
    looked_at: datetime | None = Field(description="when its source was last checked")
    well_at: datetime = Field(description="when a version was last made on a newer map")
    due_at: datetime
    stalled: bool = Field(
        description="no newer map was imported and used for three cadences, and for at least three days"
    )


class Freshness(Licensed):
    """How old the maps are that data sets stand on, and which schedules keep them new."""

    at: datetime
    datasets: list[Fresh]
    schedules: list[Followed]
