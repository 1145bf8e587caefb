"""`direct`: puts the question to a chat endpoint in one call and takes what it says.

Prompt parts, then lettered options, then one instruction on the form of the answer.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from app.core.errors import SettingsError
from app.inference.bodies import BODY, shaped
from app.inference.outcomes import Reply
from app.inference.probing import Guide, guide_body, guided_text
from app.questions.prompts import chat_content
from app.solvers.base import Answer, NextStep, Prompt, QuestionView, RunView, letter, solver
from app.solvers.benchmark_prompts import find_prompt
from app.solvers.calls import CHAT, Call, CallResult
from app.solvers.not_knowing import said_beside_thinking, says_not_knowing

GUIDED = "guided"
"""The name among a run's sampling of the form of guided choice; endpoints are sent the form, not the name."""
NOT_KNOWING = "If you do not know, answer: I do not know"
INSTRUCTIONS = {
    "option": "Answer with the letter of the right option alone.",
    "name": "Answer with the name of one such place alone.",
    "names": "Answer with all of them, parted by semicolons, such as: A; B. If there are none, answer: none",
    "location": "Answer with coordinates alone, such as: latitude 12.34567, longitude 76.54321; or with an address.",
    "azimuth": "Answer with the azimuth alone, in degrees clockwise from true north, such as: 123 degrees.",
    "count": "Answer with a whole number alone.",
    "distance": "Answer with a number of metres alone, such as: 1234 m.",
    "length": "Answer with a number of metres alone, such as: 12345 m.",
    "fact": "Answer with that fact alone: a name, a year, or a number.",
    "order": "Answer with all names in their order, such as: A->B->C.",
    "relation": "Answer with one of the terms alone.",
    "route": "Answer with the names along the way in their order, each with the turn that leads to it.",
    "destinations": "Answer with a JSON list of three to ten of them, the best first, and nothing else, such as: "
    '[{"station_name": "NAME", "station_location": [LONGITUDE, LATITUDE], "station_distance": "3.525 km"}].',
    "area": "Answer with a number of square metres alone, such as: 12345 m2.",
}
PUBLISHED = (
    "Give the answer and nothing else: no explanation, and nothing that was not asked for. Use metric units. Write"
    " numbers in words, rounded to the nearest ten."
)
"""What GS-QA's baselines are told. It makes counts under five nothing and turns azimuths by up to 5 degrees."""


def prompt_text(asked: QuestionView, prompt: Prompt = "trigpoint", benchmark: str = "") -> str:
    """The whole prompt of one question: the benchmark's own of that name, else ours or by the rules of GS-QA's."""
    own = find_prompt(benchmark, prompt)
    if own is not None:
        return own(asked)
    parts = [asked.text()]
    if asked.options is not None:
        parts.append("\n".join(f"{letter(i)}) {option}" for i, option in enumerate(asked.options)))
    if prompt == "published":
        return "\n\n".join([*parts, PUBLISHED])
    instruction = INSTRUCTIONS["option" if asked.options is not None else asked.answer_type]
    parts.append(f"{instruction} {NOT_KNOWING}.")
    return "\n\n".join(parts)


def read_reply(reply: Reply, guide: Guide | None = None) -> Answer:
    """The answer in a reply; empty ones and those that say they do not know are `no_answer`. Pure.

    One that ended because the token budget did is flagged `truncated`.
    """
    cut_off = reply.finish_reason == "length"
    content = reply.content if guide is None else guided_text(guide, reply.content or "")
    text = (content or "").strip()
    detail: dict[str, Any] = {"finish_reason": reply.finish_reason} | ({"truncated": True} if cut_off else {})
    if not said_beside_thinking(text, cut_off=cut_off):
        thought = {"thoughts_alone": True} if reply.reasoning else {}
        return Answer("no_answer", content, detail | {"empty": True} | thought)
    if says_not_knowing(text):
        return Answer("no_answer", content, detail)
    return Answer("answered", content, detail)


def guide_of(run: RunView, asked: QuestionView) -> Guide | None:
    """The form in which the answer to a question is asked for as a choice; None for a free answer."""
    return run.sampling.get(GUIDED) if asked.options is not None else None


def chat_call(run: RunView, asked: QuestionView, content: str, *, free: bool = False) -> Call:
    """One message to the run's model: `content`, and the images of the question.

    Where the run is guided and the call not `free`, letters are all that the model may say.
    """
    messages = [{"role": "user", "content": chat_content(asked.prompt, content, run.image_detail)}]
    guide = None if free else guide_of(run, asked)
    letters = [letter(place) for place in range(len(asked.options or ()))]
    return Call(CHAT, request_body(run, asked, messages, {} if guide is None else guide_body(guide, letters)))


def request_body(
    run: RunView, asked: QuestionView, messages: Sequence[Mapping[str, Any]], more: Mapping[str, Any]
) -> dict[str, Any]:
    """A request to the run's model about a question: messages, `more` fields, the run's sampling and body."""
    sampling = {name: value for name, value in run.sampling.items() if name not in (GUIDED, BODY)}
    body = {"model": run.model, "messages": list(messages), **sampling, **more}
    # Repeats of one question must be able to differ, and be the same when they are made again.
    return shaped(body | {"seed": run.seed + asked.repeat}, run.sampling.get(BODY))


@solver("direct", version=1, calls=(CHAT,))
def open_direct(connection: Connection, run: RunView) -> NextStep:
    """Needs nothing but the run's model and sampling."""
    if run.model is None:
        raise SettingsError("the solver direct needs an endpoint")

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Call | Answer:
        if results:
            return read_reply(results[0].expect(Reply), guide_of(run, question))
        return chat_call(run, question, prompt_text(question, run.prompt, run.benchmark))

    return next_step
