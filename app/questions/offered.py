"""The options that a question offers: its key among wrong ones, and perhaps that it cannot be answered.

That option stands last in every question of such a benchmark, whether or not it is right. (MapEval's Option 0 is it;
the published prompts show it with unanswerable questions alone, so that it gives them away.)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.core.names import bare_form
from app.questions.alike import scripts_of
from app.questions.distractors import order_of_options
from app.questions.gold import NO_ANSWER
from app.questions.strategies import Distractor

LONGEST_OPTION = 200
"""Letters of an option; a name that is longer stands out among others, whether it is right or wrong."""


@dataclass(frozen=True)
class Offered:
    """Options in the order in which they are shown, the place of the right one, and what is known of the others."""

    options: Sequence[str]
    index: int
    distractors: Sequence[Distractor]


def offer(
    gold: Mapping[str, Any],
    wrong: Sequence[Distractor],
    seed: int,
    question_id: str,
    *,
    offers_no_answer: bool,
) -> Offered | str:
    """The options of a question, or the reason why it cannot have these. `gold` holds the text of the right one."""
    key = gold["text"]
    # A question that has its options already brings the one that there is no answer along.
    wrong = [one for one in wrong if one["text"] != NO_ANSWER]
    drawn = [one["text"] for one in wrong]
    texts = drawn if key == NO_ANSWER else [key, *drawn]
    if len({bare_form(text) for text in texts}) < len(texts):
        return "options_alike"
    if len({scripts_of(text) for text in texts}) > 1 or max(map(len, texts)) > LONGEST_OPTION:
        return "options_unlike"
    known = {one["text"]: one for one in wrong}
    options = [texts[place] for place in order_of_options(texts, seed, question_id)]
    if offers_no_answer or key == NO_ANSWER:
        options.append(NO_ANSWER)
        known[NO_ANSWER] = {"text": NO_ANSWER}
    index = options.index(key)
    return Offered(options, index, [known[text] for text in options if text != key])
