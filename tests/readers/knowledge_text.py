"""From the text of a multiple-choice question and its options to what is asked and about what. No phrasing is known here:
what the options look like, the names of the map in the text, and the words that bear meaning decide.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.readers.knowledge_map import Feature, MapFile
from tests.readers.knowledge_nouns import nouns
from tests.readers.knowledge_words import USES, address_in, street_lines, street_of

NOTE = re.compile(r" Answer from the data of OpenStreetMap\..*$")
AT_POINT = re.compile(r"latitude (-?\d+\.\d+), longitude (-?\d+\.\d+)")
KILOMETRES, METRES = re.compile(r"(\d+\.\d\d) km"), re.compile(r"(\d+) m")
PAIR = re.compile(r"\((-?\d+\.\d+), (-?\d+\.\d+)\)")
RANKS = {
    "second largest": 1, "second biggest": 1, "third largest": 2, "third biggest": 2,
    "second most": 1, "third most": 2, "smallest": -1, "fewest": -1, "largest": 0, "biggest": 0, "most": 0,
}  # fmt: skip
"""By words: the place in the order from large to small."""
DIFFERENT = re.compile(r"\b(?:different )?kinds\b|\bvariety\b")
NUMBER = re.compile(r"\bnumber\b|\bhow many\b|\bcount", re.IGNORECASE)
CLOSEST = re.compile(
    r"\bclosest\b|\bnearest\b(?! to)(?! first)|\bnearest to ⟦|\bshortest\b|\bright next to\b"
)
QUOTED = re.compile(r'"([^"]+)"')
NOUN = re.compile(r"\b(?:is|find|looking for) an? ([^.?]+)[.?]")
"""A kind in quotation marks, or as a noun with an article."""
ADDRESS = re.compile(r"\baddress")
KIND = re.compile(
    r"\b(?:kind|type)s?\b|\bcategor|\bWhat is\b|\bsort of\b|\bWhich of these is\b|\bmapped\b|\bfind there\b"
)
INSIDE = re.compile(r"\bin\b|\bcontains\b|\binside\b|\bwithin\b|\bsurrounds\b|\bgrounds of\b", re.IGNORECASE)
SCENE = re.compile(r"\bnear ((?:an?|\d+) [^.?]+)")
CONNECTED = re.compile(r"\b(not )?(?:directly )?connected\b")


LAND_USES = frozenset(use.lower() for use in USES)


class Unclear(Exception):
    """A text that does not say what is asked, or about what, or says it in two ways."""


@dataclass(frozen=True)
class Mention:
    """A name of the map in the text, and the features that it may mean."""

    start: int
    end: int
    name: str
    features: Sequence[Feature]
    point: tuple[float, float] | None = None
    """Longitude and latitude, where the text gives them."""
    remark: str = ""
    """What stands behind it in brackets."""


@dataclass(frozen=True)
class Asked:
    """What a question asks, and the names in it."""

    what: str
    mentions: Sequence[Mention]
    text: str
    """The question without its note, and with ⟦number⟧ for each name."""
    question: str
    """The question without its note."""
    note: str
    """The definitions behind it; empty where there are none."""
    rank: int | None = None


def read(text: str, options: Sequence[str], world: MapFile) -> Asked:
    """What is asked. Raises Unclear."""
    question = NOTE.sub("", text)
    mentions = _longest(list(_mentions(question, world)))
    rest = _masked(question, mentions)
    bare = _masked(question, [one for one in mentions if one.remark])
    what = _by_options(rest, options) or _by_words(bare, rest, options, world, mentions)
    if what is None:
        raise Unclear(f"nothing that could be asked: {rest}")
    return Asked(what, mentions, rest, question, text[len(question) :], _rank(rest))


def _masked(text: str, mentions: Sequence[Mention]) -> str:
    for number, mention in reversed(list(enumerate(mentions))):
        text = f"{text[: mention.start]}⟦{number}⟧{text[mention.end :]}"
    return text


def _by_options(rest: str, options: Sequence[str]) -> str | None:
    """What is asked, where the options alone tell it."""
    if all(KILOMETRES.fullmatch(option) for option in options):
        return "distance"
    if all(METRES.fullmatch(option) for option in options):
        return "length"
    if all(PAIR.fullmatch(option) for option in options):
        return "coordinates"
    if all(option.lower().replace(" ", "") in LAND_USES for option in options):
        return "use"
    return None


def _by_words(
    bare: str, rest: str, options: Sequence[str], world: MapFile, mentions: Sequence[Mention]
) -> str | None:
    if SCENE.search(rest):
        return "scene"
    if CONNECTED.search(rest):
        return "connection"
    if any(one.is_road for mention in mentions for one in mention.features) and all(
        " and " in option for option in options
    ):
        return "junctions"
    if QUOTED.search(rest) or NOUN.search(rest):
        return "instance"
    if not mentions and _rank(rest) is not None:
        return "kinds" if DIFFERENT.search(rest) else "count" if NUMBER.search(rest) else "size"
    if any(address_in(one.tags, bare) for option in options for one in world.by_name.get(option, ())):
        return "addressee"
    return _about_places(rest, options, world, mentions)


def _about_places(
    rest: str, options: Sequence[str], world: MapFile, mentions: Sequence[Mention]
) -> str | None:
    if not mentions:
        return None
    if CLOSEST.search(rest):
        return "nearest"
    if ADDRESS.search(rest):
        return "address"
    if all(world.areas_called(option) for option in options) and INSIDE.search(rest):
        return "cover"
    if KIND.search(rest):
        return "kind"
    return None


def _rank(rest: str) -> int | None:
    found = {rank for words, rank in RANKS.items() if re.search(rf"(?<!second )(?<!third )\b{words}\b", rest)}
    if len(found) > 1:
        raise Unclear(f"several ranks: {rest}")
    return next(iter(found), None)


# --- names ------------------------------------------------------------------------------------------------


def _mentions(text: str, world: MapFile) -> Iterator[Mention]:
    """Every stretch between word borders that is a name of the map, with the brackets behind it."""
    starts = [match.start() for match in re.finditer(r"(?<![^\W_])[^\s(),.:?]", text)]
    ends = [match.end() for match in re.finditer(r"[^\s](?![^\W_])", text)]
    for start in starts:
        for end in ends:
            is_number = text[start:end].isdigit() and re.match(
                r" [a-z]", text[end:]
            )  # as in "near 4 car parks"
            if end > start and text[start:end] in world.by_name and not is_number:
                yield _told(text, start, end, world)


def _longest(found: Sequence[Mention]) -> list[Mention]:
    """Those that lie in no other; in their order."""
    return sorted(
        (
            one
            for one in found
            if not any(
                other.start <= one.start and one.end <= other.end and other is not one for other in found
            )
        ),
        key=lambda mention: mention.start,
    )


def _told(text: str, start: int, end: int, world: MapFile) -> Mention:
    name = text[start:end]
    features = world.by_name[name]
    remark = _bracket(text, end)
    if not remark or remark.startswith("longitude"):
        return Mention(start, end, name, features)
    fitting = [one for one in features if fits(one, remark)]
    point = AT_POINT.search(remark)
    at = (float(point[2]), float(point[1])) if point else None
    return Mention(start, end + len(remark) + 3, name, fitting, at, remark)


def _bracket(text: str, end: int) -> str:
    """What stands in brackets behind a name; empty where nothing does."""
    if not text.startswith(" (", end):
        return ""
    depth = 0
    for position in range(end + 1, len(text)):
        depth += (text[position] == "(") - (text[position] == ")")
        if not depth:
            return text[end + 2 : position]
    return ""


def fits(feature: Feature, remark: str) -> bool:
    """Whether a remark in brackets says of a feature what it is, where it is, or both: "bar", "bar, Ring 5", "bar at …"."""
    told = re.split(r", nearest to |; latitude ", remark)[0]
    own = sorted(nouns(feature.tags), key=len, reverse=True)
    streets = [street_of(feature.tags), *street_lines(feature.tags)]
    if told in own or told in streets:
        return True
    kind = next((one for one in own if told.startswith(one)), None)
    if kind is None:
        return False
    rest = told[len(kind) :]
    return rest.startswith(" in ") or any(
        one and rest.startswith((f", {one}", f" at {one}")) for one in streets
    )
