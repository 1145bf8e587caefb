"""Lexical retrieval: what is found first, what is in the index, and what is not."""

import pytest
from sqlalchemy import text

from app.core.settings import Role
from app.db.engine import connect
from app.db.naming import quoted
from app.map_tools.retrieving import Retriever, load_rows, words_of
from app.questions.snapshots import find_snapshots
from tests.support.town import Imported

ROWS = [
    "Adler; restaurant; Dorfstrasse 1, Vaduz",
    "Café Zürich; cafe; Bahnhofstrasse 5, Schaan",
    "Krone; restaurant; Vaduz",
    "Stadtpark; park",
    "residential",
]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which restaurant is nearest to the Adler?", ROWS[0]),
        ("How far is it to cafe ZURICH?", ROWS[1]),
        ("What is the area of the park?", ROWS[3]),
        ("Which restaurant in Vaduz is called Krone?", ROWS[2]),
    ],
)
def test_the_row_that_fits_best_comes_first(question: str, first: str) -> None:
    assert Retriever(ROWS).find(question, 10)[0] == first


def test_rare_words_count_more_and_rows_without_a_word_are_left_out() -> None:
    found = Retriever(ROWS).find("restaurant adler", 10)
    assert found == [ROWS[0], ROWS[2]]
    assert Retriever(ROWS).find("restaurant adler", 1) == [ROWS[0]]
    assert Retriever(ROWS).find("zzz", 10) == []
    assert Retriever([]).find("adler", 10) == []


def test_scores_are_those_of_the_formula() -> None:
    """Two rows, one word each in one of them: idf and length norm by hand."""
    rows = ["a a b", "c"]
    assert Retriever(rows).find("c a", 2) == ["a a b", "c"] or Retriever(rows).find("c a", 2) == [
        "c",
        "a a b",
    ]
    # a: tf 2, length 3 of mean 2: 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 1.5)) = 1.2055…; c: 2.2 / (1 + 0.75) = 1.2571…
    assert Retriever(rows).find("c a", 2) == ["c", "a a b"]


def test_words_lose_case_and_accents() -> None:
    assert words_of("Übergroße Straße, ÉCOLE 5b") == ["ubergrosse", "strasse", "ecole", "5b"]


def test_the_index_holds_names_classes_and_addresses_of_every_layer_and_nothing_else(town: Imported) -> None:
    with connect(town.settings, Role.WORKER) as connection:
        (snapshot,) = find_snapshots(connection, [town.name])
        rows = load_rows(connection, snapshot.schema)
        schema = quoted(snapshot.schema)
        for layer in ("poi", "park", "water", "road", "region"):
            named = connection.execute(
                text(f"select distinct name, class from {schema}.{layer} where name is not null")
            ).all()
            assert named, layer
            for name, klass in named:
                assert any(row.startswith(f"{name}; {klass.replace('_', ' ')}") for row in rows)
    assert rows == sorted(set(rows))
    assert not [row for row in rows if "47.1" in row or "9.5" in row]
    assert not [row for row in rows if "; ," in row or "; ;" in row]
