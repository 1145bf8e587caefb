"""What a look at an endpoint found it able to do beside answering in text, and how that is told. Pure.

An endpoint's stored look (`health`) holds `abilities`, by their names here, and `context`. Looks that were stored
before there were abilities hold none: they were not looked at.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Found = Literal["yes", "no", "unknown", "fenced"]
"""`unknown`: it was tried, and no answer told. `fenced`: JSON comes, but between marks of code."""
TOOLS = "tools"
RESULTS = "results"
PARALLEL = "parallel"
JSON = "json"
PICTURES = "pictures"
CHOICES = ("auto", "required", "none", "named")
"""The values of `tool_choice`; `named` is a function."""
ABILITIES = (TOOLS, RESULTS, PARALLEL, *(f"tool_choice_{one}" for one in CHOICES), JSON, PICTURES)
NOT_LOOKED_AT = "not looked at"
_WORDS: Mapping[Found, str] = {
    "yes": "yes",
    "no": "no",
    "unknown": "not found out",
    "fenced": "yes, but between marks of code (```)",
}
_CONTEXT_NAMES = ("max_model_len", "context_length", "context_window", "max_context_length")
"""Where lists of models say it: vLLM and SGLang; OpenRouter and Together; Groq; Mistral."""
_CONTEXT_WITHIN = {"meta": "n_ctx", "top_provider": "context_length"}
"""The same within an object of the entry: llama.cpp; OpenRouter, of the server that answers."""
_LONGEST_CONTEXT = 10**9


class Finding(NamedTuple):
    """What a trial came to, and a sentence on why, where there is something to say."""

    found: Found
    remark: str | None = None


def found_ability(health: Mapping[str, Any] | None, name: str) -> Found | None:
    """What the stored look found of one of ABILITIES; None where it was not looked at."""
    found: Found | None = ((health or {}).get("abilities") or {}).get(name)
    return found


def found_context(health: Mapping[str, Any] | None) -> int | None:
    """The tokens that a call may have with its answer, as the server told; None where it did not."""
    context: int | None = (health or {}).get("context")
    return context


def read_context(entry: Mapping[str, Any]) -> int | None:
    """The context length that a server's list says of a model, in tokens: the least where it names several."""
    said = [entry.get(name) for name in _CONTEXT_NAMES]
    for outer, inner in _CONTEXT_WITHIN.items():
        holder = entry.get(outer)
        said.append(holder.get(inner) if isinstance(holder, Mapping) else None)
    lengths = [
        one
        for one in said
        if isinstance(one, int) and not isinstance(one, bool) and 0 < one <= _LONGEST_CONTEXT
    ]
    return min(lengths, default=None)


def told_abilities(health: Mapping[str, Any]) -> dict[str, str]:
    """What a stored look found, in words, by what it is about."""
    if not health.get("abilities"):
        return dict.fromkeys(("tools", "JSON object", "pictures", "context"), NOT_LOOKED_AT)
    context = found_context(health)
    return {
        "tools": _told_tools(health),
        "JSON object": _told(health, JSON),
        "pictures": _told(health, PICTURES),
        "context": f"{context:,} tokens" if context else "not told" if "context" in health else NOT_LOOKED_AT,
    }


def _told(health: Mapping[str, Any], name: str) -> str:
    found = found_ability(health, name)
    return NOT_LOOKED_AT if found is None else _WORDS[found]


def _told_tools(health: Mapping[str, Any]) -> str:
    """Calls of tools, and what beside them was found."""
    if found_ability(health, TOOLS) != "yes":
        return _told(health, TOOLS)
    kept = [one for one in CHOICES if found_ability(health, f"tool_choice_{one}") == "yes"]
    told = {
        "their results": _told(health, RESULTS),
        "several in one answer": _told(health, PARALLEL),
        "tool_choice": ", ".join(kept) or "no",
    }
    return "; ".join(["yes", *(f"{name}: {words}" for name, words in told.items())])
