"""What of a conversation a model's context has room for: results of tools are left out, the oldest first. Pure."""

from collections.abc import Mapping
from typing import Any, Final

from app.inference.limits import prompt_tokens
from app.solvers.agents.manners import is_result

LEFT_OUT: Final = (
    "[This result was left out since the conversation grew too long. Call the tool again if you need it.]"
)


def fit_context(body: Mapping[str, Any], room: float) -> tuple[list[dict[str, Any]], int]:
    """The messages of a chat request that is to have at most `room` tokens, and how many results were left out.

    Where all results are left out and there is still no room, the endpoint says so.
    """
    messages = [dict(one) for one in body["messages"]]
    left_out = 0
    taken = prompt_tokens(body)
    for place, message in enumerate(messages):
        if taken <= room:
            break
        if not is_result(message):
            continue
        messages[place] = message | {"content": LEFT_OUT}
        taken = prompt_tokens({**body, "messages": messages})
        left_out += 1
    return messages, left_out
