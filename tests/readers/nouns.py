"""Which kind of thing a text speaks of, and what narrows it: by nouns, words before them and remarks behind them."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from tests.readers.everyday_words import in_known_words
from tests.readers.places import Unreadable
from tests.readers.vocabulary import GROUNDS, KIND_WORDS, LINES, PLACES, SERVICES, Filter, Kind

REMARK = re.compile(rf" ({'|'.join(SERVICES)})\b")


def find_kind(rest: str, kinds: Iterable[Kind]) -> tuple[Kind, Filter | None]:
    """The one kind that is spoken of, and what narrows it. Raises Unreadable where there is none, or another too."""
    found = set(_kinds(in_known_words(rest), tuple(kinds)))
    if len(found) != 1:
        said = sorted(f"{kind.code}{narrowed or ''}" for kind, narrowed in found)
        raise Unreadable("category", f"one kind is wanted, the text speaks of {said}")
    return next(iter(found))


def _kinds(rest: str, kinds: tuple[Kind, ...]) -> Iterator[tuple[Kind, Filter | None]]:
    pattern, by_noun = _nouns(kinds)
    position = 0
    while match := pattern.search(rest, position):
        kind, position = by_noun[match[1]], match.end()
        before = _told_before(rest[: match.start()], kind)
        if kind.listed:
            position = _after_list(rest, position, kind)
        remark = REMARK.match(rest, position)
        if remark is None:
            yield kind, before
            continue
        if before:
            raise Unreadable("category", f"narrowed twice, before and after {match[1]!r}")
        position = remark.end()
        yield kind, SERVICES[remark[1]]


@cache
def _nouns(kinds: tuple[Kind, ...]) -> tuple[re.Pattern[str], dict[str, Kind]]:
    by_noun = {noun: kind for kind in kinds for noun in (kind.singular, kind.plural)}
    ordered = sorted(by_noun, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, ordered))})(?![\w-])"), by_noun


def _told_before(text: str, kind: Kind) -> Filter | None:
    """What a word before the noun narrows the kind to: the longest that fits."""
    tag, values = KIND_WORDS.get(kind.code, ("", {}))
    fitting = [word for word in values if re.search(rf"(?<![\w-]){re.escape(word)} $", text)]
    if not fitting:
        return None
    longest = max(fitting, key=len)
    if any(text.removesuffix(f"{longest} ").endswith(f" {word} ") for word in values):
        raise Unreadable("category", f"narrowed twice, before {longest!r} and by it")
    value = values[longest]
    return Filter(tag, value, frozenset({value}))


def _after_list(rest: str, position: int, kind: Kind) -> int:
    """The end of the brackets that say what belongs to a kind. Raises Unreadable where they list something else."""
    listed = re.match(r" \(([^)]*)\)", rest[position:])
    if listed is None:
        raise Unreadable("category", f"not said what {kind.plural} are")
    said = {_singular(word) for word in re.split(r", (?:and |or )?| and (?!areas)| or ", listed[1])}
    if said != set(kind.listed):
        raise Unreadable("category", f"{kind.plural} are {sorted(kind.listed)}, not {sorted(said)}")
    return position + listed.end()


@cache
def _singular(noun: str) -> str:
    kinds = (*PLACES, *GROUNDS, *LINES)
    return next(
        (kind.singular for kind in kinds if noun == kind.plural),
        {"greens": "green", "reserves": "reserve"}.get(noun, noun),
    )
