"""What must be noticed: texts with a word or a number altered or left out, and gold with a part of it altered."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.readers.vocabulary import COMPASS, CUISINES, MUSEUMS

Change = Callable[[str], str]
NARROWED = "restaurants?|cafés?|fast food places?|museums?"
"""Nouns that a word before them narrows."""
DIRECTIONS = "|".join(sorted(COMPASS, key=len, reverse=True))
AROUND = tuple(f"T{number}" for number in range(1, 27) if number not in (11, 12, 24))
IN_REGION = ("T11", "T12", "T27", "T28")


def replaced(*pairs: tuple[str, str]) -> Change:
    """Words by other words, one pair after the other."""

    def change(text: str) -> str:
        for old, new in pairs:
            text = text.replace(old, new)
        return text

    return change


def farther(text: str) -> str:
    """Every distance with a digit in front."""
    return re.sub(r"(\d+(?:\.\d+)?) (k?m)\b", r"1\1 \2", text)


def turned(text: str) -> str:
    """Every compass word of a sector as the opposite one."""
    return re.sub(
        rf"(?<!from )\b({DIRECTIONS})\b", lambda found: COMPASS[(COMPASS.index(found[1]) + 4) % 8], text
    )


def turned_once(text: str) -> str:
    """One of two compass words of a sector as another."""
    return re.sub(r"\btrue (north|south|east|west)\b(?!-)", "true north-east", text)


BOTH: Mapping[str, tuple[str, Change]] = {
    "another distance": ("T1 T2 T3 T4 T13 T14 T15 T16 T21 T23 T25", farther),
    "another direction": ("T3 T9 T15 T19", turned),
    "no unit": ("T25 T26 T27 T28", replaced(("metres", "units"))),
    "no meaning of degrees": ("T21 T22", replaced(("north", "somewhere"))),
    "another kind": (
        "T1 T3 T4 T5 T8 T9 T10 T13 T15 T16 T17 T19 T20 T21 T22 T23 T24 T25 T26",
        replaced(("restaurant", "pub"), ("café", "restaurant"), ("fast food place", "café")),
    ),
    "no remark": (
        "T2 T6 T14 T18",
        lambda text: re.sub(
            rf"\b(?:{'|'.join((*CUISINES, *MUSEUMS))}) (?={NARROWED})| with [a-z-]+(?: seating| service)?",
            "",
            text,
        ),
    ),
    "another remark": (
        "T2 T6 T14 T18",
        lambda text: re.sub(rf"\b[\w-]+ (?={NARROWED})", "Finnish ", text),
    ),
    "no brackets": ("T1 T5 T11 T24 T27", lambda text: re.sub(r" \([^)]*\)", "", text)),
    "another name": ("T1 T5 T11 T12 T24 T28", lambda text: re.sub(r"(\w) \(", r"\1x (", text)),
    "another way": (
        "T12 T28",
        replaced(
            ("stream", "secondary road"),
            ("path (", "footway ("),
            ("service road", "motorway"),
            ("residential street", "living street"),
            ("primary road", "trunk road"),
            ("tertiary road", "service road"),
            (
                "minor public road (below tertiary roads",
                "main road (trunk road, primary road, secondary road or tertiary road",
            ),
            ("flights of steps", "canals"),
        ),
    ),
    "another fact": (
        "T7 T8",
        replaced(
            ("architect", "mascot"),
            ("height in metres", "number of beds"),
            ("capacity", "gravity"),
            ("year of", "day of"),
            ("designed by", "run by"),
            ("that dates from", "that opened in"),
        ),
    ),
}
"""By what changes in texts of both registers: the templates whose texts it must change, and how."""
PRECISE: Mapping[str, tuple[str, Change]] = {
    **BOTH,
    "two directions": ("T3 T9 T15 T19", turned_once),
    "no straight line": (" ".join(AROUND), replaced(("straight lines", "walks"))),
    "another width": ("T3 T4 T9 T10 T15 T16 T19 T20", replaced(("22.5 degrees", "45 degrees"))),
    "the whole": (
        " ".join(IN_REGION),
        replaced(("only the part inside", "the whole of whatever lies partly inside")),
    ),
    "another source": ("T7", replaced(("as given by ", "as given by the neighbours of "))),
    "no semantics": (" ".join(IN_REGION), replaced(("counting only the part inside", "as usual"))),
}
EVERYDAY: Mapping[str, tuple[str, Change]] = {
    **BOTH,
    "the whole": (
        " ".join(IN_REGION),
        lambda text: f"{text} Say it counting the whole of whatever lies partly inside.",
    ),
}
CHANGES = {
    **{("precise", change): altered for change, altered in PRECISE.items()},
    **{("everyday", change): altered for change, altered in EVERYDAY.items()},
}


def without_each_definition(text: str) -> Iterator[tuple[str, str]]:
    """The sentences of a precise text from the one that names the data, each with the text that lacks it."""
    question, begin, note = text.partition(" Answer from the data of")
    sentences = re.split(r"(?<=\.) (?=[A-Z])", (begin + note).strip())
    for number, sentence in enumerate(sentences):
        yield sentence, " ".join([question, *sentences[:number], *sentences[number + 1 :]])


def spoiled(gold: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Gold with one part of it altered: a place fewer or another, another number, another name, another fact."""
    for name, value in gold.items():
        if isinstance(value, int | float):
            yield {**gold, name: value + max(1, 0.01 * value)}
        elif name == "objects" and value:
            yield {**gold, name: [*value[1:], {**value[0], "osm_key": "n1"}]}
            yield {**gold, name: value[1:]}
            for part in ("distance", "azimuth", "lat", "area", "length"):
                if part in value[0]:
                    yield {**gold, name: [{**value[0], part: value[0][part] * 1.0001 + 0.01}, *value[1:]]}
        elif name == "names":
            yield {**gold, name: [*value, "Nowhere"]}
        elif name == "fact" and "names" not in gold:
            yield {**gold, name: {**value, "value": value["value"] + "0"}}
