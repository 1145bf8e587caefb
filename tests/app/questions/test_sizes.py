"""Templates whose questions are a share of all, and not as many as those of any other."""

from collections import Counter
from dataclasses import replace

import pytest

from app.core.errors import UsageError
from app.operations.recipe import GenerateRequest, draft_recipe
from app.questions.generating import Generated, Recipe, generate
from app.questions.sizes import bank_of_share, size_of_share
from app.questions.snapshots import find_snapshots
from app.templates.catalogue import find_benchmark
from tests.support.town import Imported

SHARED, OTHERS = "T1", ("T13", "T21", "T25")


def made(town: Imported, share: float, per_city: int | None = None) -> Generated:
    """At most four questions of each template of the town, but for a share of T1."""
    whole = find_benchmark("gsqa")
    few = replace(whole, templates={name: whole.templates[name] for name in (SHARED, *OTHERS)})
    with town.connect() as connection:
        maps = find_snapshots(connection, [town.name])
        recipe = Recipe(few, maps, 5, 4, 4, 0.0, shares={SHARED: share}, per_city=per_city)
        return generate(connection, recipe, lambda *told: None)


def test_a_template_gives_its_share(town: Imported) -> None:
    """A third of all questions, which are more than of any other template and more than a bank of others holds."""
    few, many = made(town, 1 / 13), made(town, 1 / 3)
    numbers = Counter(one.template for one in many.records)
    assert [numbers[name] for name in (SHARED, *OTHERS)] == [6, 4, 4, 4]
    assert [one.template for one in few.records] == [SHARED] + [name for name in OTHERS for _ in range(4)]
    assert many.recipe.as_json()["shares"] == {SHARED: 1 / 3}


def test_of_each_map_it_gives_a_share_of_those_of_the_map(town: Imported) -> None:
    numbers = Counter(one.template for one in made(town, 1 / 4, per_city=3).records)
    assert [numbers[name] for name in (SHARED, *OTHERS)] == [3, 3, 3, 3]


def test_sizes_are_shares_of_all_and_one_at_least() -> None:
    assert size_of_share({"A": 0.2}, "A", 8) == 2
    assert size_of_share({"A": 0.2, "B": 0.3}, "B", 10) == 6
    assert size_of_share({"A": 0.01}, "A", 3) == 1
    assert bank_of_share({"A": 0.5}, "A", 10, 7) == 70
    assert bank_of_share({"A": 0.01}, "A", 10, 7) == bank_of_share({"A": 0.5}, "B", 10, 7) == 10


def test_of_mapeval_as_many_cannot_be_answered_as_in_the_paper() -> None:
    """20 of 300; no further share can be asked for."""
    shares = draft_recipe(GenerateRequest("mapeval", "places")).shares
    assert shares.keys() == {"Not_On_The_Map"}
    assert size_of_share(shares, "Not_On_The_Map", 280) == 20
    with pytest.raises(UsageError, match=r"mapeval has templates of its own for questions without an answer"):
        draft_recipe(GenerateRequest("mapeval", "places", unanswerable=0.1))
