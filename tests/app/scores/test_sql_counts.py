"""Sums of how model-written SQL went, by scope."""

import pytest

from app.map_tools.sql_running import _KINDS
from app.scores.aggregating import Part
from app.scores.sql_counts import KINDS, count_sql

PARTS = [Part("a", "T1", False), Part("b", "T1", False), Part("c", "T2", True)]
ROWS = {"state": "rows", "valid": True, "kind": None}
TIMEOUT = {"state": "timeout", "valid": True, "kind": None}


def test_each_scope_has_its_own_sum() -> None:
    refused = {"state": "refused", "valid": False, "kind": "function"}
    found = count_sql(PARTS, [("a", ROWS), ("b", TIMEOUT), ("a", refused)])
    assert found["all"] == found["template:T1"]
    assert set(found) == {"all", "template:T1"}
    assert found["all"] == {
        "statements": 3,
        "valid": 2,
        "timeouts": 1,
        "refused": 1,
        "kinds": dict.fromkeys(KINDS, 0) | {"function": 1},
    }


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_counted(kind: str) -> None:
    found = count_sql(PARTS, [("c", {"state": "invalid", "valid": False, "kind": kind})])
    assert found["all"]["kinds"][kind] == sum(found["all"]["kinds"].values()) == 1


def test_the_executor_gives_no_other_kinds() -> None:
    assert set(_KINDS.values()) <= set(KINDS)


def test_runs_without_sql_have_no_sum() -> None:
    assert count_sql(PARTS, []) == {}
