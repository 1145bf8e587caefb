"""The templates about names, addresses and kinds on Helsinki and Liechtenstein: how many questions there are, and that
options alone tell nothing, by every attack that looks at one question.
"""

import math
from collections import Counter
from collections.abc import Iterator

import pytest

from app.questions.accepting import Acceptance, accept_questions
from app.questions.terms import Terms
from app.solvers.guessing import ATTACKS
from tests.support.town import Asker, Imported, template_of

LEAST = {
    "Retrieve_POI_Address": (600, 100),
    "Retrieve_POI_Name": (80, 180),
    "Retrieve_AOI_Address": (10, 90),
    "Retrieve_AOI_Name": (10, 90),
    "Find_Cover_AOI_All": (120, 0),
    "Landuse_AOI": (15, 180),
    "Classify_POI": (500, 330),
    "Find_Instances_By_Type": (450, 300),
}
"""Questions that the maps of Helsinki and Liechtenstein give at least, whatever the seed."""


@pytest.fixture(scope="module")
def askers(helsinki: Imported, liechtenstein: Imported) -> Iterator[tuple[Asker, Asker]]:
    with helsinki.connect() as one, liechtenstein.connect() as other:
        yield Asker.on(one, helsinki.name), Asker.on(other, liechtenstein.name)


def accept_all(asker: Asker, template: str, seed: int) -> Acceptance:
    return accept_questions(asker.ground, template_of(template), Terms(seed), 10**6, set())


@pytest.mark.long
@pytest.mark.parametrize("template", LEAST)
def test_many_questions_and_no_attack_finds_their_keys(askers: tuple[Asker, Asker], template: str) -> None:
    """Over two seeds no attack is right more often than a quarter by four standard errors.

    One subject's questions of several seeds are not independent: the error counts subjects, not questions.
    """
    hits: Counter[str] = Counter()
    subjects: set[str] = set()
    asked = 0
    for seed in range(2):
        for asker, least in zip(askers, LEAST[template], strict=True):
            outcome = accept_all(asker, template, seed)
            assert len(outcome.accepted) + sum(outcome.refused.values()) == outcome.capacity
            assert "second_path_disagrees" not in outcome.refused
            assert len(outcome.accepted) >= least, outcome.refused
            asked += len(outcome.accepted)
            subjects.update(one.id for one in outcome.accepted)
            for one in outcome.accepted:
                for name, attack in ATTACKS.items():
                    guess = attack(one.options or ())
                    hits[name] += (seed if guess is None else guess) == one.gold["index"]
    error = math.sqrt(0.25 * 0.75 / len(subjects))
    for name, right in hits.items():
        assert right / asked < 0.25 + 4 * error, (name, right / asked, len(subjects))
