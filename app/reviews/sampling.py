"""Which questions are reviewed: equally many a template, within it spread evenly over splits and maps. Pure.

A sample is a function of the version's questions, its size and its seed: it can be drawn again at any time.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.core import seeds
from app.core.errors import UsageError


class Listed(NamedTuple):
    """What the draw looks at: never text or gold."""

    id: str
    template: str
    split: str
    snapshot: str


def draw_sample(questions: Sequence[Listed], size: int, seed: int) -> list[str]:
    """Ids of `size` questions, in the order of `questions`.

    Within a template every question is equally likely: from a list by split, map and then chance, each N/n-th is
    taken from a start drawn by chance (systematic sampling; Cochran, Sampling Techniques, 1977, chapter 8).
    Raises UsageError where `size` is below one a template or above what there is.
    """
    parts: dict[str, list[Listed]] = defaultdict(list)
    for question in questions:
        parts[question.template].append(question)
    shares = allocate({template: len(part) for template, part in parts.items()}, size, seed)
    drawn: set[str] = set()
    for template, part in parts.items():
        ordered = sorted(
            part, key=lambda one: (one.split, one.snapshot, seeds.draw(seed, "review", one.id), one.id)
        )
        wanted = shares[template]
        start = seeds.below(len(ordered), seed, "review start", template)
        drawn.update(ordered[(start + i * len(ordered)) // wanted].id for i in range(wanted))
    return [question.id for question in questions if question.id in drawn]


def allocate(sizes: Mapping[str, int], size: int, seed: int) -> dict[str, int]:
    """How many questions of each template: as equal as the templates allow; which get one more, the seed decides."""
    total = sum(sizes.values())
    if not len(sizes) <= size <= total:
        raise UsageError(
            f"--size {size}: choose from {len(sizes)} (one question of each template) to {total} (all questions)."
        )
    shares = dict.fromkeys(sizes, 0)
    order = seeds.shuffled(sorted(sizes), seed, "review shares")
    while left := size - sum(shares.values()):
        unfilled = [template for template in order if shares[template] < sizes[template]]
        each = left // len(unfilled)
        for template in unfilled if each else unfilled[:left]:
            shares[template] += min(each or 1, sizes[template] - shares[template])
    return shares
