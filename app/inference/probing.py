"""A look at an endpoint, closer than before a run: which engine it is, how fast, and which forms of answer it keeps to.

Forms are not believed but tried: each is asked for in a call whose free answer would be another.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from app.core.errors import EndpointRefused, EndpointUnavailable
from app.inference.abilities import ABILITIES, JSON, PICTURES, Finding, Found, read_context
from app.inference.chat import ChatClient, Endpoint
from app.inference.checking import check_model, failed_check
from app.inference.completions import parse_json
from app.inference.needs import ask_for, find_needs
from app.inference.outcomes import Failure, Reply
from app.inference.sight_trials import try_sight
from app.inference.tool_trials import try_json, try_tools
from app.inference.trials import Trials, Unanswered

Guide = Literal["structured_outputs", "guided_choice", "json_schema"]
GUIDES: tuple[Guide, ...] = ("structured_outputs", "guided_choice", "json_schema")
"""In the order in which a run takes them: vLLM's field of today, its former one, OpenAI's."""
FIELD = "answer"
_UNLIKELY = ("kumquat-7", "tamarind-4")


def guide_body(guide: Guide, choices: Sequence[str]) -> dict[str, Any]:
    """What a request says so that its answer is one of `choices` and nothing else."""
    if guide == "structured_outputs":
        return {"structured_outputs": {"choice": list(choices)}}
    if guide == "guided_choice":
        return {"guided_choice": list(choices)}
    schema = {
        "type": "object",
        "properties": {FIELD: {"type": "string", "enum": list(choices)}},
        "required": [FIELD],
        "additionalProperties": False,
    }
    return {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": FIELD, "strict": True, "schema": schema},
        }
    }


def guided_text(guide: Guide, content: str) -> str:
    """The choice in a guided answer; the answer itself where it is not of the form that was asked for. Pure."""
    if guide != "json_schema":
        return content
    try:
        said = parse_json(content)
    except ValueError:
        return content
    choice = said.get(FIELD) if isinstance(said, dict) else None
    return choice if isinstance(choice, str) else content


@dataclass(frozen=True)
class Health:
    """What a look at an endpoint found. `guides` are the forms of guided choice it keeps to; `said` is for people.

    `needs` says in sentences in what it differs from what runs send; `body` is what makes their calls fit. `abilities`
    are what it can do beside answering in text, and `remarks` say of some in a sentence why not. `context` is the
    tokens that a call and its answer may have, where the server tells.
    """

    state: Literal["ok", "failed"]
    said: str
    engine: str | None = None
    latency_ms: int | None = None
    guides: tuple[Guide, ...] = ()
    needs: tuple[str, ...] = ()
    body: dict[str, Any] | None = None
    abilities: Mapping[str, Found] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    context: int | None = None

    def as_json(self) -> dict[str, Any]:
        """As it is stored."""
        lists = {"guides": list(self.guides), "needs": list(self.needs), "remarks": list(self.remarks)}
        return asdict(self) | lists


def chosen_guide(health: Mapping[str, Any] | None) -> Guide | None:
    """The form of guided choice that a stored look found; None where it found none, or there was no look."""
    found = (health or {}).get("guides", ())
    return next((guide for guide in GUIDES if guide in found), None)


def examine_endpoint(endpoint: Endpoint, timeout_seconds: float) -> Health:
    """Look at an endpoint; what is wrong with it is a value, too."""
    return asyncio.run(_examine(endpoint, timeout_seconds))


async def _examine(endpoint: Endpoint, timeout_seconds: float) -> Health:
    client = ChatClient(timeout_seconds)
    try:
        await check_model(client, endpoint.url, endpoint.model, endpoint.key)
        found = await find_needs(client, endpoint)
        if isinstance(found, Failure):
            raise failed_check(endpoint.url, found)
        reply = found.reply
        fitting = replace(endpoint, body={**(endpoint.body or {}), **found.body})
        engine = await client.engine(endpoint) or reply.engine
        guides = tuple([guide for guide in GUIDES if await _keeps_to(client, fitting, guide)])
        suggested = dict(fitting.body or {}) if found.body else None
        needs = (*found.sentences, *_manners(reply))
        found_able = await _find_abilities(Trials(client, fitting))
        return Health(
            "ok",
            "it answers",
            engine,
            reply.latency_ms,
            guides,
            needs,
            suggested,
            {name: finding.found for name, finding in found_able.items()},
            tuple(finding.remark for finding in found_able.values() if finding.remark),
            read_context(await client.listed_model(endpoint)),
        )
    except (EndpointRefused, EndpointUnavailable) as error:
        return Health("failed", str(error))
    finally:
        await client.close()


async def _find_abilities(trials: Trials) -> dict[str, Finding]:
    """What the endpoint can do, by trying. What comes after a trial without an answer stays unknown, of its kind."""
    found: dict[str, Finding] = {}
    for what, names, trial in _KINDS:
        try:
            await trial(trials, found)
        except Unanswered as silence:
            first, *further = (name for name in names if name not in found)
            found[first] = Finding("unknown", f"What it can do with {what} was not found out: {silence}.")
            found |= {name: Finding("unknown") for name in further}
    return found


_KINDS = (
    ("tools", [name for name in ABILITIES if name not in (JSON, PICTURES)], try_tools),
    ("JSON in its answers", [JSON], try_json),
    ("pictures", [PICTURES], try_sight),
)
"""Kinds of trials: what they are about, and the abilities that they find, in order."""


def sees_pictures(endpoint: Endpoint, timeout_seconds: float) -> Finding:
    """Whether an endpoint sees pictures, by trying this alone."""
    return asyncio.run(_sees_pictures(endpoint, timeout_seconds))


async def _sees_pictures(endpoint: Endpoint, timeout_seconds: float) -> Finding:
    client = ChatClient(timeout_seconds)
    try:
        found: dict[str, Finding] = {}
        await try_sight(Trials(client, endpoint), found)
        return found[PICTURES]
    except Unanswered as silence:
        return Finding("unknown", f"Whether it sees pictures was not found out: {silence}.")
    finally:
        await client.close()


def _manners(reply: Reply) -> Iterator[str]:
    """In what its answers differ from a plain text; both are read."""
    content = reply.raw["choices"][0]["message"].get("content")
    if isinstance(content, list | dict):
        yield "Its answers come in parts, which are read."
    if reply.reasoning:
        yield "It gives its thoughts apart from its answers; they are no part of an answer."


async def _keeps_to(client: ChatClient, endpoint: Endpoint, guide: Guide) -> bool:
    """Whether a call with this form is answered in it. A refusal is a no; silence, or a full house, says nothing."""
    body = ask_for(endpoint, "Say hello to me.") | guide_body(guide, _UNLIKELY)
    reply = await client.complete(endpoint, body)
    if isinstance(reply, Failure) and (reply.http_status is None or reply.limited):
        raise failed_check(endpoint.url, reply)
    return isinstance(reply, Reply) and guided_text(guide, (reply.content or "").strip()) in _UNLIKELY
