"""How the Reasoning Module asks: every reply has the reasoning and the answer, each in a section of its own."""

from app.solvers.base import QuestionView
from app.solvers.benchmark_prompts import PROMPTS

EXAMPLES = {
    "Distance": "2.34 km",
    "Direction": "Bearing: 123.45 degrees, Cardinal direction: SE",
    "Relation_Of_Roads": "Parallel",
    "Relation_Of_Road_And_Area": "Touch",
    "Relation_Of_Areas": "Separate",
    "Shortest_Way": "Start on Mill Lane, turn left into High Street, then right into Park Road to the goal",
    "Visiting_Order": "A->B->C->D->E",
    "Destination": "Mill Lane Bakery",
    "Recommendation_Near": "Mill Lane Bakery",
    "Recommendation_On_Walk": "Mill Lane Bakery",
}
"""An answer in the form that each template wants (UrbanGeoEval, section 4 and Figures 33 to 42).

Candidates are answered by their names: they are printed without letters.
"""


def reasoning_prompt(asked: QuestionView) -> str:
    """The text of a question, and the two sections of the reply."""
    form = (
        "Reply in two sections: <reason>your steps, with numbers</reason>, then <answer>the answer alone</answer>, "
        f"such as <answer>{EXAMPLES[asked.template]}</answer>."
    )
    return f"{asked.text()}\n\n{form}"


for _prompt in ("trigpoint", "published"):
    PROMPTS.add("urban_reasoning", _prompt, reasoning_prompt)
