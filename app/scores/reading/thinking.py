"""Thinking: what a model wrote to itself, where tags mark it as such, is taken out of its answer.

A closing tag without an opening one ends thinking that began with the answer; one that never closes lasts to the end.
"""

import re

_TAG = re.compile(
    r"""
    [<\u25c1] (?P<close>/)? [^\S\n]? (?:seed:)?+
    (?: think(?:ing)? | thoughts? | reason(?:ing)? | reflection | scratchpad | analysis | internal_monologue )
    [^\S\n]? [>\u25b7]
    | \[ (?P<close_square>/)? think \]
    | <\| begin_of_thought \|> | <\| (?P<end>end)_of_thought \|>
    | <\|channel\|> [^\S\n]*+ (?P<channel>analysis|commentary|final) [^<\n]{0,40} <\|message\|>
    """,
    re.IGNORECASE | re.VERBOSE,
)


def without_thinking(text: str) -> str:
    """`text` without its thinking, a newline in the place of each piece."""
    kept: list[str] = []
    spoken_from: int | None = 0
    for tag in _TAG.finditer(text):
        closes = (
            tag["close"] or tag["close_square"] or tag["end"] or (tag["channel"] or "").lower() == "final"
        )
        if closes:
            if spoken_from is not None:
                kept.clear()
            spoken_from = tag.end()
        elif spoken_from is not None:
            kept.append(text[spoken_from : tag.start()])
            spoken_from = None
    if spoken_from is not None:
        kept.append(text[spoken_from:])
    return "\n".join(kept).strip()
