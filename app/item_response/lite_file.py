"""The file of a lite set: which questions, what each counts, how far estimates are off, and what it was made of."""

from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from app.core.errors import UsageError
from app.item_response.fitting import NODES
from app.item_response.lite import Chosen

LARGEST = 64 * 2**20
"""Bytes that are read of a file."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LiteItem(_Model):
    """A chosen question: its share of the questions that it stands for, and its parameters."""

    id: str
    template: str
    weight: float = Field(gt=0, le=1)
    discrimination: float = Field(allow_inf_nan=False)
    intercept: float = Field(allow_inf_nan=False)


class LiteRecipe(_Model):
    """What the set was made of: with the same scores, the same recipe gives the same file."""

    dataset: str
    profile: str
    profile_version: int
    size: int
    seed: int
    runs: list[int]
    scores: str = Field(description="hash of the values that the runs had")


class LiteSet(_Model):
    """A lite set as it is written and read."""

    format: Literal["trigpoint lite set 1"]
    recipe: LiteRecipe
    recipe_hash: str
    questions: int = Field(description="public questions whose mean value is estimated")
    level: float
    error: float = Field(
        ge=0, description="95 % of runs kept aside were within it of their mean over all questions"
    )
    mean_error: float = Field(ge=0, description="mean size of their errors")
    plain_error: float = Field(ge=0, description="what the plain mean over the chosen questions would have")
    mix: float = Field(
        ge=0, le=1, description="how much of the weighted rest is added (docs/item-response.md)"
    )
    items: list[LiteItem] = Field(min_length=1)
    expected: list[float] = Field(
        description="mean chance over all questions at abilities from -5 to 5, evenly"
    )

    @model_validator(mode="after")
    def _whole(self) -> "LiteSet":
        if len({item.id for item in self.items}) != len(self.items):
            raise ValueError("a question stands in it twice")
        if len(self.expected) != len(NODES) or not all(0 <= one <= 1 for one in self.expected):
            raise ValueError(f"expected needs {len(NODES)} values from 0 to 1")
        return self

    def chosen(self) -> Chosen:
        """The set as estimates take it; places are those in the file."""
        return Chosen(
            np.arange(len(self.items), dtype=np.int64),
            np.array([item.weight for item in self.items]),
            np.array([item.discrimination for item in self.items]),
            np.array([item.intercept for item in self.items]),
            np.array(self.expected),
        )


def write_lite(path: Path, lite: LiteSet) -> None:
    """Write the file; never over one that is there. Raises UsageError where it cannot be written."""
    try:
        with path.open("x", encoding="utf-8", newline="") as file:
            file.write(lite.model_dump_json(indent=1) + "\n")
    except FileExistsError as error:
        raise UsageError(f"{path} is there already. Choose another --out.") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}. Choose another --out.") from error


def read_lite(path: Path) -> LiteSet:
    """The set in a file. Raises UsageError for what is none."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    if len(content) > LARGEST:
        raise UsageError(f"{path} is larger than {LARGEST:,} bytes: it is no lite set.")
    try:
        return LiteSet.model_validate_json(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise UsageError(
            f"{path} is no lite set ({where}: {first['msg']}). `trigpoint lite choose` writes one."
        ) from error
