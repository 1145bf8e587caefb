"""Skills: which templates of which benchmarks ask for each, as `skills.toml` says. Cards tell scores by skill."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).parent / "skills.toml"


class Skill(NamedTuple):
    """A skill: its key, what a reader calls it, and what is asked for."""

    key: str
    title: str
    about: str
    with_tools: bool
    """Whether runs without tools say nothing about it."""


class Skills(NamedTuple):
    """All skills in the order of cards, and the key of each template's skill, by benchmark and template."""

    listed: Sequence[Skill]
    of_template: Mapping[tuple[str, str], str]


@cache
def read_skills(file: Path = FILE) -> Skills:
    """The skills of the file. Raises ValueError for a template that stands in two of them."""
    told = tomllib.loads(file.read_text(encoding="utf-8"))["skills"]
    of_template: dict[tuple[str, str], str] = {}
    for key, one in told.items():
        for benchmark, templates in one["templates"].items():
            for template in templates:
                if (benchmark, template) in of_template:
                    other = of_template[benchmark, template]
                    raise ValueError(f"{file.name}: {benchmark}/{template} stands in {other} and in {key}")
                of_template[benchmark, template] = key
    return Skills(
        [Skill(key, one["title"], one["about"], one.get("with_tools", False)) for key, one in told.items()],
        of_template,
    )


def asks_for_tools(skill: str | None) -> bool:
    """Whether runs without tools say nothing about the skill."""
    return any(one.with_tools for one in read_skills().listed if one.key == skill)


def skill_of(benchmark: str, template: str) -> str | None:
    """The key of a template's skill; None of templates of data sets that others published."""
    return read_skills().of_template.get((benchmark, template))
