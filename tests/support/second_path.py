"""The second path for tests, which name a template by its id alone: no two benchmarks of ours share one."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.questions import second_path
from app.questions.second_path import Layers, OptionVerdict, SecondAnswer, TemplateVersion


def rules_of(template: str, version: int | None = None) -> TemplateVersion:
    """The template's rules in that version, or in its newest, for the variant that is made by default."""
    benchmark = "gsqa" if re.fullmatch(r"T\d+", template) else "urban_knowledge"
    return TemplateVersion(benchmark, template, version, variant="hard")


def answer(
    layers: Layers, template: str, parameters: Mapping[str, Any], version: int | None = None
) -> SecondAnswer:
    """As `app.questions.second_path.answer`."""
    return second_path.answer(layers, rules_of(template, version), parameters)


def wrong_options(
    layers: Layers,
    template: str,
    parameters: Mapping[str, Any],
    found: SecondAnswer,
    options: Sequence[str],
    key_index: int,
    version: int | None = None,
) -> list[OptionVerdict]:
    """As `app.questions.second_path.wrong_options`."""
    return second_path.wrong_options(
        layers, rules_of(template, version), parameters, found, options, key_index
    )
