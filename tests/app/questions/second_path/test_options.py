from typing import Any

import pytest

from app.core.errors import ProofError
from app.questions.second_path import OptionVerdict
from tests.support.second_path import answer, wrong_options


def judge(
    town: Any,
    template: str,
    parameters: dict[str, Any],
    options: list[str],
    key_index: int = 0,
    version: int | None = None,
) -> list[OptionVerdict]:
    layers = town.layers()
    second = answer(layers, template, parameters, version)
    return wrong_options(layers, template, parameters, second, options, key_index, version)


def wrong(verdicts: list[OptionVerdict]) -> list[bool]:
    return [verdict.wrong for verdict in verdicts]


def test_coordinates_are_wrong_when_far(town: Any) -> None:
    lon, lat = town.at(99, 0)
    near = f"({lon:.5f}, {lat:.5f})"
    options = ["(9.49000, 47.09000)", "(9.50000, 47.10000)", near, "(9.51000, 47.11000)"]
    verdicts = judge(town, "Retrieve_Coordinates", {"poi": "n1"}, options, 1)
    assert [verdict.index for verdict in verdicts] == [0, 2, 3]
    assert wrong(verdicts) == [True, False, True]
    assert verdicts[1].text == near
    assert verdicts[1].why.startswith(("98.", "99."))
    lon, lat = town.at(101, 0)
    options[2] = f"({lon:.5f}, {lat:.5f})"
    assert wrong(judge(town, "Retrieve_Coordinates", {"poi": "n1"}, options, 1)) == [True, True, True]


@pytest.mark.parametrize("text", ["9.49000, 47.09000", "(9.49, 47.09)", "(190.00000, 47.09000)", "Adler", ""])
def test_what_is_no_place_is_not_proved_wrong(town: Any, text: str) -> None:
    (verdict,) = judge(town, "Retrieve_Coordinates", {"poi": "n1"}, ["(9.50000, 47.10000)", text])
    assert not verdict.wrong
    assert "not a place" in verdict.why


@pytest.fixture
def street(town: Any) -> Any:
    """Adler is nearest, at 100 m; one Krone is 109 m away, another 900; the rest is far."""
    town.poi("n2", 100, 0, "Adler")
    town.poi("n3", 109, 0, "Krone")
    town.poi("n4", 900, 45, "KRONE")
    town.poi("n5", 900, 135, "Linde", repaired=True)
    town.poi("n6", 110.1, 225, "Rose")
    return town


def test_names_are_wrong_when_every_bearer_is_behind_the_margin(street: Any) -> None:
    options = ["Adler", "krone", "Linde", "Rose"]
    assert wrong(judge(street, "Find_Nearest_POI", {"poi": "n1"}, options)) == [False, True, True]
    verdicts = judge(street, "Find_Nearest_POI", {"poi": "n1"}, options, version=2)
    assert wrong(verdicts) == [False, True, True], "as questions of earlier versions are judged"
    assert "n3" in verdicts[0].why
    assert "109.000 m" in verdicts[0].why


def test_names_that_prove_nothing(street: Any) -> None:
    options = ["Adler", "Ochsen", "museum", "Rose"]
    verdicts = judge(street, "Find_Nearest_POI", {"poi": "n1"}, options)
    assert wrong(verdicts) == [False, False, True]
    assert verdicts[0].why == "no POI bears this name"
    assert verdicts[1].why == "the subject's own name"


def test_options_equal_in_normal_form_are_not_wrong(street: Any) -> None:
    options = ["Adler", "ADLER ", "Rose", " rose"]
    verdicts = judge(street, "Find_Nearest_POI", {"poi": "n1"}, options)
    assert wrong(verdicts) == [False, False, False]
    assert "the same as option 0" in verdicts[0].why
    assert "the same as option 3" in verdicts[1].why
    assert "the same as option 2" in verdicts[2].why
    places = ["(9.50000, 47.10000)", "(0.00000, 47.00000)", "(-0.00000, 47.00000)"]
    assert wrong(judge(street, "Retrieve_Coordinates", {"poi": "n1"}, places)) == [False, False]


def test_areas_are_wrong_when_none_of_the_name_covers(town: Any) -> None:
    town.aoi("w1", town.square(100), "Hof")
    town.aoi("w2", town.square(2000), "Altstadt")
    town.aoi("w3", town.square(100, 900, 0), "Altstadt")
    town.aoi("w4", town.square(100, 900, 90), "Nebenan")
    options = ["Hof", "ALTSTADT", "Nebenan", "Nirgends"]
    verdicts = judge(town, "Find_Cover_AOI", {"poi": "n1"}, options)
    assert wrong(verdicts) == [False, True, False]
    assert "w2" in verdicts[0].why
    assert "no area bears this name" in verdicts[2].why
    town.aoi("w5", town.square(100, 50.5, 90), "nebenan")
    verdicts = judge(town, "Find_Cover_AOI", {"poi": "n1"}, options)
    assert not verdicts[1].wrong
    assert "w5" in verdicts[1].why


def test_areas_are_wrong_when_clearly_smaller_or_larger(town: Any) -> None:
    for number, side in enumerate([100, 96, 50, 10], start=1):
        town.aoi(f"w{number}", town.square(side), f"Feld {number}")
    town.aoi("w5", town.square(20), "Feld 5")
    town.aoi("w6", town.square(20), "Feld 6")
    town.aoi("w7", town.square(20), "FELD 6")
    parameters = {"aois": ["w1", "w2", "w3", "w4"], "rank": "largest"}
    verdicts = judge(town, "Compare_Area_Size", parameters, ["Feld 1", "Feld 2", "Feld 3", "Feld 4"])
    assert wrong(verdicts) == [False, True, True]
    assert "0.92" in verdicts[0].why
    verdicts = judge(town, "Compare_Area_Size", parameters, ["Feld 1", "Feld 5", "Feld 6", "Feld 4"])
    assert wrong(verdicts) == [False, False, True]
    other = judge(
        town, "Compare_Area_Size", {**parameters, "rank": "third"}, [f"Feld {n}" for n in (1, 2, 3, 4)]
    )
    assert wrong(other) == [True, False, True], "the second option is the key itself, taken for wrong"
    assert "none of the four" in verdicts[0].why
    assert "2 areas bear this name" in verdicts[1].why


def test_a_question_without_answer_proves_nothing(town: Any) -> None:
    verdicts = judge(town, "Find_Nearest_POI", {"poi": "n9"}, ["a", "b", "c", "d"])
    assert wrong(verdicts) == [False] * 3
    assert "unknown_object" in verdicts[0].why


def test_faults_of_the_caller(town: Any) -> None:
    with pytest.raises(ProofError, match="T5 of gsqa has no rule"):
        judge(town, "T5", {"anchor": "n1", "category": "cafe"}, ["a", "b"])
    with pytest.raises(ProofError, match="option 4 of 2"):
        judge(town, "Retrieve_Coordinates", {"poi": "n1"}, ["a", "b"], 4)
