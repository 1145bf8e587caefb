"""What REST and the page show of one question. Of hidden ones: text and options, and nothing else.

Coordinates are lon, lat on WGS84; distances are metres on the ellipsoid.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.published.models import Licensed, Question

Role = Literal["anchor", "gold", "wrong", "tolerated", "seen", "ground", "place", "around"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Proof(_Model):
    """Why the gold is right."""

    kind: str = Field(
        description="sql, program, imported (then unproved), or evidence: tool calls, and people who agree"
    )
    sql: str
    binds: dict[str, Any]
    derive: str = Field(description="the pure function that makes gold of the rows")
    parameters: dict[str, Any]
    snapshots: list[Any]
    evidence: list[dict[str, Any]] = Field(description="objects: layer, osm_key, version, content_hash")
    margin: dict[str, Any]
    second_path: dict[str, Any] = Field(description="the result of the second path")


class Wrong(_Model):
    """A wrong option, and why it is wrong."""

    letter: str
    text: str
    osm_keys: list[str] = Field(description="the objects that it speaks of")
    why: str


class ModelAnswer(_Model):
    """What a run's model said to the question, and what became of it."""

    run: int
    name: str
    solver: str
    status: str = Field(description="of the run")
    repeat: int
    rotation: int
    state: str = Field(description="answered, no_answer or error")
    answer: str | None
    error: str | None = Field(description="the kind of the failure")
    outcome: str | None = Field(description="correct, wrong or unparseable; null before it is scored")
    value: float | None
    diagnosis: dict[str, Any] | None = Field(
        default=None,
        description="what the answer shows beside its score: the place that it names, `metres` from a right one, or the"
        " `ratio` of its number to the right one; counted in no score",
    )


class Mark(_Model):
    """What a shape on a question's map is."""

    role: Role
    layer: str | None
    osm_key: str | None
    name: str | None
    klass: str | None = Field(alias="class", description="as the map's layer has it")
    letter: str | None = Field(description="of the option that it stands for")
    metres: float | None = Field(description="from the anchor, where both are points")
    point: tuple[float, float] | None = Field(description="a point of it, for a mark")

    model_config = ConfigDict(frozen=True, populate_by_name=True)


class Shape(_Model):
    """A shape on a question's map."""

    type: Literal["Feature"] = "Feature"
    geometry: dict[str, Any]
    properties: Mark


class QuestionMap(Licensed):
    """A question's map as GeoJSON, WGS84, longitude first; what lies behind comes first."""

    type: Literal["FeatureCollection"] = "FeatureCollection"
    bbox: list[float] = Field(description="west, south, east, north")
    features: list[Shape]
    left_out: int = Field(description="objects of the proof that are too many to draw")


class QuestionDetail(Licensed):
    """A question with all that proves it, and what was answered. Hidden ones have neither."""

    question: Question = Field(description="with its gold, if the gold is public")
    title: str = Field(description="of its template")
    before: str | None = Field(description="the id of the question before it in its data set")
    after: str | None
    proof: Proof | None = Field(description="null for hidden questions")
    wrong: list[Wrong]
    answers: list[ModelAnswer] = Field(description="the newest run first, 300 at most")
    map: QuestionMap | None = Field(description="with `map=true`; null for hidden questions")
