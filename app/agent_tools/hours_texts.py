"""Opening hours made ready for the library that reads them: what it reads otherwise than people mean it is mended here.

The grammar is that of https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification.
"""

import re
from calendar import monthrange
from collections.abc import Callable

_MONTHS = {
    name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_MONTH = f"(?:{'|'.join(_MONTHS)})"
_DAY = r"\b(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH)\b(?:\[[^\]]*\])?(?:\s*[+-]\d+\s*days?)?"
_DATE = rf"\b{_MONTH}\b(?:\s+\d{{1,2}}\b(?!:))?"
_LISTS = [re.compile(rf"({one})\s*,\s*(?={one})", re.IGNORECASE) for one in (_DAY, _DATE)]
"""Commas between days, and between dates: a list, also with blanks."""
_RULES = re.compile(r'((?:"[^"]*"|[^";|])*)(\s*(?:;|\|\||$))')
_QUOTED = re.compile(r'"[^"]*"')
_TIME = re.compile(r"\d:\d\d|24/7|sun(?:rise|set)|dawn|dusk", re.IGNORECASE)
_STATE = re.compile(r"\b(?:open|closed|off|unknown)\b", re.IGNORECASE)
_DATES = re.compile(
    rf"(?:\b(\d{{4}})\s+)?\b({_MONTH})\s+(\d{{1,2}})\b(?!:)(?:\s*-\s*(\d{{1,2}})\b(?!:))?", re.IGNORECASE
)
_LEAP_YEAR = 2024


def prepare_hours(said: str) -> str | None:
    """The hours as the library reads them rightly; None where nobody can say what they mean.

    A blank after a comma between days or dates is left out: the library would begin a rule there that is open all day.
    A rule that is a comment without times becomes `unknown`. A last semicolon is left out. A date that no year has, and
    a rule without times to which another is added, make the hours unreadable.
    """
    text = _outside_quotes(said.strip(), _join_lists).rstrip("; \t")
    plain = _QUOTED.sub('""', text)
    if not text or any(map(_is_impossible, _DATES.finditer(plain))) or _adds_to_nothing(plain):
        return None
    return _RULES.sub(lambda rule: _say_unknown(rule[1]) + rule[2], text)


def names_no_time(said: str) -> bool:
    """Whether hours are words alone, as in `by appointment`: a comment without its quotes."""
    return not any(map(str.isdigit, said)) and any(map(str.isalpha, said))


def _outside_quotes(text: str, change: Callable[[str], str]) -> str:
    parts = re.split(r'("[^"]*")', text)
    return "".join(part if part.startswith('"') else change(part) for part in parts)


def _join_lists(text: str) -> str:
    for one in _LISTS:
        text = one.sub(r"\1,", text)
    return text


def _is_impossible(date: re.Match[str]) -> bool:
    """Whether a month has not so many days, in the year that is named or in any."""
    last = monthrange(int(date[1] or _LEAP_YEAR), _MONTHS[date[2].lower()])[1] if date[1] != "0000" else 0
    return not all(1 <= int(day) <= last for day in date.group(3, 4) if day)


def _adds_to_nothing(plain: str) -> bool:
    """Whether a rule follows ", " where the rule before it has neither times nor a state: it would be open all day."""
    rules = [re.split(r",\s+", rule[1]) for rule in _RULES.finditer(plain)]
    return any(
        not _TIME.search(one) and not _STATE.search(one) and '"' not in one
        for parts in rules
        for one in parts[:-1]
    )


def _say_unknown(rule: str) -> str:
    """A rule; with `unknown` before its comment where it has neither times nor a state."""
    plain = _QUOTED.sub("", rule)
    if plain == rule or _TIME.search(plain) or _STATE.search(plain):
        return rule
    return rule.replace('"', 'unknown "', 1)
