"""The card of a submission: what was asked and how, as whoever submits tells it. The contact is private."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from app.core.errors import UsageError
from app.core.words import is_printable, unmixed

_DAY = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?")
MOST_SETTINGS = 50


def _printable(word: str) -> str:
    if not is_printable(word) or word != word.strip():
        raise ValueError("must be printable, without blanks at its ends")
    return word


def _day(told: str) -> str:
    found = _DAY.fullmatch(told)
    if found is None:
        raise ValueError("must be a month or a day, such as 2025-06 or 2025-06-30")
    date(int(found[1]), int(found[2]), int(found[3] or 1))
    return told


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    plain = all(
        isinstance(value, bool | int | float | str)
        and len(name) <= 100
        and len(str(value)) <= 1000
        and is_printable(name + str(value))
        for name, value in given.items()
    )
    if not plain or len(given) > MOST_SETTINGS:
        raise ValueError("must be at most 50 names with a number, a word, true or false each")
    return given


Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_printable)]
ShownName = Annotated[Name, AfterValidator(unmixed)]
"""One that boards show, and that must not pass for another."""


class Card(BaseModel):
    """What is told of a submission; all but the name may be left out."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        json_schema_extra={
            "examples": [
                {
                    "name": "gemma-3-27b with a gazetteer",
                    "model": "gemma-3-27b-it",
                    "revision": "005ad34",
                    "training_cutoff": "2024-08",
                    "tools": ["place search"],
                    "retrieval_sources": ["GeoNames"],
                    "sampling": {"temperature": 0.0},
                }
            ]
        },
    )

    name: ShownName = Field(description="the name on boards")
    model: ShownName | None = None
    revision: Name | None = Field(default=None, description="revision of the model's weights")
    training_cutoff: Annotated[str, AfterValidator(_day)] | None = Field(
        default=None, description="the end of the training data: a month or a day", examples=["2025-06"]
    )
    tools: list[Name] = Field(default=[], max_length=50, description="tools that the model could call")
    retrieval_sources: list[Name] = Field(
        default=[], max_length=50, description="sources that were searched for the answers"
    )
    prompt_hash: Name | None = Field(default=None, description="SHA-256 of the text of the prompt")
    sampling: Annotated[dict[str, Any], AfterValidator(_settings)] = Field(default={})
    dataset: Name | None = Field(
        default=None, description="name@version of the data set that the answers belong to, as a check"
    )


class GivenCard(Card):
    """A card as it is sent: with the contact, which is stored apart."""

    contact: Name | None = Field(
        default=None, description="how to reach you; private, gone when the submission is deleted"
    )

    def public(self) -> Card:
        """The card without the contact."""
        return Card.model_validate(self.model_dump(exclude={"contact"}))


class ShownCard(BaseModel):
    """What boards tell of a submission's card: neither whose it is nor how to reach them."""

    model_config = ConfigDict(frozen=True)

    self_reported: bool = Field(description="false if the people who run this service made the answers")
    model: str | None = None
    revision: str | None = Field(default=None, description="revision of the model's weights")
    training_cutoff: str | None = Field(
        default=None, description="the end of the training data: a month or a day"
    )
    tools: list[str] = Field(default=[], description="tools that the model could call")
    retrieval_sources: list[str] = Field(default=[], description="sources that were searched for the answers")


def shown_card(stored: Mapping[str, Any] | None, self_reported: bool | None) -> ShownCard | None:
    """What is shown of a stored card; None where there is none."""
    return None if stored is None else ShownCard.model_validate({**stored, "self_reported": self_reported})


def read_card(given: dict[str, Any]) -> GivenCard:
    """The card of what was sent. Raises UsageError naming each field that is wrong."""
    try:
        return GivenCard.model_validate(given)
    except ValidationError as error:
        wrong = [
            f"{'.'.join(map(str, one['loc'])) or 'card'}: {_what(one['type'], one['msg'])}"
            for one in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        raise UsageError("The card is not well formed. " + "; ".join(wrong[:10]) + ".") from error


def _what(kind: str, said: str) -> str:
    if kind == "extra_forbidden":
        return f"a card has {', '.join(GivenCard.model_fields)} and no more"
    return said.removeprefix("Value error, ")
