"""Finds examples for a question: pairs of a question and its graph whose questions are most alike.

Alike is what shares runs of 3 to 5 characters: the cosine of TF-IDF vectors, with the weights of scikit-learn's
TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5)): tf · (ln((1 + n) / (1 + df)) + 1), of length 1. The paper names
neither the number of examples nor the model that compares them (Spatial-Agent, section 3.4); ours are 3 and this.

Reads examples.toml. The examples were written for this project, over places that are in no benchmark.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import log, sqrt
from pathlib import Path
from typing import NamedTuple

from app.geoflow.graphs import Graph
from app.geoflow.notation import graph_of

FILE = Path(__file__).with_name("examples.toml")
HOW_MANY = 3
LENGTHS = range(3, 6)
Vector = Mapping[str, float]


class Example(NamedTuple):
    """A question with its graph."""

    question: str
    graph: Graph


class Likeness(NamedTuple):
    """An example, and how much its question is like the one that was asked: 0 to 1."""

    example: Example
    cosine: float


@cache
def examples() -> Sequence[Example]:
    """The stored examples, in the order of the file. Raises GraphFault where a graph cannot be read."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))["example"]
    return [Example(row["question"], graph_of(row["lines"])) for row in rows]


def examples_for(question: str, how_many: int = HOW_MANY) -> list[Likeness]:
    """The examples whose questions are most alike, the most alike first; of equal ones, the first in the file."""
    weights, vectors = _store()
    asked = _vector(question, weights)
    alike = [
        Likeness(one, sum(value * vector.get(gram, 0.0) for gram, value in asked.items()))
        for one, vector in zip(examples(), vectors, strict=True)
    ]
    return sorted(alike, key=lambda one: -one.cosine)[:how_many]


def grams_of(text: str) -> Iterator[str]:
    """The runs of 3 to 5 characters of each word, with a space before and after it; small letters."""
    for word in re.findall(r"\S+", text.lower()):
        padded = f" {word} "
        for length in LENGTHS:
            yield from (padded[at : at + length] for at in range(max(1, len(padded) - length + 1)))
            if len(padded) <= length:
                break


@cache
def _store() -> tuple[Vector, Sequence[Vector]]:
    """The weight of each run of characters, and the vectors of the examples' questions."""
    counts = Counter(gram for one in examples() for gram in set(grams_of(one.question)))
    weights = {gram: log((1 + len(examples())) / (1 + count)) + 1 for gram, count in counts.items()}
    return weights, [_vector(one.question, weights) for one in examples()]


def _vector(text: str, weights: Vector) -> Vector:
    """The vector of a text, of length 1; runs that no example has count for nothing."""
    counts = Counter(gram for gram in grams_of(text) if gram in weights)
    vector = {gram: count * weights[gram] for gram, count in counts.items()}
    length = sqrt(sum(value * value for value in vector.values()))
    return {gram: value / length for gram, value in vector.items()} if length else {}
