"""English grammar of noun phrases, by inflect."""

import re
from functools import cache
from typing import Any

import typeguard


@cache
def _english() -> Any:
    # Imported when first needed, and without the checks of types that typeguard would compile into its functions:
    # they change no word, and take 2.3 s a process (`time python -c "import inflect"`, with and without -O).
    checked = typeguard.typechecked
    setattr(typeguard, "typechecked", lambda function: function)  # noqa: B010 - mypy refuses the plain form
    try:
        import inflect
    finally:
        typeguard.typechecked = checked
    return inflect.engine()


_REMARK = re.compile(r" \(| with | for | serving ")
_KINDS = re.compile(r" \((?!not )([^()]+, [^()]+ or [^()]+)\)")
"""A remark that lists kinds, as in `eating place (restaurant, café or fast food place)`."""


@cache
def plural(words: str) -> str:
    """The plural of a noun phrase or of a list of them.

    A remark at its end, in brackets or "with …", "for …" or "serving …", stays as it is, but kinds that it lists have
    their plurals, too.
    """
    remark = _REMARK.search(words)
    end = remark.start() if remark else len(words)
    kinds = _KINDS.fullmatch(words, end)
    return _plurals(words[:end]) + (f" ({_plurals(kinds[1])})" if kinds else words[end:])


def _plurals(nouns: str) -> str:
    """Of one noun phrase, or of `a, b or c`: `as, bs and cs`. "the like" has no plural."""
    first, comma, _ = nouns.rpartition(", ")
    parts = [*first.split(", "), *nouns[len(first + comma) :].rsplit(" or ", 1)] if comma else [nouns]
    many = [part if part == "the like" else str(_english().plural_noun(part)) for part in parts]
    return " and ".join([*filter(None, [", ".join(many[:-1])]), many[-1]])


@cache
def with_article(words: str) -> str:
    """`a` or `an` before a noun phrase."""
    return str(_english().a(words))
