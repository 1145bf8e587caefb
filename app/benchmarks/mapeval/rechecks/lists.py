"""Counts over the places of one list, and the nearest of a list. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.benchmarks.mapeval.rechecks.asked import AskedQuestion, judged, unchecked
from app.benchmarks.mapeval.rechecks.contexts import ListedPlace, NearbyList
from app.benchmarks.mapeval.rechecks.geometry import ROUNDING, metres_between
from app.benchmarks.mapeval.rechecks.names import key_text, key_words, named_exactly, words_of
from app.benchmarks.mapeval.rechecks.opening import is_open, read_moment
from app.questions.rechecking.checks import Finding

COUNT = "count"
NEAREST = "nearest of a list"
_RADIUS = re.compile(
    r"\b(?:within|in)(?: an?| the)?(?: radius of)? ?([0-9][0-9,.]*) ?-?"
    r"(m|meters?|metres?|km|kilometers?|kilometres?)\b",
    re.IGNORECASE,
)
_RATING = re.compile(
    r"(?:rating|rated|ratings|stars?)\D{0,30}?(?P<how>at least|above|over|more than|higher than|greater than"
    r"|minimum(?: of)?|below|less than|under|lower than)?\D{0,12}(?P<number>[0-5](?:\.[0-9])?)"
    r"(?P<after>\s*(?:or more|or higher|or above|and above|\+|stars? or more))?",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"at least (?:a )?([0-5](?:\.[0-9])?)[ -]*(?:star)?s? ?(?:rating|ratings|stars?)?", re.IGNORECASE
)
_COUNTS = "none one two three four five six seven eight nine ten"
_COUNT_WORDS = {word: number for number, word in enumerate(_COUNTS.split())}
_CONSTRAINED = (
    r"\b(price\w*|cheap\w*|inexpensive|expensive|moderate\w*|serv\w+|veg\w+|wheelchair|reserv\w+|dine|delivery|takeout"
    r"|takeaway|left|right|road|route|way|after|then|second|third|fourth|next|other than|except|besides|not"
    r"|walk\w*|driv\w+|minutes?|hours? (?:drive|walk)|most|best|highest|lowest|popular)\b"
)
_CONDITIONED = (
    r"\b(open\w*|clos(?:e|es|ed|ing)|rat(?:ed|ing|ings)|stars?|review\w*|within|radius|today|now"
    r"|[0-9]+ ?[ap]\.?m)\b"
)
Holds = Callable[[ListedPlace], bool | None]
"""Whether a place meets a condition; None where the context does not say, or just about."""


@dataclass(frozen=True)
class Condition:
    """One condition of a count, in words and as a function; `seems` does not ask how sure it is."""

    words: str
    holds: Holds
    seems: Holds | None = None

    def seems_held(self, place: ListedPlace) -> bool:
        """Whether the place meets the condition by the printed figures."""
        return bool((self.seems or self.holds)(place))


def check_count(asked: AskedQuestion) -> Finding | None:
    """How many of a list lie within a radius, are open then, or rated so; None for other questions."""
    numbers = [_number(one) for one in asked.options]
    if not asked.says(r"\bhow many\b") or any(one is None for one in numbers) or not asked.context.lists:
        return None
    if asked.says(
        r"\b(places can i|can i visit|roundabouts?|turns?|exits?|routes?|ratings? does|reviews? does)\b"
    ):
        return None
    listed = _the_list(asked)
    if listed is None:
        return unchecked(COUNT, "It is not sure which list of the context it is asked about.")
    conditions = _conditions(asked, listed)
    if conditions is None:
        return unchecked(COUNT, "The question has a condition that is not computed here.")
    least, most = _range(listed.places, conditions)
    seem = sum(all(one.seems_held(place) for one in conditions) for place in listed.places)
    told = " and ".join(one.words for one in conditions)
    working = f"Of {len(listed.places)} listed {listed.kind.lower()}, {seem} are {told}"
    if least < most:
        working += f" ({least} to {most}, as printed figures are rounded)"
    key = numbers[min(asked.keys)]
    if seem not in numbers or (least <= (key or 0) <= most and seem != key):
        return unchecked(COUNT, f"{working}: no option says so surely.")
    return judged(asked, COUNT, numbers.index(seem), f"{working}.")


def _number(option: str) -> int | None:
    word = option.strip().rstrip(".").casefold()
    return int(word) if re.fullmatch(r"[0-9]{1,3}", word) else _COUNT_WORDS.get(word)


def _the_list(asked: AskedQuestion) -> NearbyList | None:
    """The only list whose kind the question names and of whose anchor it speaks."""
    stems, words = {_stem(word) for word in words_of(asked.text)}, key_words(asked.text)
    fitting = [
        one
        for one in asked.context.lists
        if {_stem(word) for word in words_of(one.kind)} <= stems and key_words(one.anchor) & words
    ]
    if len(fitting) > 1:
        fitting = [one for one in fitting if key_words(one.anchor) <= words]
    return fitting[0] if len(fitting) == 1 else None


def _stem(word: str) -> str:
    """A word without its plural, as kinds of places are written."""
    for ending, instead in (("ies", "y"), ("ches", "ch"), ("sses", "ss"), ("s", "")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + instead
    return word


def _conditions(asked: AskedQuestion, listed: NearbyList) -> list[Condition] | None:
    """The conditions that a question for a count states; None where it has one that is not known here, or none."""
    if asked.says(_CONSTRAINED):
        return None
    found = [_within(asked, listed), _open_then(asked), _rated(asked)]
    stated = [one for one in found if one is not None]
    speaks = (
        asked.says(r"\b(within|radius|distance)\b"),
        asked.says(r"\b(open\w*|clos(?:e|es|ed|ing)|24 hours)\b"),
        asked.says(r"\b(rat(?:ed|ing|ings)|stars?)\b"),
    )
    if [one is not None for one in found] != list(speaks) or not stated:
        return None
    return stated


def _within(asked: AskedQuestion, listed: NearbyList) -> Condition | None:
    found = _RADIUS.search(asked.text)
    anchor = named_exactly(listed.anchor, asked.context.placed)
    if found is None or anchor is None or not key_words(listed.anchor) & key_words(asked.text):
        return None
    radius = float(found[1].replace(",", "").rstrip(".")) * (
        1000.0 if found[2].lower().startswith("k") else 1.0
    )
    if listed.radius is not None and radius > listed.radius:
        return None

    def holds(place: ListedPlace) -> bool | None:
        if not place.is_placed:
            return None
        metres = metres_between(anchor, place)
        return None if abs(metres - radius) < ROUNDING else metres < radius

    def seems(place: ListedPlace) -> bool:
        return place.is_placed and metres_between(anchor, place) <= radius

    return Condition(f"within {radius:,.0f} m of {anchor.name}", holds, seems)


def _open_then(asked: AskedQuestion) -> Condition | None:
    moment = read_moment(asked.text)
    if (
        moment is None
        or moment.day is None
        or not asked.says(r"\bopen\b")
        or asked.says(r"\b(until|24 hours|clos\w+)\b")
    ):
        return None
    at = "" if moment.minute is None else f" at {moment.minute // 60:02d}:{moment.minute % 60:02d}"

    def holds(place: ListedPlace) -> bool | None:
        return False if place.hours is None else is_open(place.hours, moment)

    return Condition(f"open on {moment.day.capitalize()}{at}", holds)


def _rated(asked: AskedQuestion) -> Condition | None:
    """A bound of the rating; which words stand before or behind the number decides whether it is met by itself."""
    least = _LEAST.search(asked.text)
    found = _RATING.search(asked.text)
    if least is None and found is None:
        return None
    if least is not None:
        how, number = "at least", float(least[1])
    else:
        assert found is not None
        how, number = (found["after"] or found["how"] or "").strip().lower(), float(found["number"])
    if how in ("above", "over", "more than", "higher than", "greater than"):
        return Condition(
            f"rated above {number:g}", lambda one: one.rating is not None and one.rating > number
        )
    if how in ("below", "less than", "under", "lower than"):
        return Condition(
            f"rated below {number:g}", lambda one: one.rating is not None and one.rating < number
        )
    if how:
        return Condition(
            f"rated {number:g} or more", lambda one: one.rating is not None and one.rating >= number
        )
    return None


def _range(places: Sequence[ListedPlace], conditions: Sequence[Condition]) -> tuple[int, int]:
    """The least and the greatest count that fit what the context says."""
    least = most = 0
    for one in places:
        held = [condition.holds(one) for condition in conditions]
        least += all(held)
        most += all(found is not False for found in held)
    return least, most


def check_nearest(asked: AskedQuestion) -> Finding | None:
    """Which of a list is the nearest, with places of the list as options; None for other questions."""
    if not asked.says(r"\b(nearest|closest)\b") or asked.says(
        r"\b(farthest|furthest|how many|pair|each other)\b"
    ):
        return None
    if asked.says(_CONSTRAINED) or asked.says(_CONDITIONED):
        return unchecked(NEAREST, "The question has a further condition.")
    listed = _the_list(asked)
    if listed is None:
        return unchecked(NEAREST, "It is not sure which list of the context it is asked about.")
    names = [key_text(one.name) for one in listed.places]
    ranks = [names.index(key_text(one)) if names.count(key_text(one)) == 1 else None for one in asked.options]
    known = [rank for rank in ranks if rank is not None]
    if len(known) < len(ranks) or len(set(known)) < len(known):
        return unchecked(NEAREST, "Not every option is the name of just one place of the list.")
    if listed.is_sorted:
        best = ranks.index(min(known))
        order = ", ".join(f"{asked.options[place]} {rank + 1}" for place, rank in enumerate(known))
        return judged(
            asked, NEAREST, best, f"The list is in the order of distance, and these are its places: {order}."
        )
    anchor = named_exactly(listed.anchor, asked.context.placed)
    chosen = [listed.places[rank] for rank in known]
    if anchor is None or not all(one.is_placed for one in chosen):
        return unchecked(NEAREST, "The list is not in the order of distance, and coordinates are missing.")
    metres = [metres_between(anchor, one) for one in chosen]
    told = "; ".join(f"{one.name} {length:,.0f} m" for one, length in zip(chosen, metres))
    first, second = sorted(metres)[:2]
    if second - first < 2 * ROUNDING:
        return unchecked(NEAREST, f"The first two are too close to each other to tell. {told}.")
    return judged(asked, NEAREST, metres.index(first), f"From {anchor.name}: {told}.")
