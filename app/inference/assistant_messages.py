"""An answer of a model as the next request of the conversation holds it. Pure: equal replies give equal messages."""

from collections.abc import Mapping
from typing import Any

from app.inference.completions import TEXT_PARTS, THOUGHT_PARTS
from app.inference.outcomes import Reply
from app.inference.tool_requests import tool_calls_to_send

THOUGHTS = ("reasoning_content", "reasoning", "reasoning_details")
"""Fields in which servers give thoughts beside the content, and take them back."""


def assistant_message(reply: Reply) -> dict[str, Any]:
    """The message `{"role": "assistant", "content", "tool_calls"?, thoughts?}` that stands for `reply`.

    Tool calls go back with the ids of `reply.tool_calls` and well formed. Thoughts go back word for word, in the fields
    and parts in which they came, where the reply asks for tools. Otherwise they stay out, as no server has a use for
    them. The rules are those of the servers' documentation:

    - DeepSeek (api-docs.deepseek.com, Thinking Mode): a request without the `reasoning_content` of messages that called
      tools is refused with 400; of other messages it is ignored, and the earlier deepseek-reasoner refused it.
    - OpenRouter (openrouter.ai/docs, Reasoning Tokens): `reasoning_details` go back unmodified and in their order.
    - vLLM (docs.vllm.ai, Interleaved Thinking): `reasoning`, once called `reasoning_content`, goes back with the calls.
    - Mistral and Anthropic give thoughts as parts of the content, which go back with their signatures.
    """
    message = _message_of(reply)
    asks = bool(reply.tool_calls)
    content: Any = reply.content if reply.content or asks else ""
    if asks and isinstance(message.get("content"), list):
        content = [part for part in message["content"] if _goes_back(part)] or content
    made: dict[str, Any] = {"role": "assistant", "content": content}
    if asks:
        made["tool_calls"] = tool_calls_to_send(reply.tool_calls, message)
        made |= {name: message[name] for name in THOUGHTS if message.get(name)}
    return made


def _message_of(reply: Reply) -> Mapping[str, Any]:
    """The message as the server sent it; empty for a reply that was made without one."""
    choices = reply.raw.get("choices") or [{}]
    return choices[0].get("message") or {}


def _goes_back(part: Any) -> bool:
    """Whether a part is text or thought: a call goes back as a call, and anything else is nothing to say again."""
    return isinstance(part, str) or (
        isinstance(part, dict) and part.get("type", "text") in (*TEXT_PARTS, *THOUGHT_PARTS)
    )
