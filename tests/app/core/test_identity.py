"""Identities: equal content gives equal bytes, through JSON and back through PostgreSQL."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from app.core.identity import canonical_json, content_hash, digest
from tests.support.town import Imported

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(-1e12, 1e12).filter(lambda x: x != 0)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_json_and_back_is_the_same_text(value: object) -> None:
    assert canonical_json(json.loads(canonical_json(value))) == canonical_json(value)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_numbers_that_are_none_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json(value)


def test_postgresql_gives_floats_back_to_the_bit(town: Imported) -> None:
    """So that an export from the database equals one from memory, and stored hashes can be made again."""
    values = [100.00000663, 0.1 + 0.2, 1e-07, 1 / 3, 450.0, 123456789012.345, 5e-324, 1e15, 2**53]
    value = {"values": values, "text": 'a "b" {c} % \u200f é 🍕'}
    with town.connect() as connection:
        stored = connection.exec_driver_sql(
            "select %(value)s::jsonb", {"value": Jsonb(value, dumps=canonical_json)}
        ).scalar_one()
    assert canonical_json(stored) == canonical_json(value)


def test_every_part_of_an_object_counts() -> None:
    base = ("n1", "A", "cafe", {"amenity": "cafe"}, b"\x01")
    others = [
        ("n2", *base[1:]),
        ("n1", "B", *base[2:]),
        ("n1", None, *base[2:]),
        ("n1", "A", "bar", *base[3:]),
        ("n1", "A", "cafe", {"amenity": "bar"}, b"\x01"),
        (*base[:4], b"\x02"),
    ]
    assert len({content_hash(*one) for one in (base, *others)}) == 7
    assert digest("a", "b") != digest("ab")
