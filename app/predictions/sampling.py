"""A part of a version's questions: chosen ones, or a sample with as many of each template as its share. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from app.core.identity import digest


class ChosenQuestions(NamedTuple):
    """Questions of a version, `name@number`, by their ids, in any order."""

    version: str
    ids: tuple[str, ...]


def draw_sample(questions: Iterable[tuple[str, str]], size: int, seed: int) -> list[str]:
    """The ids of `size` of the questions (id, template), all of them where there are no more; sorted.

    Which ones, the seed alone decides.

    Shares are rounded by the largest remainder (Hamilton's method). Within a template the order of hashes decides, so
    that the questions of a smaller sample are among those of a larger one but for what is rounded.
    """
    by_template: dict[str, list[str]] = {}
    for question, template in questions:
        by_template.setdefault(template, []).append(question)
    total = sum(map(len, by_template.values()))
    if size >= total:
        return sorted(question for of_template in by_template.values() for question in of_template)
    whole = {template: size * len(ids) // total for template, ids in by_template.items()}
    rest = sorted(by_template, key=lambda name: (-(size * len(by_template[name]) % total), name))
    for template in rest[: size - sum(whole.values())]:
        whole[template] += 1
    return sorted(
        question
        for template, ids in by_template.items()
        for question in sorted(ids, key=lambda one: digest([seed, "sample", one]))[: whole[template]]
    )
