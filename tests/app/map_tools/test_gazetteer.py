"""Placing addresses by the toy town's own map."""

import pytest

from app.map_tools.gazetteer import Sought, place_addresses
from app.questions.snapshots import find_snapshots
from tests.support.town import Imported, apart

ALPHA = Sought("Ring", "5", "Toyville", None)
MISSING = Sought("Nowhere Street", "1", "Atlantis", "Xyzzy")


def places(town: Imported, *sought: Sought) -> list[tuple[float, float] | None]:
    with town.connect() as connection:
        (snapshot,) = find_snapshots(connection, [town.name])
        return place_addresses(connection, snapshot.schema, sought)


def test_a_door_is_placed_where_it_is(town: Imported) -> None:
    by_door, by_name = places(town, ALPHA, Sought(None, None, None, "museum alpha"))
    assert by_door is not None
    assert by_name is not None
    assert apart(by_door, by_name)[0] < 1.0


@pytest.mark.parametrize(
    "sought",
    [
        Sought("RING", "5", None, None),
        Sought("ring", "5", "toyville", "Something else"),
        Sought("Ring", "99", None, None),
        Sought("Ring", None, None, None),
    ],
)
def test_case_and_what_is_missing_do_not_matter(town: Imported, sought: Sought) -> None:
    assert places(town, sought) == places(town, ALPHA)


def test_each_address_has_its_own_place_or_none(town: Imported) -> None:
    assert places(town, MISSING, ALPHA, MISSING) == [None, *places(town, ALPHA), None]
    assert places(town) == []


@pytest.mark.parametrize("words", ["", "'; drop table poi; --", "%", "\\", "Ä" * 10_000])
def test_any_words_are_looked_up(town: Imported, words: str) -> None:
    assert places(town, Sought(words, words, words, words)) == [None]
