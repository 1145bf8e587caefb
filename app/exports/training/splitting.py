"""Parts examples into those for training and those for testing, by region and by template at once."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from app.core.errors import UsageError
from app.core.identity import digest
from app.exports.training.examples import Example

SHARE_OF_TEMPLATES = 4
"""One template of so many of a benchmark is kept for testing."""


class Split(NamedTuple):
    """`between` counts examples with a region of one side and a template of the other: they are in neither."""

    train: Sequence[Example]
    test: Sequence[Example]
    test_regions: Sequence[str]
    test_templates: Sequence[str]
    between: int


def split_examples(examples: Sequence[Example], test_regions: Collection[str], seed: int) -> Split:
    """The examples in two parts that share neither a region nor a template.

    Templates for testing are drawn within each benchmark. Raises UsageError where a part would be empty.
    """
    known = {region for one in examples for region in one.regions}
    unknown = sorted(set(test_regions) - known)
    if unknown:
        raise UsageError(
            f"--test-region {unknown[0]}: no question has it; there are {', '.join(sorted(known)) or 'none'}."
        )
    held = _templates_for_testing({one.template for one in examples}, seed)
    train = [one for one in examples if one.template not in held and not one.regions & set(test_regions)]
    test = [one for one in examples if one.template in held and one.regions <= set(test_regions)]
    if not train or not test:
        raise UsageError(
            f"there are {len(train):,} examples for training and {len(test):,} for testing. Give data sets of two"
            " regions or more, name one of them with --test-region, or take another --seed, which draws the templates"
            " for testing."
        )
    return Split(
        train, test, sorted(test_regions), sorted(held), between=len(examples) - len(train) - len(test)
    )


def _templates_for_testing(templates: Iterable[str], seed: int) -> set[str]:
    """One of four of each benchmark, one at least where it has two or more."""
    of_benchmark: dict[str, list[str]] = {}
    for one in templates:
        of_benchmark.setdefault(one.partition("/")[0], []).append(one)
    held: set[str] = set()
    for names in of_benchmark.values():
        names.sort(key=lambda one: digest(seed, one))
        held.update(names[: -(-len(names) // SHARE_OF_TEMPLATES) if len(names) > 1 else 0])
    return held
