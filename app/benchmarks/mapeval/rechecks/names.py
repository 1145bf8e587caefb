"""Which place of a context a question or an option names. Pure; what is not sure is no match."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from app.benchmarks.mapeval.rechecks.contexts import ListedPlace

_SMALL = frozenset("the a an of in at on to and de la le el del di da du der die das".split())


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters and without accents."""
    split = unicodedata.normalize("NFKD", text.casefold().replace("_", " "))
    return re.findall(r"\w+", "".join(sign for sign in split if not unicodedata.combining(sign)))


def key_words(text: str) -> frozenset[str]:
    """The words that tell names apart."""
    return frozenset(words_of(text)) - _SMALL


def key_text(text: str) -> str:
    """A name in the form in which names are compared."""
    words = words_of(text)
    return " ".join(words[1:] if words[:1] == ["the"] else words)


def named_exactly(name: str, places: Iterable[ListedPlace]) -> ListedPlace | None:
    """The one place of that name; None where there is none, or several."""
    found = [one for one in places if key_text(one.name) == key_text(name) != ""]
    return found[0] if len(found) == 1 else None


def named_closely(name: str, places: Sequence[ListedPlace]) -> ListedPlace | None:
    """The place of that name, or the only one whose name holds all its words, or all of whose words it holds."""
    exact = named_exactly(name, places)
    if exact is not None:
        return exact
    words = key_words(name)
    found = [
        one for one in places if words and (words <= key_words(one.name) or key_words(one.name) <= words)
    ]
    return found[0] if len(found) == 1 else None


def named_best(phrase: str, places: Sequence[ListedPlace]) -> ListedPlace | None:
    """The place that a part of a question names: exactly, or the only one that shares words with it.

    Where several share words, the one that shares most, if every word of its name stands in the phrase and the others'
    do not.
    """
    exact = named_exactly(phrase, places)
    if exact is not None:
        return exact
    words = key_words(phrase)
    sharing = [one for one in places if words & key_words(one.name)]
    if len(sharing) == 1:
        return sharing[0]
    whole = [one for one in sharing if key_words(one.name) <= words]
    if len(whole) == 1:
        return whole[0]
    within = [one for one in sharing if words <= key_words(one.name)]
    return within[0] if len(within) == 1 and not whole else None


def two_named(
    first: str, second: str, places: Sequence[ListedPlace]
) -> tuple[ListedPlace, ListedPlace] | None:
    """The places that two parts of a question name; with only two places it is enough that one way fits better."""
    one, other = named_best(first, places), named_best(second, places)
    if one is not None and other is not None and one is not other:
        return one, other
    if len(places) != 2:
        return None
    straight = _shared(first, places[0]) + _shared(second, places[1])
    crossed = _shared(first, places[1]) + _shared(second, places[0])
    if straight == crossed:
        return None
    return (places[0], places[1]) if straight > crossed else (places[1], places[0])


def _shared(phrase: str, place: ListedPlace) -> int:
    return len(key_words(phrase) & key_words(place.name))
