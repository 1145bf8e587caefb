"""JSON from outside: what has two meanings, or is none, is refused."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.strict_json import read_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(VALUES)
def test_what_has_one_meaning_is_read(value: Any) -> None:
    assert read_json(json.dumps(value)) == value
    assert read_json(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1, "a": 1}', "'a' stands in one object twice"),
        ('[{"b": {"a": 1, "\\u0061": 2}}]', "'a' stands in one object twice"),
        ('{"\\u202e": 1, "\\u202e": 1}', "'\\u202e' stands"),
        ('{"a": NaN}', "NaN is not a number of JSON"),
        ("[-Infinity]", "-Infinity is not a number"),
        ("9" * 5000, "a number in it has 5,000 digits"),
        ("[1, -1e999]", "the number -1e999 is too large"),
        ("[" * 100_000, "it is nested too deep"),
        (b"\xff", "it is not UTF-8"),
        ("{", "the name of a field"),
        ("", "a value is missing"),
    ],
    ids=range(11),
)
def test_what_has_not_is_refused_in_words(text: str | bytes, said: str) -> None:
    with pytest.raises(json.JSONDecodeError) as caught:
        read_json(text)
    assert caught.value.msg.startswith(said)


@given(st.binary(max_size=100) | st.text(alphabet='{}[]":,a1eNI\\u0', max_size=60))
def test_nothing_else_is_raised(text: str | bytes) -> None:
    with contextlib.suppress(json.JSONDecodeError):
        read_json(text)
