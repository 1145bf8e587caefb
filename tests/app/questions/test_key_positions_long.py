"""Where the key stands among the options: anywhere equally often, in every template and variant, over fixed seeds."""

import math
from collections import Counter

import pytest

from app.questions.accepting import Accepted, accept_questions
from app.questions.distractors import order_of_options
from app.questions.drawing import OptionsWanted
from app.questions.terms import Terms
from tests.support.town import Asker, Imported, benchmarks, template_of

pytestmark = pytest.mark.long

KNOWLEDGE = benchmarks()["urban_knowledge"].templates
CASES = [
    (name, variant)
    for name, one in KNOWLEDGE.items()
    for variant in (one.header.variants if one.header.has_variants else ("hard",))
]
LEAST, SEEDS, CHANCE = 1000, 6, 0.01
"""Questions of a template and variant; seeds that make them; of a false alarm in all cases together."""


def chance_of(counts: Counter[int]) -> float:
    """The chance of counts as uneven as these were all four positions equally probable (chi-square, three degrees)."""
    wanted = counts.total() / 4
    squared = sum((counts[i] - wanted) ** 2 / wanted for i in range(4))
    return math.erfc(math.sqrt(squared / 2)) + math.sqrt(2 * squared / math.pi) * math.exp(-squared / 2)


SCARCE = {"Compare_Type_Diversity", "Find_Cover_AOI_All"}
"""Liechtenstein gives none of these; Helsinki does."""


def made_by_seeds(place: Imported, template: str, variant: str) -> list[Accepted]:
    found: list[Accepted] = []
    with place.connect() as connection:
        ground = Asker.on(connection, place.name).ground
        for seed in range(SEEDS):
            terms = Terms(seed, wanted=OptionsWanted(variant))
            found += accept_questions(
                ground, template_of(template), terms, LEAST // SEEDS + 1, set()
            ).accepted
    return found


def test_one_sided_positions_are_noticed() -> None:
    assert chance_of(Counter({0: 250, 1: 251, 2: 249, 3: 250})) > 0.9
    assert chance_of(Counter({0: 310, 1: 230, 2: 230, 3: 230})) < CHANCE / len(CASES)


@pytest.mark.parametrize(("template", "variant"), CASES)
def test_positions_of_keys(request: pytest.FixtureRequest, template: str, variant: str) -> None:
    """A map that gives fewer questions than wanted shows those it gives in the orders of further seeds."""
    place = request.getfixturevalue("helsinki" if template in SCARCE else "liechtenstein")
    found = made_by_seeds(place, template, variant)
    assert found, "nothing is asked"
    positions = Counter(one.gold["index"] for one in found)
    once = {one.id: one for one in found}.values()
    for seed in range(SEEDS, SEEDS + math.ceil(max(0, LEAST - len(found)) / len(once))):
        for one in once:
            texts = [one.gold["text"], *(wrong["text"] for wrong in one.distractors or ())]
            positions[order_of_options(texts, seed, one.id).index(0)] += 1
    assert positions.total() >= LEAST
    assert chance_of(positions) > CHANCE / len(CASES), positions
