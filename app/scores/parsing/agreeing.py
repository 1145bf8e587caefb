"""How often a parsing model and our rules read the same of an answer, in the field that its question asks for."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import isclose
from typing import Any, NamedTuple

from app.scores.parsing.asked import FIELD_OF
from app.scores.reading.cleaning import loose_key_of

TOLERANCE = 1e-6
Objects = Sequence[Mapping[str, Any]]
KINDS = ("same", "differ", "only_rules", "only_chat", "neither")


class Both(NamedTuple):
    """What the rules and the model read of one answer to a question of our scorer."""

    scorer: str
    rules: Objects
    chat: Objects


def agreement(read: Iterable[Both]) -> dict[str, Any]:
    """{answers, agree, same, differ, only_rules, only_chat, neither, by_kind}; `agree`: the share of same and neither.

    Texts are compared without case, punctuation and order of words, numbers to a millionth, several values as sets.
    """
    by_kind: dict[str, Counter[str]] = {}
    for one in read:
        by_kind.setdefault(one.scorer, Counter())[_compare(one)] += 1
    total = sum(by_kind.values(), Counter[str]())
    return _shares(total) | {"by_kind": {kind: _shares(by_kind[kind]) for kind in sorted(by_kind)}}


def _shares(counted: Counter[str]) -> dict[str, Any]:
    answers = counted.total()
    agree = (counted["same"] + counted["neither"]) / answers if answers else None
    return {"answers": answers, "agree": agree} | {kind: counted[kind] for kind in KINDS}


def _compare(one: Both) -> str:
    field = FIELD_OF[one.scorer]
    rules, chat = _told(one.rules, field), _told(one.chat, field)
    if not rules or not chat:
        return "only_rules" if rules else "only_chat" if chat else "neither"
    same = all(any(_equal(value, other) for other in chat) for value in rules) and all(
        any(_equal(value, other) for other in rules) for value in chat
    )
    return "same" if same else "differ"


def _told(objects: Objects, field: str) -> list[Any]:
    return [one[field] for one in objects if one.get(field) is not None]


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return _words(one) == _words(other)
    return isclose(float(one), float(other), rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _words(value: Any) -> list[str]:
    return sorted(loose_key_of(str(value)).split())
