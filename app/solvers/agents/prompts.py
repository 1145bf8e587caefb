"""Prompts of agents: texts in files of this folder's `prompts`, each with a version; a run keeps their hash.

A run that was begun with other prompts is refused by its worker: an episode must not change its words in the middle.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from pydantic import BaseModel, ConfigDict, Field

from app.core.identity import digest

FOLDER = Path(__file__).parent / "prompts"
_JINJA = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=False)  # noqa: S701 - no HTML


class PromptFile(BaseModel):
    """A file of prompts: templates of Jinja by name."""

    model_config = ConfigDict(extra="forbid")

    version: int = Field(ge=1)
    texts: dict[str, str]


@dataclass(frozen=True)
class Prompts:
    """The prompts of one solver. `mark` names their version and hash, such as `react/1/9f86d081`."""

    mark: str
    texts: Mapping[str, str]

    def render(self, name: str, **seen: Any) -> str:
        """A prompt, filled in. Raises KeyError where there is none of that name."""
        return _compiled(self.texts[name]).render(**seen).strip()


@cache
def _compiled(text: str) -> Template:
    """A template, which is used at each step of each episode."""
    return _JINJA.from_string(text)


@cache
def load_prompts(solver: str) -> Prompts:
    """The prompts of a solver, as the file of its name holds them."""
    text = (FOLDER / f"{solver}.toml").read_text(encoding="utf-8")
    file = PromptFile.model_validate(tomllib.loads(text))
    return Prompts(f"{solver}/{file.version}/{digest(file.texts)[:8]}", file.texts)
