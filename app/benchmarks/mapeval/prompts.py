"""The prompts of MapEval's three tasks, in our words: numbered options, and the form in which the number is given.

Option 0 is shown with every question. (The published prompts of the task with tools show it with unanswerable questions
alone, which gives them away.)
"""

from app.questions.gold import NO_ANSWER
from app.solvers.base import QuestionView
from app.solvers.benchmark_prompts import PROMPTS

TEXTUAL = (
    "Answer from the context alone. Give one JSON object with the number of the right option and a short explanation, "
    'such as: {"option_no": 3, "explanation": "…"}. The number 0 stands for a question that the context does not '
    "answer."
)
API = (
    "Find out what you need with the tools that you have. End with the number of the right option between two pairs of "
    "carets, such as: ^^3^^. The number 0 stands for a question that cannot be answered."
)
VISUAL = (
    "Choose the right option from what the picture shows. Give its number, quote what is visible in the picture, and "
    "explain the choice. The number 0 stands for a question that the picture does not answer."
)


def mapeval_prompt(asked: QuestionView) -> str:
    """The text that asks a question: with a picture, with a context, or with neither, for whoever has tools."""
    kinds = {part["type"] for part in asked.prompt}
    form = VISUAL if "image" in kinds else TEXTUAL if "context" in kinds else API
    options = [one for one in asked.options or () if one != NO_ANSWER]
    listed = [f"Option{number}: {one}" for number, one in enumerate(["Unanswerable", *options])]
    return "\n\n".join([asked.text(), form, "\n".join(listed)])


PROMPTS.add("mapeval", "published", mapeval_prompt)
