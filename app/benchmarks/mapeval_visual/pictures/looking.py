"""What questions may speak of in a picture: places whose name is written as the map has it, and kinds of symbols."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from app.drawing.answers.labels import Unclear, find_spot, folded
from app.drawing.record import DrawnLabel, DrawnSymbol, Record
from app.questions.pictures.registers import Lot

LONGEST = 40
"""Letters of a name; longer ones are written in several lines."""
FOUR = 4
SETS = 200
"""Of so many sets of four that are drawn, those are asked about of which each could be the answer."""
KINDS = (
    "bakery", "bank", "bar", "cafe", "cinema", "fuel", "hairdresser", "hotel", "museum", "parking", "pharmacy",
    "playground", "police", "post_office", "restaurant", "school", "supermarket", "theatre", "worship",
)  # fmt: skip
"""Symbols that texts have a word for; none of them is given by a key of tags alone."""


def told_labels(record: Record) -> list[DrawnLabel]:
    """The labels of places that a question may name: beside a symbol, the only ones of their text, short, unchanged."""
    with_symbol = {one.osm_key for one in record.symbols if one.whole and one.labelled}
    return sorted(
        (
            one
            for one in record.labels
            if one.kind == "place"
            and one.osm_key in with_symbol
            and one.text == " ".join(one.name.split())
            and len(one.text) <= LONGEST
            and not set('";') & set(one.text)
            and not isinstance(find_spot(record, one.osm_key), Unclear)
        ),
        key=lambda one: one.osm_key,
    )


def pairs(record: Record, lot: Lot) -> Iterator[tuple[str, str]]:
    """Two places after two others, by osm_key, in a drawn order, each pair once and in one direction."""
    keys = [one.osm_key for one in told_labels(record)]
    for number, pair in enumerate(lot.shuffled(list(combinations(keys, 2)), "pairs")):
        one, other = lot.shuffled(pair, "direction", number)
        yield one, other


def fours(record: Record, lot: Lot) -> Iterator[tuple[str, list[str]]]:
    """One place and four others, by osm_key, drawn anew again and again."""
    keys = [one.osm_key for one in told_labels(record)]
    turn = 0
    while len(keys) > FOUR:
        first, *others = lot.shuffled(keys, "places", turn)[: FOUR + 1]
        yield first, sorted(others)
        turn += 1


def symbols_by_kind(record: Record) -> Mapping[str, Sequence[DrawnSymbol]]:
    """The symbols of each kind that a question may ask for."""
    found: dict[str, list[DrawnSymbol]] = defaultdict(list)
    for one in record.symbols:
        if one.symbol in KINDS:
            found[one.symbol].append(one)
    return found


def text_of(record: Record, osm_key: str) -> str:
    """The text of a place's label."""
    found = find_spot(record, osm_key)
    return "" if isinstance(found, Unclear) else found.text


def says_a_kind(text: str) -> bool:
    """Whether a name says what a place is, in the words of the symbols, so that nobody needs to look."""
    words = folded(text).replace("-", " ")
    return any(kind.replace("_", " ") in words for kind in KINDS)
