"""The header of a template: YAML in the first comment of its `.sql` file (grammar: sql_templates/README.md)."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

AnswerType = Literal[
    "name",
    "names",
    "location",
    "azimuth",
    "count",
    "area",
    "distance",
    "length",
    "fact",
    "order",
    "relation",
    "route",
    "destinations",
    "option",
]
ParameterType = Literal[
    "object",
    "objects",
    "group",
    "within",
    "described",
    "attribute",
    "class",
    "filter",
    "metres",
    "sector",
    "number",
    "choice",
    "form",
    "frame",
    "point",
]
Layer = Literal[
    "poi", "poi_area", "park", "water", "road", "region", "aoi", "address", "other_place", "road_node",
    "road_edge", "turn_restriction", "road_barrier",
]  # fmt: skip


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Parameter(_Strict):
    """One typed parameter and the pick that lists its values."""

    type: ParameterType
    pick: str | None = Field(
        default=None,
        description="a file of picks/, without .sql; none where a picture offers its values",
    )
    layer: Layer | None = Field(default=None, description="where an object lives; must be given for objects")
    area: Layer | None = Field(
        default=None, description="where the area lives that an object lies in (within)"
    )
    choose: int = Field(default=1, ge=1, le=8, description="how many of the pick's values make one (objects)")
    most: int | None = Field(
        default=None,
        ge=1,
        description="of points: in how many of the pick's cells one is drawn, by the cells' weights",
    )
    none_means: str | None = Field(
        default=None, description="the reason of refusal where the pick finds nothing"
    )

    default: str | None = Field(
        default=None,
        description="of a choice: the only value taken, unless a recipe asks for another; of a point: the value of the"
        " pick's column `sampling` whose cells are taken, likewise",
    )
    named_by_class: bool = Field(
        default=False,
        description="whether texts name its objects by their classes, each a noun without an article",
    )

    @model_validator(mode="after")
    def _choices_have_a_default(self) -> "Parameter":
        if self.type != "point" and (self.type == "choice") != (self.default is not None):
            raise ValueError("type choice and a default go together")
        return self

    @property
    def has_nouns(self) -> bool:
        """Whether texts name its values by nouns of classes, which have an article and a plural."""
        return self.has_classes or self.named_by_class

    @property
    def has_classes(self) -> bool:
        """Whether its values are classes of places."""
        return self.type in ("class", "filter")

    @model_validator(mode="after")
    def _objects_have_a_layer(self) -> "Parameter":
        if self.type in ("object", "objects", "group", "within", "described") and self.layer is None:
            raise ValueError(f"type {self.type} needs a layer")
        if (self.type == "within") != (self.area is not None):
            raise ValueError("type within and an area go together")
        if (self.type == "objects") != (self.choose > 1):
            raise ValueError("choose goes with type objects")
        if (self.type == "point") != (self.most is not None):
            raise ValueError("most goes with type point")
        if self.named_by_class and self.type != "object":
            raise ValueError("named_by_class goes with type object")
        return self


class Picture(_Strict):
    """That questions are asked about a drawn map."""

    questions: int = Field(
        default=2, ge=1, le=8, description="how many questions are looked for in each picture"
    )


class Distractors(_Strict):
    """Where wrong options come from."""

    strategy: str = Field(description="the registered strategy that draws them")
    pool: str | None = Field(default=None, description="a file of distractors/, without .sql")
    layer: Layer | None = Field(
        default=None, description="where the objects of wrong options live, if they are any"
    )
    count: int = Field(default=3, ge=1, le=4)
    one_a_group: bool = False


class Header(_Strict):
    """Everything about a template but its SELECT's text."""

    id: str = Field(pattern=r"^[A-Z][A-Za-z0-9_]{0,40}$")
    version: int = Field(ge=1)
    title: str
    answer_type: AnswerType
    scorer: str
    dimension: str | None = Field(
        default=None, description="how boards group templates; benchmark.toml may say it instead"
    )
    strategy: str | None = Field(
        default=None,
        exclude_if=lambda value: value is None,
        description="what the paper calls the way in which wrong options are made; of benchmark.toml alone",
    )
    parameters: dict[str, Parameter]
    select: str | None = Field(
        default=None,
        pattern=r"^[a-z][a-z0-9_]*$",
        description="a file of selects/, without .sql; else a body",
    )
    program: str | None = Field(
        default=None,
        exclude_if=lambda value: value is None,
        description="the registered program that finds, of the SELECT's rows, those that the derivation reads",
    )
    derive: str = Field(description="the registered pure function that makes gold of the rows")
    phrasings: str = Field(description="a file of phrasings/, without .yaml")
    constants: dict[str, float] = Field(
        default_factory=dict, description="numbers that the SQL takes as binds"
    )
    margins: dict[str, float] = Field(default_factory=dict)
    limits: dict[str, float] = Field(default_factory=dict)
    requires: list[Layer]
    layer_schema: int | None = Field(
        default=None,
        exclude_if=lambda value: value is None,
        description="the first layer schema that has all tables of the SELECT, where older ones lack some",
    )
    picture: Picture | None = Field(
        default=None,
        exclude_if=lambda value: value is None,
        description="of questions about a drawn map: its frame is the parameter of type frame",
    )
    search: Literal["circle", "point", "region", "none"] = Field(
        description="what must lie inside the outline: a circle around the anchor, or around the point that gold tells"
    )
    distractors: Distractors | None = None
    variants: dict[str, Distractors | None] = Field(
        default={"default": None},
        description="by name: wrong options of their own; or a list of one name. The first stands where none is wanted",
    )

    @field_validator("parameters")
    @classmethod
    def _at_least_one(cls, parameters: dict[str, Parameter]) -> dict[str, Parameter]:
        if not parameters:
            raise ValueError("a template without parameters asks one question only")
        return parameters

    @field_validator("variants", mode="before")
    @classmethod
    def _named_alone(cls, variants: Any) -> Any:
        return dict.fromkeys(variants) if isinstance(variants, list) else variants

    @model_validator(mode="after")
    def _options_have_distractors(self) -> "Header":
        own = [one for one in self.variants.values() if one]
        if not self.variants or (self.answer_type == "option") != bool(self.distractors or own):
            raise ValueError("answer_type option and distractors go together")
        alone = len(self.variants) == 1 and not own
        if not alone and (self.distractors or len(own) < len(self.variants)):
            raise ValueError(
                "distractors stand beside the one variant, or each of several variants has its own"
            )
        if len({one.pool for one in own if one.pool}) > 1 or len({one.layer for one in own}) > 1:
            raise ValueError("the variants of a template share one pool file and one layer")
        return self

    @model_validator(mode="after")
    def _pictures_have_a_frame(self) -> "Header":
        frames = [name for name, one in self.parameters.items() if one.type == "frame"]
        unlisted = [name for name, one in self.parameters.items() if one.pick is None]
        if self.picture is None and (frames or unlisted):
            raise ValueError("every parameter has a pick, unless the questions are about a picture")
        if self.picture is not None and (len(frames) != 1 or {*frames, *unlisted} != {*self.parameters}):
            raise ValueError(
                "of a picture, one parameter is the frame and has a pick; the picture offers all others"
            )
        return self

    @property
    def frame(self) -> str | None:
        """The parameter that says which map is drawn; None of questions without a picture."""
        return next((name for name, one in self.parameters.items() if one.type == "frame"), None)

    @property
    def has_variants(self) -> bool:
        """Whether its wrong options can be made in ways that have names."""
        return any(self.variants.values())

    @property
    def strategies(self) -> list[Distractors]:
        """How its wrong options are made, in every variant."""
        return [one for one in (self.distractors, *self.variants.values()) if one]

    @property
    def pool(self) -> str | None:
        """The file of distractors/ that a variant reads, if any does."""
        return next((one.pool for one in self.strategies if one.pool), None)

    @property
    def option_layer(self) -> Layer | None:
        """Where the objects of wrong options live, if they are any."""
        return next((one.layer for one in self.strategies), None)

    def variant_for(self, wanted: str | None) -> str:
        """The wanted variant where there is one of that name, else the first."""
        return wanted if wanted in self.variants else next(iter(self.variants))

    def strategy_of(self, variant: str) -> Distractors | None:
        """How the wrong options of a variant are made; None for questions without options."""
        return self.variants[variant] or self.distractors

    def as_json(self) -> dict[str, Any]:
        """The header as it is stored beside a template's body, wherever that was written."""
        header: dict[str, Any] = self.model_dump(mode="json", exclude={"select"})
        for parameter in header["parameters"].values():
            for name in ("default", "area", "named_by_class", "most"):
                if not parameter[name]:
                    del parameter[name]  # templates that do without keep their hash
        if not self.has_variants:
            header["variants"] = list(self.variants)
        return header
