"""`direct`: puts the question to a chat endpoint in one call and takes what it says.

Prompt parts, then lettered options, then one instruction on the form of the answer.
"""

import re
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from app.core.errors import SettingsError
from app.inference.chat import Reply
from app.solvers.base import Answer, Asked, ChatCall, Mover, Prompt, RunView, letter, solver

NOT_KNOWING = "If you do not know, answer: I do not know"
INSTRUCTIONS = {
    "option": "Answer with the letter of the right option alone.",
    "name": "Answer with the name of one such place alone.",
    "location": "Answer with coordinates alone, such as: latitude 12.34567, longitude 76.54321; or with an address.",
    "azimuth": "Answer with the azimuth alone, in degrees clockwise from true north, such as: 123 degrees.",
    "count": "Answer with a whole number alone.",
    "distance": "Answer with a number of metres alone, such as: 1234 m.",
    "length": "Answer with a number of metres alone, such as: 12345 m.",
    "fact": "Answer with that fact alone: a name, a year, or a number.",
    "area": "Answer with a number of square metres alone, such as: 12345 m2.",
}
PUBLISHED = (
    "Give the answer and nothing else: no explanation, and nothing that was not asked for. Use metric units. Write"
    " numbers in words, rounded to the nearest ten."
)
"""What GS-QA's baselines are told. It makes counts under five nothing and turns azimuths by up to 5 degrees."""
_NOT_KNOWING = {
    "i do not know",
    "i dont know",
    "do not know",
    "dont know",
    "idk",
    "unknown",
    "i am not sure",
    "im not sure",
    "i cannot answer",
    "i cant answer",
}


def prompt_text(asked: Asked, prompt: Prompt = "trigpoint") -> str:
    """The whole prompt of one question: `published` with the rules of GS-QA's baselines, in our words."""
    parts = [asked.text()]
    if asked.options is not None:
        parts.append("\n".join(f"{letter(i)}) {option}" for i, option in enumerate(asked.options)))
    if prompt == "published":
        return "\n\n".join([*parts, PUBLISHED])
    instruction = INSTRUCTIONS["option" if asked.options is not None else asked.answer_type]
    parts.append(f"{instruction} {NOT_KNOWING}.")
    return "\n\n".join(parts)


def says_not_knowing(text: str) -> bool:
    """Whether a whole answer, or all after its last `Answer:`, says nothing but that it does not know."""
    last = re.split(r"(?i)\banswer\s*:", text)[-1]
    words = re.sub(r"[^\w\s]", "", last.replace("’", "").replace("'", "")).casefold().split()
    return not words or " ".join(words) in _NOT_KNOWING


def read_reply(reply: Reply) -> Answer:
    """The answer in a reply; empty ones and those that say they do not know are `no_answer`. Pure."""
    text = (reply.content or "").strip()
    detail: dict[str, Any] = {"finish_reason": reply.finish_reason}
    if not text:
        return Answer("no_answer", reply.content, detail | {"empty": True})
    if says_not_knowing(text):
        return Answer("no_answer", reply.content, detail)
    return Answer("answered", reply.content, detail)


def chat_call(run: RunView, asked: Asked, content: str) -> ChatCall:
    """One message to the run's model."""
    body = {"model": run.model, "messages": [{"role": "user", "content": content}], **run.sampling}
    # Repeats of one question must be able to differ, and be the same when they are made again.
    return ChatCall(body | {"seed": run.seed + asked.repeat})


@solver("direct", version=1, calls_endpoint=True)
def open_direct(connection: Connection, run: RunView) -> Mover:
    """Needs nothing but the run's model and sampling."""
    if run.model is None:
        raise SettingsError("the solver direct needs an endpoint")

    def move(asked: Asked, replies: Sequence[Reply]) -> ChatCall | Answer:
        if replies:
            return read_reply(replies[0])
        return chat_call(run, asked, prompt_text(asked, run.prompt))

    return move
