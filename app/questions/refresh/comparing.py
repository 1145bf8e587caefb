"""Whether two refreshes of one version to one map come to the same, question by question. Pure."""

from app.core.identity import canonical_json
from app.questions.records import QuestionRecord
from app.questions.refresh.refreshing import Fate, Refreshed

SHOWN = 200
"""Characters of a value that a sentence shows."""


def differences(one: Refreshed, other: Refreshed) -> list[str]:
    """What the two say differently, a sentence each: outcomes, reasons, and all that is stored of a question."""
    found = []
    if [fate.id for fate in one.fates] != [fate.id for fate in other.fates]:
        found.append(f"other questions: {len(one.fates)} and {len(other.fates)}")
    for mine, theirs in zip(one.fates, other.fates, strict=False):
        found += [f"{mine.id} ({mine.template}): {fault}" for fault in _faults(mine, theirs)]
    return found


def _faults(mine: Fate, theirs: Fate) -> list[str]:
    told, heard = _told(mine), _told(theirs)
    return [
        f"{name} is {told.get(name, 'as stored')[:SHOWN]} and {heard.get(name, 'as stored')[:SHOWN]}"
        for name in sorted({*told, *heard})
        if told.get(name) != heard.get(name)
    ]


def _told(fate: Fate) -> dict[str, str]:
    said = {"outcome": fate.outcome, "reason": str(fate.reason), "later id": str(fate.later_id)}
    if fate.popularity is not None:
        said["popularity"] = canonical_json(fate.popularity)
    return said | ({} if fate.record is None else _stored(fate.record))


def _stored(record: QuestionRecord) -> dict[str, str]:
    """By name what is stored; the bytes of a picture are told by the prompt, which has their SHA-256."""
    values = {**vars(record), **vars(record.footprint)}
    parts = {
        name: value for name, value in values.items() if name not in ("snapshot", "footprint", "picture")
    }
    return {name: canonical_json(value) for name, value in parts.items()}
