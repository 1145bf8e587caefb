"""`mapqa_names`: all names of a set, or that there are none. Gold: {"members"}, names or kinds, none or several.

Right where every member is named and nothing else is; so an answer of many guesses is wrong. `f1` is that of the two
sets, `found` the share of members that are named. Names are compared in NFKC, case folded, without punctuation; `bars`
is `bar`. Members that are named anywhere in the part of the answer that lists them count, so that names with commas or
semicolons in them can be told.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.cleaning import loose_key_of, marked_segments, plain, undecorated
from app.scores.reading.mentions import answer_section, mentions_in
from app.scores.reading.spoken import likely_part
from app.scores.registry import scorer
from app.scores.score import Component, Outcome, Score, unparseable

MOST_LISTED = 200
_NONE = re.compile(
    r"\b(?:none|nothing|no (?:amenit|kinds?|places?|other|others|such|results?)\w*"
    r"|(?:there (?:is|are)|i (?:found|find)|found) (?:none|nothing|no)|not any|aren'?t any|isn'?t any)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[;\n]|, (?:and )?| and (?=\S+$)")
_JSON = re.compile(r"\[[^\[\]]{0,20000}\]")
_REMARK = re.compile(r"\s*(?:\(|- |: |– |, \d).*$")


@scorer("mapqa_names", version=1, graded=False)
def score_mapqa_names(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """Whether an answer names the whole set and nothing else."""
    members = list(gold["members"])
    part = listing_of(answer)
    listed = listed_in(part)
    found = named_in(part, members)
    if not listed and not found:
        if not says_none(part):
            return unparseable("no names", f1=1.0, found=1.0)
        return _score(not members, 1.0 if not members else 0.0, 0.0 if members else 1.0, [])
    extra = surplus(listed, members)
    named = len(found) + len(extra)
    shared = 2 * len(found) / (len(members) + named) if members or named else 1.0
    share = len(found) / len(members) if members else 0.0
    shown = [members[place] for place in sorted(found)] + extra
    return _score(len(found) == len(members) and not extra, shared, share, shown)


def _score(right: bool, f1: float, found: float, shown: list[str]) -> Score:
    return Score(
        Outcome.CORRECT if right else Outcome.WRONG,
        1.0 if right else 0.0,
        {"f1": Component(f1, 1.0, True), "found": Component(found, 1.0, True)},
        {"names": shown[:MOST_LISTED]},
    )


def listing_of(answer: str) -> str:
    """The part of an answer that lists: its <answer>, what follows the last "Answer:", else all that is said."""
    section = answer_section(answer)
    if section is not answer:
        return section
    text = likely_part(answer)
    marked = next(marked_segments(text), None)
    return marked if marked is not None else text


def says_none(part: str) -> bool:
    """Whether the part says that there are none."""
    return _NONE.search(plain(part)) is not None


def listed_in(part: str) -> list[str]:
    """The entries of a list: JSON, lines with marks, or what semicolons or commas part in a line that is no sentence.

    Nothing where the part is running text, of which only the members that it mentions can be told.
    """
    written = _JSON.search(part)
    if written:
        try:
            values = json.loads(written[0])
        except ValueError:
            values = None
        if isinstance(values, list) and values and all(isinstance(one, str) for one in values):
            return values[:MOST_LISTED]
    text = plain(part).strip()
    lines = [line for line in text.split("\n") if line.strip()]
    marked = [line for line in lines if re.match(r"\s*(?:[-*+•]\s|\d{1,3}[.)]\s)", line)]
    if marked:
        entries = [undecorated(line) for line in marked]
    elif len(lines) == 1 and not _is_sentence(lines[0]):
        entries = [undecorated(one) for one in _PARTS.split(lines[0])]
    else:
        return []
    cleaned = [_REMARK.sub("", one).strip(" .") if one.count("(") else one.strip(" .") for one in entries]
    kept = [one for one in cleaned if loose_key_of(one)]
    return [] if len(kept) == 1 and says_none(kept[0]) else kept[:MOST_LISTED]


def _is_sentence(line: str) -> bool:
    return re.search(r"\b(?:is|are|was|were|there|can be|has|have)\b", line, re.IGNORECASE) is not None


def named_in(part: str, members: Sequence[str]) -> set[int]:
    """The places of the members that the part mentions, in singular or plural."""
    spelt = [*members, *(f"{one}s" for one in members)]
    return {mention.place % len(members) for mention in mentions_in(part, spelt)} if members else set()


def surplus(listed: Sequence[str], members: Sequence[str]) -> list[str]:
    """The entries of a list that hold no member and are no part of one: a name with a comma is listed as two."""
    keys = [loose_key_of(one) for one in members]
    extra = []
    for entry in listed:
        key = loose_key_of(entry)
        is_part = any(f" {key} " in f" {one} " for one in keys)
        if not is_part and not named_in(entry, members) and not says_none(entry):
            extra.append(entry)
    return extra
