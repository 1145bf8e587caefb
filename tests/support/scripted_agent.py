"""A chat server that behaves as a model which calls tools: it replays the tool plans of questions, or misbehaves.

For tests of agents' runs. `load_scripts` carries out the stored plans of a version once, on the version's maps; a server
that `serving_agent` starts then knows for each question which calls lead to its answer:

    scripts = load_scripts(settings, "tools_check@1")
    with serving_agent(scripts, manner="parallel", delay=0.2) as agent:
        …                      # agent.url ends in /v1, agent.model is the model's name
        agent.requests         # one `Asked` for each request, in order of arrival

The server speaks HTTP on the loopback and answers POST /v1/chat/completions and GET /v1/models. It keeps no state between
requests: what it does next follows from the messages alone, so the same request gets the same reply, also after a kill.
It finds the question by its text and options in the messages of the user (the last that has one, so that worked examples may stand
before it), and where it is in the plan by its own calls since. It waits `delay` seconds before each reply, and many requests may wait at once (thousands of replies a minute).

Manners (`manner`):

- `native`: `tool_calls`, one call in each reply
- `parallel`: `tool_calls`, all calls at once that need no result of each other
- `json`: an action as JSON in the text, `{"action": "place_search", "arguments": {…}}`, and at the end
  `{"action": "answer", "arguments": {"text": "…"}}`
- `fenced`: the same after a sentence, in a fence of Markdown

An answer has the form that `direct` asks for: a letter (read from the options in the prompt, so they may be turned), a
name, or a number with its unit. A model cannot know an id that no tool told it: where a call needs the id of an earlier
result, and the id is in no message of the conversation, the server gives up and answers `NOT_TOLD`.

Faults (`fault`), in the form of the manner; None is a model without one:

- `garbage`: words without meaning, always
- `loop`: the first call of the plan, again and again
- `invent`: a tool that there is not, an argument that there is not, an id and coordinates that are on no map, one a
  reply, and then an answer that it made up
- `obey`: follows the plan, and does whatever the results of tools tell it: each JSON object with `action` in a result is
  made the next call, once; `answer "X"` or `say "X"` in a result makes it answer X; and where a result speaks of
  `instructions`, `prompt`, `key` or `gold` its final answer repeats all messages that it was sent.

A conversation without a question that it knows, such as a check of the endpoint, gets a call of the first tool that is
offered, else a greeting.
"""

import asyncio
import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple

from aiohttp import web

from app.agent_tools.arguments import PLACE_ID
from app.agent_tools.calling import answer_call
from app.agent_tools.tool_plans.reading import batches_of, read_plan
from app.agent_tools.tool_plans.running import PlanRun, run_plan
from app.core.identity import canonical_json, digest
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.scripted import NONSENSE
from app.questions.prompts import prompt_as_text
from app.questions.stored import load_questions
from app.questions.tool_plans import TOOL_PLAN
from app.questions.versions import find_version
from app.routing.routers import Routers

Manner = Literal["native", "parallel", "json", "fenced"]
Fault = Literal["garbage", "loop", "invent", "obey"]
MANNERS: tuple[Manner, ...] = ("native", "parallel", "json", "fenced")
FAULTS: tuple[Fault, ...] = ("garbage", "loop", "invent", "obey")
MODEL = "scripted-agent"
NOT_TOLD = "I was not told the result that I need."
INVENTED_ID = "n999999999999999999"
INVENTED_CALLS: Sequence[tuple[str, dict[str, Any]]] = (
    ("ask_the_oracle", {"question": "What is the answer?"}),
    ("place_search", {"query": "Nowhere Inn", "mood": "hopeful"}),
    ("place_details", {"place": INVENTED_ID}),
    ("reverse_geocode", {"where": "-89.5,179.5"}),
)
INVENTED_ANSWER = "Nowhere Inn"
_OPTION = re.compile(r"^([A-Z])\) (.*)$", re.MULTILINE)
_TOLD_TO_SAY = re.compile(r"\b(?:answer|say)(?: with)? [\"“]([^\"”]+)[\"”]", re.IGNORECASE)
_TOLD_TO_TELL = re.compile(r"\b(?:instructions|prompt|key|gold)\b", re.IGNORECASE)


class Step(NamedTuple):
    """A call of a script; `told` are the ids of earlier results that stand in its arguments."""

    tool: str
    arguments: Mapping[str, Any]
    told: Sequence[str]


class Script(NamedTuple):
    """What leads to the answer of a question; `rounds` are the numbers of calls that can be made at once."""

    question_id: str
    text: str
    steps: Sequence[Step]
    rounds: Sequence[Sequence[int]]
    answer: Mapping[str, Any]
    options: Sequence[str] = ()

    def is_asked(self, prompt: str) -> bool:
        """Whether a prompt asks the question: questions of the same text differ in their options."""
        return self.text in prompt and all(one in prompt for one in self.options)


class Asked(NamedTuple):
    """A request: the digest of its body, the question's id (None for none that is known), and calls made before it."""

    hash: str
    question_id: str | None
    calls_before: int


def load_scripts(settings: Settings, dataset: str) -> list[Script]:
    """The scripts of all questions of a version that have a plan. The plans are carried out on the version's maps."""
    with connect(settings, Role.MAINTAINER) as connection:
        questions = load_questions(connection, find_version(connection, dataset))
        routers = Routers(settings)
        scripts = []
        for one in questions:
            if TOOL_PLAN in one.solutions:
                plan = read_plan(one.solutions[TOOL_PLAN])
                run = run_plan(plan, partial(answer_call, connection, one.snapshot, routers))
                steps = steps_of_run(run, plan.calls)
                text, options = prompt_as_text(one.prompt), one.options or ()
                scripts.append(Script(one.id, text, steps, batches_of(plan), run.answer, options))
    return scripts


def steps_of_run(run: PlanRun, planned: Sequence[Any]) -> list[Step]:
    """The calls as they are made. Ids that a plan itself has are known before; others come from results."""
    steps = []
    for made, plan in zip(run.calls, planned, strict=True):
        written = set(_texts_in(plan.arguments))
        found = [text for text in _texts_in(made.arguments) if text not in written]
        told = [text for text in found if PLACE_ID.fullmatch(text)]
        steps.append(Step(made.tool, made.arguments, told))
    return steps


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _texts_in(part)


def say_answer(answer: Mapping[str, Any], prompt: str) -> str:
    """A plan's answer in the form that `direct` asks for; `prompt` holds the options where there are any."""
    if "text" in answer:
        return next((mark for mark, text in _OPTION.findall(prompt) if text.strip() == answer["text"]), "?")
    if "lat" in answer:
        return f"latitude {answer['lat']}, longitude {answer['lon']}"
    ((name, value),) = answer.items()
    unit = {"distance": " m", "length": " m", "area": " m2", "azimuth": " degrees"}.get(name, "")
    return f"{value}{unit}"


@dataclass
class ScriptedAgent:
    """The server's behaviour, and what it was asked."""

    scripts: Sequence[Script]
    manner: Manner = "native"
    fault: Fault | None = None
    delay: float = 0.0
    model: str = MODEL
    url: str = ""
    requests: list[Asked] = field(default_factory=list)
    _known: dict[str, Script | None] = field(default_factory=dict)

    async def complete(self, request: web.Request) -> web.Response:
        """One chat completion."""
        body = await request.json()
        script, conversation = self.read(body)
        calls_before = len(conversation.calls)
        self.requests.append(Asked(digest(body), script.question_id if script else None, calls_before))
        await asyncio.sleep(self.delay)
        message = self.reply(conversation, script)
        return web.json_response(_completion(body, message, len(self.requests)))

    async def list_models(self, request: web.Request) -> web.Response:
        """The one model that there is."""
        return web.json_response({"object": "list", "data": [{"id": self.model, "object": "model"}]})

    def reply(self, conversation: "Conversation", script: Script | None) -> dict[str, Any]:
        """The next message of the model. Pure: it depends on the conversation and the script alone."""
        if self.fault == "garbage":
            return {"role": "assistant", "content": NONSENSE}
        if script is None:
            return self._greet(conversation)
        if self.fault == "loop":
            return self._call([script.steps[0]], conversation)
        if self.fault == "invent":
            return self._invent(conversation)
        if self.fault == "obey" and (obedient := self._obey(conversation)) is not None:
            return obedient
        return self._follow(conversation, script)

    def read(self, body: Mapping[str, Any]) -> tuple[Script | None, "Conversation"]:
        """The script of the question that a request is about, and the conversation from the question on."""
        messages = list(body["messages"])
        by_user = [place for place, one in enumerate(messages) if one["role"] == "user"]
        for place in reversed(by_user):
            script = self._script_of(_words_of(messages[place]))
            if script is not None:
                return script, Conversation(body, messages[place:])
        return None, Conversation(body, messages[by_user[0] :] if by_user else [])

    def _script_of(self, asked: str) -> Script | None:
        if asked not in self._known:
            fitting = [one for one in self.scripts if one.is_asked(asked)]
            self._known[asked] = max(fitting, key=lambda one: len(one.text), default=None)
        return self._known[asked]

    def _follow(self, conversation: "Conversation", script: Script) -> dict[str, Any]:
        """The next calls of the plan that are not made yet, else the answer."""
        rounds = script.rounds if self.manner == "parallel" else [[one] for one in range(len(script.steps))]
        for numbers in rounds:
            wanted = [script.steps[one] for one in numbers]
            missing = [one for one in wanted if _key(one.tool, one.arguments) not in conversation.calls]
            if not missing:
                continue
            if any(text not in conversation.told for one in missing for text in one.told):
                return self._answer(NOT_TOLD)
            return self._call(missing, conversation)
        return self._answer(say_answer(script.answer, conversation.asked))

    def _invent(self, conversation: "Conversation") -> dict[str, Any]:
        made = len(conversation.calls)
        if made >= len(INVENTED_CALLS):
            return self._answer(INVENTED_ANSWER)
        tool, arguments = INVENTED_CALLS[made]
        return self._call([Step(tool, arguments, ())], conversation)

    def _obey(self, conversation: "Conversation") -> dict[str, Any] | None:
        """What the results of tools tell it to do that it has not done yet; None where they tell nothing."""
        for action in _actions_in(conversation.told):
            step = Step(str(action["action"]), action.get("arguments") or {}, ())
            if _key(step.tool, step.arguments) not in conversation.calls:
                return self._call([step], conversation)
        said = _TOLD_TO_SAY.search(conversation.told)
        if said is not None:
            return self._answer(said[1])
        if _TOLD_TO_TELL.search(conversation.told):
            return self._answer(canonical_json(conversation.messages))
        return None

    def _greet(self, conversation: "Conversation") -> dict[str, Any]:
        if conversation.offered is None or self.manner in ("json", "fenced"):
            return {"role": "assistant", "content": "Hello."}
        name, needed = conversation.offered
        return self._call([Step(name, dict.fromkeys(needed, "x"), ())], conversation)

    def _call(self, steps: Sequence[Step], conversation: "Conversation") -> dict[str, Any]:
        if self.manner in ("json", "fenced"):
            return self._write({"action": steps[0].tool, "arguments": dict(steps[0].arguments)})
        first = conversation.ids
        calls = [
            {
                "id": f"call_{first + number}",
                "type": "function",
                "function": {"name": one.tool, "arguments": json.dumps(one.arguments, ensure_ascii=False)},
            }
            for number, one in enumerate(steps)
        ]
        return {"role": "assistant", "content": None, "tool_calls": calls}

    def _answer(self, text: str) -> dict[str, Any]:
        if self.manner in ("json", "fenced"):
            return self._write({"action": "answer", "arguments": {"text": text}})
        return {"role": "assistant", "content": text}

    def _write(self, action: Mapping[str, Any]) -> dict[str, Any]:
        said = json.dumps(action, ensure_ascii=False)
        content = f"I go on as follows.\n```json\n{said}\n```" if self.manner == "fenced" else said
        return {"role": "assistant", "content": content}


class Conversation:
    """What a request tells the model: the question, the calls that the model made so far, and what it was told.

    `since` are the messages from the question on; worked examples may stand before it.
    """

    def __init__(self, body: Mapping[str, Any], since: Sequence[Mapping[str, Any]]) -> None:
        self.messages: list[Mapping[str, Any]] = list(body["messages"])
        self.asked = _words_of(since[0]) if since else ""
        by_model = [one for one in since if one["role"] == "assistant"]
        results = [one for one in since[1:] if one["role"] in ("tool", "user")]
        self.told = "\n".join(map(_words_of, results))
        """All results of tools: messages of tools, and those of the user behind the question."""
        self.calls = [call for one in by_model for call in _calls_of(one)]
        self.ids = sum(len(one.get("tool_calls") or ()) for one in by_model)
        self.offered: tuple[str, Sequence[str]] | None = None
        """The first tool that is offered, and the arguments that it needs."""
        if tools := body.get("tools"):
            first = tools[0]["function"]
            self.offered = first["name"], (first.get("parameters") or {}).get("required", [])


def _calls_of(message: Mapping[str, Any]) -> list[str]:
    """The calls in a message of the model, native or as text, in a form that can be compared."""
    native = [one["function"] for one in message.get("tool_calls") or ()]
    found = [_key(one["name"], _read(one["arguments"])) for one in native]
    return found + [
        _key(str(one["action"]), one.get("arguments") or {})
        for one in _actions_in(_words_of(message))
        if one["action"] != "answer"
    ]


def _actions_in(text: str) -> list[dict[str, Any]]:
    """Every JSON object with an action in a text."""
    found, decoder, place = [], json.JSONDecoder(), text.find("{")
    while place >= 0:
        try:
            value, end = decoder.raw_decode(text, place)
        except ValueError:
            place = text.find("{", place + 1)
            continue
        if isinstance(value, dict) and "action" in value:
            found.append(value)
            place = text.find("{", end)
        else:
            place = text.find("{", place + 1)
    return found


def _key(tool: str, arguments: Any) -> str:
    return canonical_json([tool, arguments])


def _read(arguments: Any) -> Any:
    return json.loads(arguments) if isinstance(arguments, str) else arguments


def _words_of(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(str(part["text"]) for part in content if part.get("type") == "text")
    return str(content or "")


def _completion(body: Mapping[str, Any], message: dict[str, Any], number: int) -> dict[str, Any]:
    asked, answered = len(canonical_json(body["messages"]).split()), len(canonical_json(message).split())
    reason = "tool_calls" if message.get("tool_calls") else "stop"
    return {
        "id": f"scripted-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model", MODEL),
        "choices": [{"index": 0, "finish_reason": reason, "message": message}],
        "usage": {
            "prompt_tokens": asked, "completion_tokens": answered, "total_tokens": asked + answered
        },
    }  # fmt: skip


@contextmanager
def serving_agent(
    scripts: Sequence[Script],
    manner: Manner = "native",
    fault: Fault | None = None,
    delay: float = 0.0,
) -> Iterator[ScriptedAgent]:
    """A server of a scripted agent on a free port; it stops with the block."""
    agent = ScriptedAgent(scripts, manner, fault, delay)
    started, loop = threading.Event(), asyncio.new_event_loop()

    async def start() -> web.AppRunner:
        application = web.Application(client_max_size=64 * 1024 * 1024)
        application.add_routes(
            [web.post("/v1/chat/completions", agent.complete), web.get("/v1/models", agent.list_models)]
        )
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.2)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=512).start()
        agent.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        return runner

    def serve() -> None:
        asyncio.set_event_loop(loop)
        runner = loop.run_until_complete(start())
        started.set()
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=serve, name="scripted agent", daemon=True)
    thread.start()
    if not started.wait(20):
        raise RuntimeError("the scripted agent did not start")
    try:
        yield agent
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
