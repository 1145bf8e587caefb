"""JSON in answers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.reading.objects import objects_in, told_under


@pytest.mark.parametrize(
    ("text", "objects"),
    [
        ('{"name": "Adler"}', [{"name": "Adler"}]),
        ('Here you are: {"name": "Adler"}. Enjoy!', [{"name": "Adler"}]),
        ('```json\n{"name": "Adler"}\n```', [{"name": "Adler"}]),
        ('{"count": 1}\n{"count": 2}', [{"count": 1}, {"count": 2}]),
        ('[{"count": 1}, {"count": 2}]', [{"count": 1}, {"count": 2}]),
        ('{"a": {"b": 1}}', [{"a": {"b": 1}}]),
        ('a set {1, 2} and then {"count": 2}', [{"count": 2}]),
        ('{"name": "A{d}ler"}', [{"name": "A{d}ler"}]),
        ('{"name": ', []),
        ("{" * 500, []),
        ('{"a":' * 5_000, []),
        ("no JSON", []),
        ("", []),
    ],
)
def test_finds(text: str, objects: list[dict[str, Any]]) -> None:
    assert objects_in(text) == objects


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ('{"count": 12}', "12"),
        ('{"count": "twelve"} {"count": "twelve"}', "twelve"),
        ('{"count": 12} {"count": 13}', "12 or 13"),
        ('{"answer": 7, "count": 12}', "12"),
        ('{"answer": 7}', "7"),
        ('{"count": null}', ""),
        ('{"count": true}', ""),
        ('{"count": NaN}', ""),
        ('{"count": 1e400}', ""),
        ('{"count": ' + "9" * 10_000 + "}", ""),
        ('{"count": [12]}', ""),
        ('{"name": "Adler"}', '{"name": "Adler"}'),
        ("12", "12"),
    ],
)
def test_what_is_told_under_a_field(answer: str, told: str) -> None:
    assert told_under(answer, ("count", "answer")) == told


@given(st.text(alphabet='{}[]",:ab1 \\n') | st.text())
def test_any_text_has_a_list_of_objects(text: str) -> None:
    assert all(isinstance(one, dict) for one in objects_in(text))


@pytest.mark.parametrize("piece", ["{", '{"a":', '{"a":"', '{"a":1}', "}", "[{", '"{'])
def test_a_megabyte_is_searched(piece: str) -> None:
    objects = objects_in(piece * (1_000_000 // len(piece)))
    assert all(one == {"a": 1} for one in objects)
    assert bool(objects) == (piece == '{"a":1}')
