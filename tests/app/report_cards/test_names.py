"""What the models of a card are called."""

from types import SimpleNamespace
from typing import Any

import pytest

from app.report_cards.measuring_others import names_of


def run(label: str, sample: int | None, endpoint: int | None = 1) -> Any:
    return SimpleNamespace(id=3, label=label, sample=sample, endpoint_id=endpoint, presentation={})


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("gemma (sample of 4)", "gemma"),
        ("gemma (tools, 30 steps, sample of 4)", "gemma (tools, 30 steps)"),
        ("gemma (sample of 4, guided)", "gemma (guided)"),
        ("mine", "mine"),
    ],
)
def test_a_model_whose_runs_are_samples_is_called_without_their_size(label: str, name: str) -> None:
    assert list(names_of([run(label, 4)]).values()) == [name]


def test_the_size_stays_where_a_name_is_all_that_tells_runs_apart() -> None:
    rules = [run("random (sample of 4)", 4, endpoint=None), run("random", None, endpoint=None)]
    assert sorted(names_of(rules).values()) == ["random", "random (sample of 4)"]
