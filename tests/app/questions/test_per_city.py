"""How many questions of each template come into a version: of all maps together, or of each map."""

from types import SimpleNamespace
from typing import Any, cast

from app.questions.accepting import Acceptance, Accepted
from app.questions.generating import Recipe, select_of_maps
from app.templates.catalogue import find_benchmark


def bank(city: str, number: int) -> Acceptance:
    template = SimpleNamespace(header=SimpleNamespace(parameters={"poi": SimpleNamespace(type="object")}))
    questions = [
        SimpleNamespace(
            id=f"{city} {i}",
            template=template,
            picked=SimpleNamespace(parameters={"poi": f"n{i}"}),
        )
        for i in range(number)
    ]
    return Acceptance(number, cast("list[Accepted]", questions))


def cities_of(recipe: Recipe, *banks: Acceptance) -> list[str]:
    return [one.id.split()[0] for one in select_of_maps(recipe, banks, recipe.per_template, recipe.per_city)]


def test_so_many_of_each_map() -> None:
    benchmark = find_benchmark("urban_knowledge")
    recipe = Recipe(benchmark, [], 0, 200, 50, 0.0, per_city=3)
    assert cities_of(recipe, bank("berlin", 20), bank("paris", 2), bank("rome", 9)) == (
        ["berlin"] * 3 + ["paris"] * 2 + ["rome"] * 3
    )
    assert recipe.as_json()["per_city"] == 3


def test_so_many_of_all_maps() -> None:
    recipe = Recipe(find_benchmark("urban_knowledge"), [], 0, 200, 6, 0.0)
    found: list[Any] = cities_of(recipe, bank("berlin", 20), bank("paris", 20))
    assert len(found) == 6
    assert "per_city" not in recipe.as_json()
