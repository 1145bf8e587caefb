"""The figures of graphs from grouped episodes, counted by hand."""

from types import SimpleNamespace
from typing import Any

from app.published.graph_figures import read_graphs


def row(**told: Any) -> Any:
    usual = {"source": "model", "stage": None, "rule": "number", "before": {}, "after": None}
    return SimpleNamespace(**{**usual, "episodes": 1, "right_answers": 0, **told})


def test_graphs_are_counted_by_what_became_of_them() -> None:
    found = read_graphs(
        [
            row(episodes=5, right_answers=4),
            row(source="repair", before={"G4": 2, "G5": 1}, after={}, episodes=2, right_answers=1),
            row(source="templates", before={"G2": 1}, after={"unread": 1}, stage="data", rule="model"),
            row(source=None, before={"unread": 1}, after={"unread": 1}, stage="graph", rule=None),
        ]
    )
    assert found is not None
    assert found.model_dump() == {
        "episodes": 9,
        "sources": {"model": 5, "none": 1, "repair": 2, "templates": 1},
        "broken": 4,
        "repaired": 2,
        "violations_before": {"G2": 1, "G4": 4, "G5": 2, "unread": 1},
        "violations_after": {"unread": 2},
        "stages": {"data": 1, "graph": 1, "none": 7},
        "rules": {"model": 1, "none": 1, "number": 7},
        "right_by_source": {"model": 4, "none": 0, "repair": 1, "templates": 0},
    }
    assert read_graphs([]) is None
