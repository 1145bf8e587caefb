"""Trials of an endpoint: calls whose answers show whether it can do something. Reads an endpoint; writes nothing.

What servers say of themselves is not believed: each trial asks for what only an endpoint that can do it answers.
"""

import re
from collections.abc import Callable
from typing import Any

from app.inference.abilities import Finding
from app.inference.bodies import MAX_TOKENS
from app.inference.chat import ChatClient, Endpoint
from app.inference.needs import ask_for
from app.inference.outcomes import Failure, Reply

ROOM = 512
"""Tokens of the longest answer of a trial: models that think first need some."""
PASSING = (408, 429, 502, 503, 504)
"""Statuses of refusals that say nothing about what was asked for."""
_THOUGHTS = re.compile(r"\A.*</think>", re.DOTALL)
Judge = Callable[[Reply], Finding]
"""What an answer shows."""


class Unanswered(Exception):
    """A trial had no answer in time. Further trials of the same kind would only wait as long."""


class Trials:
    """Trials of one endpoint."""

    def __init__(self, client: ChatClient, endpoint: Endpoint) -> None:
        self._client = client
        self._endpoint = endpoint

    async def judge(
        self, what: str, judge: Judge, content: str | list[dict[str, Any]], **more: Any
    ) -> tuple[Finding, Reply | None]:
        """Ask once for `what`, with `more` fields in the call, and judge the answer; the answer, if there is one.

        A refusal is a no. An answer that was cut off, and a server that is full, tell nothing. Raises Unanswered.
        """
        call = ask_for(self._endpoint, content, **{MAX_TOKENS: ROOM}, **more)
        outcome = await self._client.complete(self._endpoint, call)
        if isinstance(outcome, Failure):
            return _refused(what, outcome), None
        finding = judge(outcome)
        if finding.found == "no" and outcome.finish_reason == "length":
            cut = (
                f"Whether it can take {what} was not found out: its answer was cut off after {ROOM:,} tokens."
            )
            return Finding("unknown", cut), outcome
        return finding, outcome


def _refused(what: str, failure: Failure) -> Finding:
    """What a failure shows. Raises Unanswered for one without an answer."""
    if failure.http_status is None:
        raise Unanswered(failure.reason)
    if failure.http_status in PASSING or failure.limited or failure.exhausted:
        return Finding("unknown", f"Whether it can take {what} was not found out: {failure.reason}.")
    return Finding("no", f"It refuses {what}: {failure.reason}.")


def text_of(reply: Reply) -> str:
    """What a model answered, without thoughts that it wrote before its answer."""
    return _THOUGHTS.sub("", reply.content or "").strip()
