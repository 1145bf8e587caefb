"""How often two parsers read the same."""

from typing import Any

import pytest

from app.scores.parsing.agreeing import Both, agreement


@pytest.mark.parametrize(
    ("scorer", "rules", "chat", "kind"),
    [
        ("name", [{"name": "Hotel Adler"}], [{"name": "adler, HOTEL"}], "same"),
        ("name", [{"name": "Adler"}], [{"name": "Krone"}], "differ"),
        ("name", [{"name": "Adler"}, {"name": "Krone"}], [{"name": "Krone"}, {"name": "Adler"}], "same"),
        ("name", [{"name": "Adler"}, {"name": "Krone"}], [{"name": "Krone"}], "differ"),
        ("location", [{"address": "5 Ring, Dorf"}], [{"address": "Ring 5, Dorf"}], "same"),
        ("distance", [{"distance": 1200}], [{"distance": 1200.0000001}], "same"),
        ("distance", [{"distance": 1200}], [{"distance": 1201}], "differ"),
        ("distance", [{"distance": 1200, "length": 7}], [{"distance": 1200, "length": None}], "same"),
        ("angle", [], [{"azimuth_angle": 90}], "only_chat"),
        ("count", [{"count": 0}], [{"count": None}], "only_rules"),
        ("count", [{"name": "four"}], [], "neither"),
    ],
)
def test_one_answer(scorer: str, rules: Any, chat: Any, kind: str) -> None:
    counted = agreement([Both(scorer, rules, chat)])
    assert counted[kind] == counted["answers"] == 1
    assert counted["agree"] == (kind in ("same", "neither"))


def test_shares_by_kind() -> None:
    same, other = [{"name": "Adler", "count": 1}], [{"name": "Krone", "count": 1}]
    counted = agreement([Both("name", same, same), Both("name", same, other), Both("count", same, other)])
    assert (counted["answers"], counted["agree"]) == (3, pytest.approx(2 / 3))
    assert counted["by_kind"]["name"]["agree"] == 0.5
    assert counted["by_kind"]["count"]["agree"] == 1.0
    assert agreement([])["agree"] is None
