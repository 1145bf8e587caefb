"""The arguments of tools that seek places of a type, or that a keyword fits."""

from typing import Self

from pydantic import Field, model_validator

from app.agent_tools.arguments import Text
from app.agent_tools.around import Sought
from app.agent_tools.registry import Arguments

TYPE = "a class of OpenStreetMap: restaurant, cafe, museum, hotel, pharmacy, park, lake …"
KEYWORD = "words in the name, cuisine, brand or type; instead of a type"
Type = Text | None
Keyword = Text | None


class SeekingArguments(Arguments):
    """A type or a keyword."""

    type: Type = Field(None, description=TYPE)
    keyword: Keyword = Field(None, description=KEYWORD)

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.type is None) == (self.keyword is None):
            raise ValueError("give either a type or a keyword")
        return self

    @property
    def sought(self) -> Sought:
        """What is sought."""
        return Sought(self.type, self.keyword)
