"""Thinking: what a model wrote to itself, where marks of its format show it, is taken out of its answer.

A mark that ends thinking without one that began it ends thinking that began with the answer; thinking that never ends
lasts to the end. Formats: docs/scoring.md.
"""

import re
from collections import deque

_NAMES = (
    "think(?:ing)?|thoughts?|thought_process|inner_thoughts|reason(?:ing)?|reflection|scratchpad|analysis"
    "|internal_monologue|antthinking|longcat_think"
)
_MARK = re.compile(
    rf"""
    (?P<opens>
        (?:[<\u25c1]|&lt;) [^\S\n]? (?>(?:seed:)?) (?:{_NAMES}) [^\S\n]? (?:[>\u25b7]|&gt;)
      | \[think\]
      | <\| (?:begin_of_thought | start_thinking | start_action | start_tool_result | thinking | inner_prefix) \|>
      | <\|channel> \s? (?:thoughts?|thinking|analysis|commentary)
      | <\|channel\|> [^\S\n]*+ (?:analysis|commentary) [^<\n]{{0,40}}
        (?>(?:<\|constrain\|>[^<\n]{{0,40}})?) <\|message\|>
      | (?-i:assistant(?:analysis|commentary))
      | \[\[ [ ] \#\# [ ] (?:reasoning|thought|rationale) [ ] \#\# [ ] \]\]
    )
    | (?P<closes>
        (?:[<\u25c1]|&lt;) / [^\S\n]? (?>(?:seed:)?) (?:{_NAMES}) [^\S\n]? (?:[>\u25b7]|&gt;)
      | \[/think\]
      | <\| (?:end_of_thought | end_thinking | end_action | end_tool_result | /thinking | inner_suffix) \|>
      | <\| (?:start_response | start_text | begin_of_solution) \|>
      | <\|channel> \s? (?:final|answer|response)\b
      | <channel\|>
      | <\|channel\|> [^\S\n]*+ final [^<\n]{{0,40}} (?>(?:<\|constrain\|>[^<\n]{{0,40}})?) <\|message\|>
      | (?-i:assistantfinal)
      | (?:\.\.\.|\u2026) [^\S\n]? done[ ]thinking \.?
      | ^ [^\S\n]*+ done[ ]thinking [^\S\n]*+ \.? [^\S\n]*+ $
      | \[\[ [ ] \#\# [ ] (?>(?:final_)?)answer [ ] \#\# [ ] \]\]
    )
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
_BEGINS_THINKING = re.compile(
    r"\s*+(?:(?:assistant)?(?:analysis|commentary)(?=[A-Z])|[Tt]hinking(?:\.\.\.|\u2026)[^\S\n]*+(?:\n|\Z))"
)
_BARE_CHANNEL = re.compile(r"\s*+(?:assistant\s{0,2})?(?:analysis|commentary)\b")
_BARE_FINAL = re.compile(r"assistant\s{0,3}final\b|assistantfinal")
_TOLD_THINKING = re.compile(r"\s*+here(?:'s| is) my (?:thought|thinking|reasoning) process\b", re.IGNORECASE)
_TOLD_RESPONSE = re.compile(r"^\W{0,4}here(?:'s| is) my response\W{0,4}", re.IGNORECASE | re.MULTILINE)
_LOST_CHANNEL = re.compile(r"\s*+thought[^\S\n]*+\n")


def without_thinking(text: str) -> str:
    """`text` without its thinking, a newline in the place of each piece."""
    text = _after_bare_marks(text)
    begins = _BEGINS_THINKING.match(text)
    kept: list[str] = []
    spoken_from: int | None = None if begins else 0
    closed_at = None
    for mark in _MARK.finditer(text):
        if mark["opens"]:
            if spoken_from is not None:
                kept.append(text[spoken_from : mark.start()])
                spoken_from = None
            continue
        if spoken_from is not None:
            if closed_at is not None and mark[0] == "<channel|>":
                continue
            kept.clear()
        spoken_from = closed_at = mark.end()
    if closed_at is None and not kept and (lost := _LOST_CHANNEL.match(text)):
        return _last_line(text[lost.end() :])
    if spoken_from is not None:
        kept.append(text[spoken_from:])
    return "\n".join(kept).strip()


def _after_bare_marks(text: str) -> str:
    """What follows marks that are plain words: channels whose tokens are lost, "Here is my response:"."""
    if _BARE_CHANNEL.match(text) and (final := _last(_BARE_FINAL, text)):
        return text[final.end() :]
    if _TOLD_THINKING.match(text) and (told := _TOLD_RESPONSE.search(text)):
        return text[told.end() :]
    return text


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    matches = deque(pattern.finditer(text), maxlen=1)
    return matches[0] if matches else None


def _last_line(text: str) -> str:
    """Where thinking ends is not marked: of what was thought and said only the last line was surely said."""
    return text.strip().rpartition("\n")[2].strip()
