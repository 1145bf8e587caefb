"""Reference rows: what papers report of a benchmark, figures only, from files of its folder.

Those of its own paper (`reference.yaml`) stand under boards, marked as another map and other models; no run is ranked
with them. Those of another paper (`reference_NAME.yaml`) stand in its tables alone.
"""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.templates.templates import read_yaml, validated

FILE = "reference.yaml"
FILES = "reference*.yaml"
Figure = Annotated[float, Field(allow_inf_nan=False, strict=True)]
LEAST = {"share": 0.0, "points": 0.0, "rank": 0.0, "count": 0.0, "change": -1.0}
"""The smallest figure that can be meant, by unit."""
MOST = {"share": 1.0, "points": 100.0, "rank": 1000.0, "count": 1e9, "change": 10.0}
"""The largest figure that can be meant, by unit."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReferencePart(_Part):
    """One measure of one of the paper's tables; a row has a figure a column, null where there is none."""

    table: int = Field(ge=0, description="0 for figures that stand in none of the paper's tables")
    place: str | None = Field(default=None, description="where those figures stand: a drawing, a section")
    title: str
    measure: str
    better: Literal["higher", "lower", "neither"]
    file: str = Field(description="the place of the figures in `source`")
    note: str | None = None
    columns: list[str] = Field(min_length=1)
    unit: Literal["share", "points", "rank", "count", "change"] = "share"
    rows: dict[str, list[Figure | None]] = Field(min_length=1)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for name, figures in self.rows.items():
            if len(figures) != len(self.columns):
                raise ValueError(
                    f"table {self.table}, {name}: {len(figures)} figures for {len(self.columns)} columns"
                )
            known = [one for one in figures if one is not None]
            if max(known, default=0) > MOST[self.unit]:
                raise ValueError(
                    f"table {self.table}, {name}: a figure should be less than or equal to {MOST[self.unit]:g}"
                )
            if min(known, default=0) < LEAST[self.unit]:
                raise ValueError(
                    f"table {self.table}, {name}: a figure should be greater than or equal to {LEAST[self.unit]:g}"
                )
        if (self.table == 0) != (self.place is not None):
            raise ValueError(f"table {self.table}: `place` says where figures of no table (0) stand")
        return self


class Reference(_Part):
    """A paper's figures. `source` is where they were taken from, `map` what they were measured on."""

    paper: str
    url: str
    map: str
    source: str
    columns: dict[str, str] = Field(description="the meaning of each column")
    parts: list[ReferencePart]

    @model_validator(mode="after")
    def _names_columns(self) -> Self:
        for part in self.parts:
            unknown = [column for column in part.columns if column not in self.columns]
            if unknown or len(set(part.columns)) != len(part.columns):
                raise ValueError(
                    f"table {part.table}: columns are named twice or not above: {unknown or part.columns}"
                )
        return self


def read_reference(folder: Path, file: str = FILE) -> Reference | None:
    """The reference rows of a benchmark's folder, None where it has none. Raises TemplateError at the first fault."""
    path = folder / file
    if not path.is_file():
        return None
    values, lines = read_yaml(path)
    return validated(Reference, values, path, lines)


def check_references(folder: Path) -> None:
    """Read the figures of every paper in a benchmark's folder. Raises TemplateError at the first fault."""
    for path in sorted(folder.glob(FILES)):
        read_reference(folder, path.name)
