"""Wrong options that are drawn as keys are: whoever sees the options alone cannot tell which of them was asked for.

Reads candidates (a pick's other values, or a pool's rows), writes nothing; every draw depends on seed and question id.
Lengths are counted in characters.
"""

import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from app.core import seeds
from app.core.names import bare_form, normal_form
from app.core.seeds import Seed
from app.questions.picking import Pick
from app.questions.shared_words import shared_words, telling_words, words_of
from app.questions.strategies import TOO_FEW, Distractor, Row
from app.templates.header import Distractors

TRIES = 1000
"""How often a set of wrong options is drawn anew because two of a group, or unfit ones, were in it."""
COMMON = "common_key"
SHARES_WORD = "shares_word"
_ONE_SCRIPT = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "KATAKANA-HIRAGANA": "CJK", "BOPOMOFO": "CJK"}


@dataclass(frozen=True)
class Candidate:
    """What could stand as an option. Options of one question are of one kind, and each of another group."""

    text: str
    group: str
    kind: str = ""
    osm_key: str | None = None
    words: frozenset[str] = frozenset()
    """What the option says besides its text."""
    said: frozenset[str] = frozenset()
    """What the question says, were this its key: an option that speaks of it too would be right or mislead."""
    also: Sequence[str] = ()
    """What tags call whatever has the subject's name, besides the key: an option that says it may be right too."""


Unfit = Callable[[Candidate], bool]


def one_line(text: str) -> str:
    """The text with every run of white space as one blank."""
    return " ".join(text.split())


def candidate_of(facts: Mapping[str, Any], osm_key: str | None) -> Candidate | None:
    """What a pick offers as an option, by its columns; None where it offers nothing, or gives itself away.

    `option` is the text; `option_group` (else the text) and `option_kind` tell what may stand beside it;
    `option_says` and `question_says` are texts whose words must not meet; `option_also` are texts, none of which may be
    the group of another option.
    """
    if facts.get("option") is None:
        return None
    text = one_line(str(facts["option"]))
    words, said = (telling_words(str(facts.get(name) or "")) for name in ("option_says", "question_says"))
    if shared_words(str(facts.get("option_says") or ""), said):
        return None
    group = facts.get("option_group") or text
    kind, also = str(facts.get("option_kind") or ""), facts.get("option_also") or ()
    return Candidate(text, bare_form(group), kind, osm_key, words, said, also)


def offered_by(picks: Sequence[Pick]) -> list[Candidate]:
    """What all values of a pick offer as options."""
    found = (candidate_of(pick.facts, str(pick.facts.get("option_key", pick.value))) for pick in picks)
    return [one for one in found if one]


def _candidate_of_row(row: Row) -> Candidate:
    """What a row of a pool offers; its `says` is a text whose words must not meet the subject's name."""
    text = one_line(row["label"])
    return Candidate(text, bare_form(text), "", row["osm_key"], telling_words(row.get("says") or ""))


def is_related(one: str, other: str) -> bool:
    """Whether the words of one text are all among the other's: doctor and doctors, gallery and art gallery."""
    mine, theirs = _words_of_known(one), _words_of_known(other)
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)


def may_be_right(key: Candidate, other: Candidate) -> bool:
    """Whether another candidate's group says what the key's does, or what tags say of the one or the other as well."""
    said = (key.group, other.group), *((text, other.group) for text in key.also)
    return any(is_related(*pair) for pair in (*said, *((key.group, text) for text in other.also)))


_words_of_known = lru_cache(maxsize=65_536)(words_of)


@lru_cache(maxsize=65_536)
def scripts_of(text: str) -> str:
    """The scripts of its letters, joined: `LATIN`, `CJK+LATIN`; empty where it has no letter."""
    letters = (sign for sign in unicodedata.normalize("NFKC", text) if sign.isalpha())
    scripts = {unicodedata.name(sign, "UNKNOWN").split()[0] for sign in letters}
    return "+".join(sorted({_ONE_SCRIPT.get(script, script) for script in scripts}))


class Offer:
    """Candidates by kind and scripts, the shortest first."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        found: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
        for one in candidates:
            found[self._shelf(one)].append(one)
        self._shelves = {
            shelf: sorted(ones, key=lambda one: (len(one.text), one.text, one.osm_key or ""))
            for shelf, ones in found.items()
        }
        self._lengths = {shelf: [len(one.text) for one in ones] for shelf, ones in self._shelves.items()}

    @staticmethod
    def _shelf(one: Candidate) -> tuple[str, str]:
        return one.kind, scripts_of(one.text)

    def window(self, key: Candidate, ratio: float, seed: Seed, question_id: str) -> Sequence[Candidate]:
        """The candidates of the key's kind and scripts whose lengths lie in a window around the key's.

        The window's longest length is `ratio` times its shortest, and where in it the key lies is drawn: a window
        centred on the key would show it as the one of middling length. Without a ratio (0), all of them.
        """
        shelf = self._shelf(key)
        ones, lengths = self._shelves.get(shelf, []), self._lengths.get(shelf, [])
        if not ratio:
            return ones
        shortest = len(key.text) / ratio ** seeds.unit(seed, "window", question_id)
        return ones[bisect_left(lengths, shortest) : bisect_right(lengths, shortest * ratio)]


class AlikeOptions:
    """The strategy `alike` of one template on one map; candidates are the pick's own values, or a pool's rows."""

    def __init__(
        self, strategy: Distractors, margins: Mapping[str, float], picks: Sequence[Pick], seed: Seed
    ) -> None:
        self._seed, self._layer = seed, strategy.layer
        self._ratio = margins.get("length_ratio", 0.0)
        self._offer = Offer(offered_by(picks))

    def draw(
        self,
        pick: Pick,
        text: str,
        pool: Sequence[Row] | None,
        excluded: set[str],
        told: frozenset[str],
        count: int,
        question_id: str,
    ) -> list[Distractor] | str:
        """So many wrong options of a question whose key reads `text`, or why there are none.

        `pool` is None where the candidates are the pick's values; `excluded` are normal forms of texts. Every option
        shares the same of the words `told` by the question: else a shared word could tell the key, or tell what is not.
        """
        offer, key = self._offer, candidate_of(pick.facts, str(pick.value))
        if pool is not None:
            key = Candidate(text, bare_form(text), said=telling_words(pick.facts["name"]))
            offer = Offer([key, *map(_candidate_of_row, pool)])
        if key is None:
            return SHARES_WORD

        def unfit(one: Candidate) -> bool:
            says_it = bool(one.words & key.said) or normal_form(one.text) in excluded
            return says_it or may_be_right(key, one)

        shared = shared_words(key.text, told)
        window = offer.window(key, self._ratio, self._seed, question_id)
        matched = [one for one in window if shared_words(one.text, told) == shared]
        drawn = draw_alike(key, matched, count, self._seed, question_id, unfit)
        if isinstance(drawn, str):
            return SHARES_WORD if drawn == TOO_FEW and shared else drawn
        return [{"text": one.text, "osm_key": one.osm_key if self._layer else None} for one in drawn]


def draw_alike(
    key: Candidate, window: Sequence[Candidate], count: int, seed: Seed, question_id: str, unfit: Unfit
) -> list[Candidate] | str:
    """`count` wrong options from a window that holds the key too, or the reason why the question cannot be fair.

    Sets are drawn with a probability proportional to the product of their groups' sizes, and questions are given up
    so often that, given the set, each of its options is equally often the key.
    """
    sizes = Counter(one.group for one in window)
    if len(sizes.keys() - {key.group}) < count:
        return TOO_FEW
    drawn = _draw_set(key, window, count, seed, question_id, unfit)
    if drawn is None:
        return TOO_FEW
    if len(sizes) < len(window) and not _is_kept(key, drawn, sizes, seed, question_id):
        return COMMON
    return drawn


def _draw_set(
    key: Candidate, window: Sequence[Candidate], count: int, seed: Seed, question_id: str, unfit: Unfit
) -> list[Candidate] | None:
    for turn in range(TRIES):
        drawn = [
            window[seeds.below(len(window), seed, "alike", question_id, turn, place)]
            for place in range(count)
        ]
        groups = {key.group, *(one.group for one in drawn)}
        forms = {bare_form(key.text), *(bare_form(one.text) for one in drawn)}
        if len(groups) == len(forms) == count + 1 and not any(map(unfit, drawn)):
            return drawn
    return None


def _is_kept(
    key: Candidate, drawn: Sequence[Candidate], sizes: Mapping[str, int], seed: Seed, question_id: str
) -> bool:
    """Whether this is one of the questions that may stand; the commoner its key, the less often."""
    sums = _elementary(sizes.values(), len(drawn))
    chances = {one.group: _without(sums, sizes[one.group]) for one in (key, *drawn)}
    return seeds.unit(seed, "kept", question_id) * max(chances.values()) < chances[key.group]


def _elementary(sizes: Iterable[int], degree: int) -> list[int]:
    """The elementary symmetric sums of the sizes, from degree 0 to `degree`."""
    sums = [1] + [0] * degree
    for size in sizes:
        for i in range(degree, 0, -1):
            sums[i] += size * sums[i - 1]
    return sums


def _without(sums: Sequence[int], size: int) -> int:
    """The last of the sums, had that size not been among them."""
    left = 1
    for total in sums[1:]:
        left = total - size * left
    return left
