"""The published prompts: numbered options with option 0, and the form of each task; our scorer reads all of them."""

import pytest

from app.questions.gold import NO_ANSWER
from app.questions.prompts import ContextPart, ImagePart, TextPart
from app.scores.reading.numbered_options import NO_OPTION, read_numbered_option
from app.solvers.base import QuestionView
from app.solvers.direct import PUBLISHED, prompt_text

ASKED = TextPart("Which way is north?").as_json()
CONTEXT = ContextPart("Context", "North is up.").as_json()
PICTURE = ImagePart("0" * 64, "image/png", "a map").as_json()


def asked(*parts: object, options: tuple[str, ...] = ("Up", "Down")) -> QuestionView:
    return QuestionView("a", "textual_poi", list(parts), list(options), "option")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "form"),
    [
        (asked(CONTEXT, ASKED), '{"option_no": 3, "explanation": "…"}'),
        (asked(ASKED), "^^3^^"),
        (asked(PICTURE, ASKED), "what the picture shows"),
    ],
)
def test_each_task_has_its_form_and_option_0(question: QuestionView, form: str) -> None:
    text = prompt_text(question, "published", "mapeval")
    assert form in text
    assert text.endswith("Option0: Unanswerable\nOption1: Up\nOption2: Down")


def test_an_option_that_says_so_is_option_0_and_not_numbered() -> None:
    options = ("Up", NO_ANSWER, "Down")
    text = prompt_text(asked(ASKED, options=options), "published", "mapeval")
    assert text.endswith("Option0: Unanswerable\nOption1: Up\nOption2: Down")
    for reply, place in (('{"option_no": 0}', 1), ("^^2^^", 2), ("1", 0), ("Down", 2), ("^^3^^", None)):
        assert read_numbered_option(reply, options).value == place
    assert read_numbered_option("^^0^^", ("Up", "Down")).value == NO_OPTION


def test_other_benchmarks_keep_their_prompts() -> None:
    assert prompt_text(asked(ASKED), "published", "gsqa").endswith(PUBLISHED)
    assert "letter of the right option" in prompt_text(asked(ASKED), "trigpoint", "mapeval")
