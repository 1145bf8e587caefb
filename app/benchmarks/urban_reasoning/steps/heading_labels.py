"""What the numbers behind the same words are, in responses that say the same of line after line (PR).

No word is known beforehand: the label of a number is what stands between it and the number before, without names and
digits. If most numbers behind a label are one quantity of the line that each is about, all of them are to be.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.stated_numbers import Number
from app.benchmarks.urban_reasoning.steps.tables import title_of_column

LEAST_VOTES, SHARE = 3, 0.7
"""Numbers behind a label that are the same quantity at least, and their share of all."""
LEAST_SHORT, SHARE_SHORT = 5, 0.85
"""The same for the last words of a label alone."""
LONGEST = 80
"""Signs of a label."""
LEARNED = ("dlat", "dlon", "dlon_scaled", "north", "east", "bearing", "distance", "off_last", "off_overall")
"""What the names of the quantities end with that labels can be of."""
_UNIT = re.compile(r"(?:°|km|m)?[\s)\]|]*([a-zA-Z@ ]{1,60})?")
_BEFORE, _BEHIND = re.compile(r"[*/+^] ?\(?-?$|\d ?- ?$"), re.compile(r"°? ?(?:[*/+^]|- ?[\d(.])")
"""What stands beside an operand of a formula."""
_CONNECTING = frozenset(
    "a about amounts and are as at be by comes equals for get gives in is it of one or out roughly so that the then"
    " this to turns works finds i".split()
)


class Labelled(NamedTuple):
    """The labels of a number, the fullest first; whether it stands in a table."""

    labels: Sequence[str]
    in_table: bool
    is_operand: bool


def labels_of(plain: Plain, blank: str, numbers: Sequence[Number]) -> list[Labelled]:
    """The labels of numbers; `blank` is the text with its names made unreadable."""
    found: list[Labelled] = []
    last_end, before = 0, ""
    for number in numbers:
        title = title_of_column(plain, number)
        is_operand = bool(
            _BEFORE.search(plain.text[max(0, number.start - 4) : number.start])
            or _BEHIND.match(plain.text, number.end)
        )
        if title:
            found.append(Labelled([f"column {title}"], True, is_operand))
            last_end, before = number.end, title
            continue
        lines = blank[max(last_end, number.start - 160) : number.start].split("\n")
        text = _reduced(lines[-1])
        if len(lines) == 1 and not _has_content(text):
            text = f"{before}# {text}"
        suffix = _UNIT.match(blank, number.end)
        behind = re.sub(r"@+", "@", (suffix[1] or "").strip()) if suffix else ""
        behind = behind if behind.startswith("for ") else behind.split(" ")[0]
        found.append(Labelled([f"{text[-LONGEST:]}¤{behind}", text[-LONGEST:]], False, is_operand))
        last_end, before = number.end, text[-LONGEST:]
    return found


def _has_content(text: str) -> bool:
    """Whether a label has a word that tells what is stated, and not only that it is."""
    return any(word not in _CONNECTING for word in re.findall(r"[^\W\d_]+", text.replace("@", " ")))


def _reduced(text: str) -> str:
    text = re.sub(r"@+", "@", text.lower())
    text = re.sub(r"@ ?(?:→|->|-|to|/) ?@|\b(?:leg|step|segment) [#@\d]", "@", text.replace(";", ","))
    return re.sub(r"\s+", " ", re.sub(r"\d+", "0", text))


def learn(
    labelled: Sequence[Labelled], matched: Sequence[frozenset[str]], signed: Sequence[bool]
) -> Mapping[str, frozenset[str]]:
    """By label: the quantities that all its numbers are to be; those without a sign only where no number has one."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    counts: Counter[str] = Counter()
    minus: set[str] = set()
    for one, names, negative in zip(labelled, matched, signed, strict=True):
        for label in dict.fromkeys(() if one.is_operand else one.labels):
            counts[label] += 1
            votes[label].update(name for name in names if name.endswith(LEARNED) and name[:5] != "acute")
            if negative:
                minus.add(label)
    return {
        label: best
        for label, count in counts.items()
        if (best := _best(votes[label], count, label in minus, "¤" in label or label.startswith("column ")))
    }


def _best(votes: Counter[str], count: int, is_signed: bool, is_full: bool) -> frozenset[str]:
    """The quantities with most votes, if they are enough; sizes count only where nothing with a sign does."""
    least = max(LEAST_VOTES, SHARE * count) if is_full else max(LEAST_SHORT, SHARE_SHORT * count)
    told = [(number, name) for name, number in votes.items() if number >= least]
    exact = [one for one in told if not one[1].startswith("size of ")]
    if is_signed and exact:
        told = exact
    angles = [one for one in told if one[1].startswith("off_")]
    if angles and is_full:
        told = angles
    most = max(told, default=(0, ""))[0]
    return frozenset(name for number, name in told if number >= most)


_COSINE = re.compile(r"\bcos(?:ine)?\b[^=|]{0,60}(?:[=:]|\bis\b(?: about)?|\bgives\b) ?$")
_TURN = re.compile(
    r"\boff\b|\bturn(?!s out\b)|differ(?!ence of l)|deviat|against|away from|angle between|angular"
)
_HEADING = re.compile(r"heading|bearing|azimuth|\bbrg\b|θ|β|\bdirection\b|\bcourse\b")
_DISTANCE = re.compile(r"distance|\bdist\b|length|\blong\b")
_COMPONENT = re.compile(
    r"(?:(?P<north>\bnorth(?:ward|ing)?s?(?: (?:component|part|displacement|step|offset))?)"
    r"|(?P<east>\beast(?:ward|ing)?s?(?: (?:component|part|displacement|step|offset))?)"
    r"|(?P<lat>(?:difference (?:in|of) |change (?:in|of) |δ ?)(?:latitude|lat\b|φ)"
    r"|latitude (?:difference|gap|change))"
    r"|(?P<lon>(?:difference (?:in|of) |change (?:in|of) |δ ?)(?:longitude|lon\b|λ)"
    r"|longitude (?:difference|gap|change)))"
    r"(?=[^,;#\d]{0,40}$)"
)
"""A component of a line: lengths, or degrees of which those to the east may be scaled."""
_COMPONENTS = {
    ("north", False): frozenset({"north"}),
    ("east", False): frozenset({"east"}),
    ("north", True): frozenset({"dlat"}),
    ("east", True): frozenset({"dlon_scaled", "dlon"}),
    ("lat", True): frozenset({"dlat"}),
    ("lon", True): frozenset({"dlon_scaled", "dlon"}),
    ("lat", False): frozenset({"north"}),
    ("lon", False): frozenset({"east"}),
}
HEADINGS = "heading of "
"""What the names of headings begin with that a text repeats where it is about another line."""
_TURNS = frozenset(
    f"{prefix}{name}"
    for name in ("off_last", "off_overall", "turn")
    for prefix in ("", "difference for ", "size of difference for ")
)


def component_named(labels: Sequence[str], unit: str) -> frozenset[str]:
    """The components that the last words of a label name; none where they name none."""
    text = labels[0].partition("¤")[0].removeprefix("column ").lower()
    found = _COMPONENT.search(text)
    if found is None or unit not in ("km", "m", "deg"):
        return frozenset()
    return _COMPONENTS[next(name for name, told in found.groupdict().items() if told), unit == "deg"]


def worded(labels: Sequence[str], unit: str) -> frozenset[str]:
    """The quantities that the words of a label can mean; none where they do not tell."""
    text, _, behind = labels[0].partition("¤")
    if _COSINE.search(text):
        return frozenset({"scale", "cosine of lat"})
    text = re.split(r"[,;.] | and ", text.removeprefix("column ").lower().rstrip(" ,;"))[-1]
    if unit in ("rad", "") and not labels[0].startswith("column "):
        return frozenset()
    if unit in ("km", "m"):
        is_length = _DISTANCE.search(text) or "away" in behind.lower()
        return frozenset({"distance", "length of legs"}) if is_length else frozenset()
    if re.search("lat|lon|δ|φ|λ", text):
        return frozenset()
    if _TURN.search(text) or behind.lower().startswith("off"):
        return _TURNS
    return frozenset({"bearing"}) if _HEADING.search(text) else frozenset()
