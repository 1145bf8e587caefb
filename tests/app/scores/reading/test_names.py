"""Reading names, and the keys by which names are compared."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.scores.reading.cleaning import key_of, loose_key_of, plain
from app.scores.reading.names import keys_of_name, read_name
from tests.support.reading_time import assert_linear


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ("Café Ursula", "Café Ursula"),
        ("**Café Ursula**", "Café Ursula"),
        ('"Café Ursula"', "Café Ursula"),
        ("“Café Ursula”", "Café Ursula"),
        ("`Café Ursula`", "Café Ursula"),
        ("Answer: Café Ursula", "Café Ursula"),
        ("The nearest restaurant is Café Ursula.", "Café Ursula"),
        ("The nearest restaurant is **Café Ursula**, which is close.", "Café Ursula"),
        ("Café Ursula\n\nIt is the nearest.", "Café Ursula"),
        ("- Café Ursula\n- Café Engel", "Café Ursula"),
        ('{"name": "Café Ursula"}', "Café Ursula"),
        ('```json\n[{"poi_name": "Café Ursula"}]\n```', "Café Ursula"),
        ("Thoughts.\nAnswer: Café Engel\nAnswer: **Café Ursula**", "Café Ursula"),
        ("It is called 'Rock'", "Rock"),
        ("Café Ursula is the nearest restaurant.", "Café Ursula"),
        ("Café Ursula is located in Vaduz.", "Café Ursula"),
        ('Here you are: {"name": "Café Ursula"}. Enjoy!', "Café Ursula"),
        ('{"answer": {"name": "Café Ursula"}}\n{"answer": {"name": "Café Engel"}}', "Café Ursula"),
        ("St. John's", "St. John's"),
    ],
)
def test_reads(answer: str, name: str) -> None:
    assert read_name(answer).value == name


@pytest.mark.parametrize("answer", ["", " \n ", "**", '""'])
def test_leaves_unread(answer: str) -> None:
    assert read_name(answer).value is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("McDonald's", "mcdonald’s"),
        ("McDonald's", "McDonalds"),
        ("A & W", "A&W"),
        ("Straße", "STRASSE"),
        ("Café\u0301", "CAFÉ\u0301"),
        ("Cafe\u0301", "Café"),
        ("Rock-n-Roll", "Rock n Roll"),
        ("ＡＢＣ", "abc"),
        ("a\u200bb", "ab"),
        ("St. John", "St John"),
    ],
)
def test_names_that_read_alike_have_equal_keys(one: str, other: str) -> None:
    assert loose_key_of(one) == loose_key_of(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Café", "Cafe"), ("Adler 1", "Adler 2"), ("!!!", "???"), ("Adler", "Adler Bar")]
)
def test_names_that_differ_have_different_keys(one: str, other: str) -> None:
    assert loose_key_of(one) != loose_key_of(other)


def test_an_address_after_the_name_does_not_hide_it() -> None:
    assert "café ursula" in keys_of_name("Café Ursula, Ehrenströmintie 3, Helsinki")
    assert "café ursula" in keys_of_name("Café Ursula (a café)")


@given(st.text() | st.text().map(json.dumps) | st.text().map(lambda name: json.dumps({"name": name})))
@example('{"name": "A\\u0000\\ud800"}')
def test_never_raises(text: str) -> None:
    reading = read_name(text)
    assert (reading.value is None) == (reading.reason is not None)
    if reading.value is not None:
        assert "\x00" not in reading.value
        reading.value.encode()


@given(st.text())
def test_keys_are_stable(text: str) -> None:
    assert key_of(key_of(text)) == key_of(text)
    assert plain(plain(text)) == plain(text)


HEAVY = ["[", '{"name":', "**a** ", '"', "the is ", "a, ", "\u0301\u0323", "\ufdfa", "\n", "answer: "]


@pytest.mark.parametrize("piece", HEAVY)
def test_long_texts_are_read_in_linear_time(piece: str) -> None:
    assert_linear(read_name, piece, 100_000)


@pytest.mark.long
def test_a_megabyte_is_read_in_linear_time() -> None:
    for piece in HEAVY:
        assert_linear(read_name, piece, 1_000_000)
