"""Examples for a planner: well-formed, found by likeness, and none of them an item of a published benchmark."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from app.geoflow.canonical import graph_hash
from app.geoflow.checking import violations_of
from app.geoflow.retrieving import examples, examples_for, grams_of
from app.geoflow.templates import templates
from tests.conftest import SHARED

FOLDERS = ("published", "conformance")
SUFFIXES = {".json", ".jsonl", ".csv", ".txt", ""}
IN_THE_PAPERS_REPOSITORY = ("cork", "blarney", "dubai", "khansa", "etxebarri", "tokyo", "brassica")
"""Words of benchmark items that the authors' own examples hold."""
WORDS_IN_A_ROW = 8


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def runs_of(words: list[str]) -> Iterator[str]:
    return (" ".join(words[at : at + WORDS_IN_A_ROW]) for at in range(len(words) - WORDS_IN_A_ROW + 1))


def test_examples_are_well_formed_and_no_two_are_equal() -> None:
    assert len(examples()) >= 30
    assert [one.question for one in examples() if violations_of(one.graph)] == []
    assert len({graph_hash(one.graph) for one in examples()}) == len(examples())
    assert len({one.question for one in examples()}) == len(examples())
    operators = {step.op for one in examples() for step in one.graph.steps}
    assert operators >= {step.op for one in templates().values() for step in one.skeleton().steps}


def test_every_place_of_an_example_is_in_its_question() -> None:
    for one in examples():
        for concept in one.graph.concepts:
            assert concept.name.casefold() in one.question.casefold()


def test_no_example_is_an_item_of_a_published_benchmark() -> None:
    """By normalised text: neither a question, nor eight words of it in a row, nor a place of it occurs there."""
    files = [
        file
        for folder in FOLDERS
        for file in (SHARED / folder).rglob("*")
        if file.is_file() and file.suffix.lower().strip() in SUFFIXES
    ]
    if not files:
        pytest.skip(f"the published samples are not at {SHARED}")
    published = [f" {' '.join(words_of(_text(file)))} " for file in files]
    for one in examples():
        words = words_of(one.question)
        assert not set(words) & set(IN_THE_PAPERS_REPOSITORY)
        names = [" ".join(words_of(concept.name)) for concept in one.graph.concepts if concept.name]
        for told in [" ".join(words), *runs_of(words), *names]:
            assert not any(f" {told} " in text for text in published), told


def _text(file: Path) -> str:
    return (
        file.read_text(encoding="utf-8", errors="replace").encode().decode("unicode_escape", errors="replace")
    )


@pytest.mark.parametrize(
    ("question", "operators"),
    [
        ("How many bakeries are within 2 km of the Rathaus?", {"count"}),
        (
            "In which of the eight directions of the compass is the Post, seen from the Kirche?",
            {"bearing_to_direction"},
        ),
        ("When do I have to leave the Post at the latest?", {"calculate_latest_departure"}),
        ("Where do Landstrasse and Feldweg meet?", {"intersection_of"}),
    ],
)
def test_the_most_alike_examples_come_first(question: str, operators: set[str]) -> None:
    found = examples_for(question)
    assert len(found) == 3
    assert operators <= {step.op for step in found[0].example.graph.steps}
    assert all(0 <= later.cosine <= one.cosine <= 1 for one, later in pairwise(found))


def test_an_example_is_most_like_itself() -> None:
    for one in examples():
        (first,) = examples_for(one.question, 1)
        assert first.example is one
        assert first.cosine == pytest.approx(1)


def test_a_question_that_shares_nothing_finds_examples_all_the_same() -> None:
    assert [one.cosine for one in examples_for("Ωμέγα")] == [0, 0, 0]


def test_likeness_is_that_of_scikit_learn() -> None:
    known = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5))
    store = known.fit_transform(one.question for one in examples())
    question = "Which of the three pubs in Vaduz is the nearest one to the old bridge?"
    (cosines,) = (known.transform([question]) @ store.T).toarray()
    found = {one.example.question: one.cosine for one in examples_for(question, len(examples()))}
    assert [found[one.question] for one in examples()] == pytest.approx(list(cosines), abs=1e-9)
    assert sorted(grams_of("To be")) == sorted(known.build_analyzer()("To be"))
