"""Gold: the accepted answers of a question, each under a key, and what the revision of a question is made from. Pure.

The answer under the key `default` is the one that counts where nobody names a key. A question may have answers under
further keys, such as `driving` beside a straight line. An answer is of one of two kinds: `value`, whose value the
question's scorer reads, or `unanswerable`, for which saying that the question cannot be answered is right.
"""

from collections.abc import Mapping
from typing import Any

from app.core.identity import digest

DEFAULT_KEY = "default"
VALUE = "value"
UNANSWERABLE = "unanswerable"
KINDS = (VALUE, UNANSWERABLE)
NO_ANSWER = "This question cannot be answered"
"""The option that says so, of benchmarks that offer it."""
GoldKeys = Mapping[str, Mapping[str, Any]]
"""Answers under further keys: {key: {"kind": KIND, "value": {…}}}."""


def revision_of(prompt_hash: str, gold: Mapping[str, Any], kind: str, keys: GoldKeys) -> str:
    """Hash of the prompt's hash and all gold; it never leaves the database.

    Where there is nothing but a value under the default key, it is what it was before there were keys and kinds.
    """
    if kind == VALUE and not keys:
        return digest(prompt_hash, gold)
    return digest(prompt_hash, gold, kind, keys)


def gold_rows(gold: Mapping[str, Any], kind: str, keys: GoldKeys) -> list[dict[str, Any]]:
    """The rows of the table `gold` of one question, without the question's own key: the default first."""
    if kind not in KINDS or any(one["kind"] not in KINDS for one in keys.values()) or DEFAULT_KEY in keys:
        raise ValueError("gold is of kind value or unanswerable, and further keys are not called default")
    default = {"key": DEFAULT_KEY, "is_default": True, "kind": kind, "value": gold}
    others = [
        {"key": key, "is_default": False, "kind": one["kind"], "value": one["value"]}
        for key, one in sorted(keys.items())
    ]
    return [default, *others]
