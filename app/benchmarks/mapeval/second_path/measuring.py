"""Second path of Straight_Line_Distance. Metres."""

import re
from typing import Any

from app.questions.second_path.answering import Parameters, SecondAnswer, first_refusal, second_path
from app.questions.second_path.layers import Layers
from app.questions.second_path.told_places import metres_between, told_place
from app.questions.second_path.verdicts import Verdict, wrong_rule

SHORTEST = 500.0
CLEARLY_OTHER = 0.1
"""What share of the right distance a wrong one differs by at least."""
SAME_SHARE = 0.06
"""What share of it the distance may change by and still be nearest to the same option."""
_KILOMETRES = re.compile(r"(\d+\.\d\d) km")


@second_path("mapeval", "Straight_Line_Distance")
def straight_line_distance(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How far two places are apart."""
    origin, *_ = told_place(layers, parameters, "origin")
    destination, *_ = told_place(layers, parameters, "destination")
    metres, _ = metres_between(layers, origin, destination)
    tens = metres / 10
    refusal = first_refusal(
        (metres < SHORTEST, "too_close"), (abs(tens - int(tens) - 0.5) < 1e-4, "near_rounding")
    )
    facts: dict[str, Any] = {
        "sure": {layers["poi"].keys[one]: SAME_SHARE * metres / 2 for one in (origin, destination)}
    }
    return SecondAnswer({"text": f"{int(tens + 0.5) / 100:.2f} km", "distance": metres}, refusal, facts)


@wrong_rule("mapeval", "Straight_Line_Distance")
def is_another_distance(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is a distance that clearly differs from the right one."""
    read = _KILOMETRES.fullmatch(text)
    if read is None:
        return False, "no distance in kilometres with two decimals"
    metres, right = 1000 * float(read[1]), answer.value["distance"]
    return abs(metres - right) >= CLEARLY_OTHER * right, f"{metres:.0f} m, the right distance {right:.0f} m"
