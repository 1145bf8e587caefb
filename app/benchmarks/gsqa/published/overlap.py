"""Words in common: predicted and gold tokens → precision, recall, F1. Empty sides give 0."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Overlap(NamedTuple):
    """Shares in [0, 1]; `f1` is the harmonic mean of the other two."""

    precision: float
    recall: float
    f1: float


NOTHING = Overlap(0.0, 0.0, 0.0)


def overlap(predicted: Sequence[str], gold: Sequence[str]) -> Overlap:
    """Distinct tokens in common, over all predicted tokens and over all gold tokens, repeats counted in both.

    A right answer that repeats a word therefore stays below 1. Source: GS-QA, text metrics; the published cases.
    """
    common = len(set(predicted).intersection(gold))
    if not common:
        return NOTHING
    precision, recall = common / len(predicted), common / len(gold)
    return Overlap(precision, recall, 2 * precision * recall / (precision + recall))


def best_overlap(predictions: Iterable[Sequence[str]], golds: Sequence[Sequence[str]]) -> Overlap:
    """The overlap of the pair with the best F1, the first of equals; its precision and recall go with it."""
    pairs = (overlap(predicted, gold) for predicted in predictions for gold in golds)
    return max(pairs, key=lambda pair: pair.f1, default=NOTHING)
