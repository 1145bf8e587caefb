"""Which tags of a permuted map would tell where it really is: by their key, or by a true name in their value. Pure."""

import re
from collections.abc import Iterable, Iterator

NAMES = (
    "name",
    "alt_name",
    "int_name",
    "loc_name",
    "nat_name",
    "official_name",
    "old_name",
    "reg_name",
    "short_name",
    "sorting_name",
    "brand",
    "operator",
)
"""Keys that go with a name; so do the same keys with a language or another word behind a colon."""
REVEALING = (
    "wikidata",
    "wikipedia",
    "wikimedia_commons",
    "website",
    "url",
    "contact",
    "phone",
    "mobile",
    "fax",
    "email",
    "image",
    "mapillary",
    "description",
    "note",
    "comment",
    "fixme",
    "FIXME",
    "inscription",
    "source",
    "destination",
    "from",
    "to",
    "via",
    "is_in",
    "addr:full",
    "addr:housename",
    "flag",
    "was",
    "old",
)
"""Keys, alone or with a colon before or behind them, whose values would tell the true name: they are left out."""
REGISTERS = ("openGeoDB", "bfs", "gnis", "gtfs", "nist", "ref_trips", "swisstopo", "tiger", "uic_")
"""How keys begin that tell an object's number or name in a public list; keys such as `ref:nuts` do so, too."""
_LEAST_LETTERS = 4
"""Shorter names, such as of a locality Au, are words in too many values."""
_WORD = re.compile(r"\w+")


def is_name(key: str) -> bool:
    """Whether the tag is exchanged with the name of its object."""
    return key.partition(":")[0] in NAMES


def reveals(key: str) -> bool:
    """Whether a tag of this key is left out, whatever it says."""
    if key in REVEALING or key.startswith((*REGISTERS, "ref:")):
        return True
    parts = key.split(":")
    if parts[0] in REVEALING or parts[-1] in REVEALING:
        return True
    return not is_name(key) and "name" in re.split("[:_]", key)  # such as piste:name and alt_name_1


def country_alone(key: str, value: str) -> str:
    """A code of ISO 3166-2 without its second half: `LI-09`, which is one municipality, becomes `LI`."""
    return value.partition("-")[0] if key.startswith("ISO3166-2") else value


class TrueNames:
    """Names of localities, to find them as whole words in values such as the operator `Commune of Oberdorf`."""

    def __init__(self, names: Iterable[str]) -> None:
        self._phrases = frozenset(_phrases(names))
        self._longest = max(map(len, self._phrases), default=0)

    def are_in(self, value: str) -> bool:
        """Whether the value has one of the names, written as it is or in capitals."""
        words = _WORD.findall(value)
        return any(
            tuple(words[start : start + length]) in self._phrases
            for length in range(1, min(self._longest, len(words)) + 1)
            for start in range(len(words) - length + 1)
        )


def _phrases(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    for name in names:
        # A name in small letters, such as a locality "park", is as likely a value of the map's own vocabulary.
        if len(name) >= _LEAST_LETTERS and not name.islower():
            yield tuple(_WORD.findall(name))
            yield tuple(_WORD.findall(name.upper()))
