"""A wrong number that no words announce is found by what follows from it."""

from app.benchmarks.urban_reasoning.steps.checking import check_response
from app.scores.reasoning import Step

DISTANCE = "- Mill: (47.10000, 9.50000)\n- Tower: (47.12000, 9.53000)"
HOW_FAR = "How far is it in a straight line from Mill to Tower?"
TOUR = (
    "Leg 1: From Inn to Port: 30.00 degrees (NNE), 3.00 km\n"
    "Leg 2: From Port to Mill: 100.00 degrees (E), 4.00 km\n"
    "Leg 3: From Mill to Park: 200.00 degrees (SSW), 1.00 km"
)


def broken(task: str, context: str, question: str, response: str) -> Step | None:
    """The first broken step."""
    return check_response(task, context, question, response).first_broken


def test_the_origin_is_named_and_not_what_follows_from_it() -> None:
    """sin²(Δφ/2) is ten times too large; no word stands beside it, and all behind it is computed from it."""
    text = (
        "One gets 3.0462e-7 first, 6.8539e-8 then, cosines 0.680721 and 0.680465; "
        "so a = 3.3637e-7, c = 0.0011599, d = 7.390 km"
    )
    found = broken("DS", DISTANCE, HOW_FAR, text)
    assert found is not None
    assert text[found.position or 0 :].startswith("3.0462e-7")
    assert found.quantity == "sin2_half_dlat"


def test_rounded_numbers_leave_no_trail() -> None:
    """Differences in radians of few digits, and all that follows from them as they are printed."""
    text = "Δφ = 0.00035 rad, Δλ = 0.00052 rad; a = 3.06e-8 + 0.6807 * 0.6805 * 6.76e-8 = 6.19e-8; c = 0.000498; d = 3.17 km"
    assert broken("DS", DISTANCE, HOW_FAR, text) is None


def test_exchanged_components_are_found_in_metres() -> None:
    """Sine and cosine are exchanged in the second leg; lengths are in metres with signs between thousands."""
    text = (
        "Leg 1 moves us by (1,500, 2,598) m, leg 2 by (-695, 3,939) m and leg 3 by (-342, -940) m.\n"
        "So Port is at (1,500, 2,598) m, Mill at (805, 6,537) m, Park at (463, 5,597) m.\n"
        "From Inn to Mill it is 6,586 m, from Inn to Park 5,616 m."
    )
    found = broken("PN", TOUR, "Which order is the shortest?", text)
    assert found is not None
    assert text[found.position or 0 :].startswith("-695")
    assert found.quantity == "dx2"
