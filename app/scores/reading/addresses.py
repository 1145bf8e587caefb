"""Addresses: answer text → street, house number, city, state, postcode, those it gives.

Takes both orders ("120 East King Street, Lancaster, PA 17602" and "Städtle 3, 9490 Vaduz"); parts are told apart by
their form alone, no list of places is asked.
"""

import re
from dataclasses import dataclass

from app.scores.reading.cleaning import MAX_SEGMENT, marked_segments, undecorated
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered
from app.scores.reading.spoken import read_parts

MAX_PARTS = 24
MAX_STREET = 80
_NO_ADDRESS = "no address"

_LEAD = re.compile(
    r".{0,400}\b(?:(?:located|lies|is|found|address|stands) (?:at|in|on|is)|address:)\s+(?=\S)", re.IGNORECASE
)
_DIGITS = r"[0-9]{1,5}(?:[/-][0-9]{1,4})?"
_NUMBER = rf"{_DIGITS}(?:(?!m)[a-z]|[ ]?[A-Z])?"
_NUMBER_FIRST = re.compile(
    rf"(?P<number>{_DIGITS}(?:(?!m)[A-Za-z])?)[ ]"
    r"(?P<street>(?:[^\W\d][\w.'/-]{0,30}|[0-9]{1,3}(?:st|nd|rd|th)\b).{0,60})"
)
_NUMBER_LAST = re.compile(rf"(?P<street>[^\W\d].{{1,60}}?)[ ](?P<number>{_NUMBER})")
_POSTCODE_FIRST = re.compile(r"(?:[A-Z]{1,3}-)?(?P<postcode>[0-9]{4,6})[ ](?P<city>[^\W\d][^\d]{1,60})")
_POSTCODE_LAST = re.compile(
    r"(?:(?P<city>[^\W\d][^\d]{0,60}?)[ ])??(?:(?P<state>[A-Z]{2})[ ])?(?P<postcode>[0-9]{5}(?:-[0-9]{4})?|[0-9]{4})"
)
_STATE = re.compile(r"[A-Z]{2}")
_SENTENCE = re.compile(
    r"\b(?:is|are|was|were|there|within|from|about|approximately|has|have)\b", re.IGNORECASE
)
_STREET_KIND = re.compile(
    r"(?:street|st|road|rd|avenue|ave|boulevard|blvd|drive|dr|lane|ln|way|parkway|pkwy|highway|hwy|place|pl|court|ct"
    r"|square|sq|strasse|straße|str|gasse|weg|platz|katu|tie|gatan|gata|rue|via|calle)\.?(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Address:
    """The parts of an address, None for those that the text does not give."""

    street: str | None = None
    housenumber: str | None = None
    city: str | None = None
    state: str | None = None
    postcode: str | None = None

    def __str__(self) -> str:
        lines = (
            " ".join(filter(None, (self.housenumber, self.street))),
            self.city,
            " ".join(filter(None, (self.state, self.postcode))),
        )
        return ", ".join(filter(None, lines))


@remembered
def read_address(answer: str) -> Reading[Address]:
    """The first address in `answer`, by the last "Answer: …", else all of it; a name alone is none.

    An address has a street with a number, or a postcode, or at least a place within a place ("Akron, Ohio").
    """
    return read_parts(answer, _read, _NO_ADDRESS)


def _read(text: str) -> Reading[Address]:
    for segment in (*marked_segments(text), *text[: 4 * MAX_SEGMENT].split("\n")[:MAX_PARTS]):
        address = _address_in(undecorated(segment[:MAX_SEGMENT]))
        if address is not None:
            return Reading(address)
    return Reading(reason=_NO_ADDRESS)


def _address_in(line: str) -> Address | None:
    lead = _LEAD.match(line)
    body = line[lead.end() :] if lead else line
    found: dict[str, str] = {}
    before: list[str] = []
    after: list[str] = []
    for part in re.split(r"[,;()]| - ", body.removesuffix("."))[:MAX_PARTS]:
        part = part.strip()
        if not part:
            continue
        fields = _fields_of(part, "street" in found, bool(before or after or found))
        fresh = {name: value.strip() for name, value in fields.items() if name not in found}
        found |= fresh
        if not fresh:
            (after if found else before).append(part)
    if not found.keys() & {"street", "postcode"}:
        return _place_within_place(before, found.get("state"))
    if "city" not in found and after:
        found["city"] = after.pop(0)
    elif "city" not in found and before and "street" not in found:
        found["city"] = before[-1]
    if after:
        found.setdefault("state", after[0])
    return Address(**found)


def _fields_of(part: str, has_street: bool, is_later: bool) -> dict[str, str]:
    """The fields that the part's form gives away."""
    first, last = _POSTCODE_FIRST.fullmatch(part), _POSTCODE_LAST.fullmatch(part)
    if first and (has_street or not _STREET_KIND.search(first["city"])):
        return _given(first)
    if last and (is_later or last["state"]):
        return _given(last)
    if is_later and _STATE.fullmatch(part):
        return {"state": part}
    if has_street:
        return {}
    return _street_of(part)


def _street_of(part: str) -> dict[str, str]:
    if len(part) > MAX_STREET or _SENTENCE.search(part):
        return {}
    kind = _STREET_KIND.search(part) is not None
    match = _NUMBER_FIRST.fullmatch(part)
    if match and (kind or not match["street"][0].islower()):
        return {"street": match["street"], "housenumber": match["number"]}
    match = _NUMBER_LAST.fullmatch(part)
    if match:
        return {"street": match["street"], "housenumber": match["number"]}
    if re.fullmatch(_NUMBER, part):
        return {"housenumber": part}
    return {"street": part} if kind else {}


def _given(match: re.Match[str]) -> dict[str, str]:
    return {name: value for name, value in match.groupdict().items() if value}


def _place_within_place(parts: list[str], state: str | None) -> Address | None:
    if state and parts:
        return Address(city=parts[-1], state=state)
    if len(parts) >= 2 and all(len(part) <= 40 and not any(map(str.isdigit, part)) for part in parts[-2:]):
        return Address(city=parts[-2], state=parts[-1])
    return None
