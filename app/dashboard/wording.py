"""How things that are no scores read on pages: values of gold, margins, states, ages."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from markupsafe import Markup, escape

from app.core.identity import canonical_json
from app.core.planted import is_planted_key as is_planted_key
from app.core.words import with_hidden_shown
from app.leaderboard.formatting import NONE, count, printable
from app.published.gold_words import gold_values as gold_values
from app.published.gold_words import number as number
from app.published.inspected import ModelAnswer
from app.published.reasons import metres, square_metres
from app.published.replies import readable_arguments as readable_arguments
from app.questions.prompts import pictures_of_content, words_of_content
from app.scores.reasoning import BLIND, DRIFT, MISREAD, UNJOINED
from app.solvers.agents.terms import USUAL

ROLES: Mapping[str, str] = {
    "anchor": "asked about",
    "gold": "answer",
    "wrong": "wrong option",
    "tolerated": "accepted, too",
    "seen": "looked at",
}
ANSWER_TYPES: Mapping[str, str] = {
    "name": "a name",
    "names": "all names",
    "location": "a location",
    "azimuth": "degrees clockwise from true north",
    "count": "a number",
    "area": "square metres",
    "distance": "a distance",
    "length": "a length",
    "fact": "a fact",
    "order": "names in an order",
    "relation": "one of the terms",
    "route": "a way along named segments",
    "option": "one of the options",
}
MARGINS: Mapping[str, tuple[str, str]] = {
    "behind": ("The next best is farther away by", "m"),
    "behind_seconds": ("The next best takes longer by", "s"),
    "closest_ratio": ("Ratio of the two that are closest to each other", ""),
    "wanted": ("At least wanted", "m"),
    "clear": ("The farthest that counts lies inside the edge by", "m"),
    "tolerance": ("Accepted, but not needed for the answer: places within this distance of the edge", "m"),
    "edge_metres": ("No place that counts is within this distance of the edge", "m"),
    "covered": ("Share of all possible answers that would be right", ""),
    "fact": ("Id of the fact", ""),
    "share": ("Share of the road in the area that is in one piece", ""),
    "direct": ("Roads that meet it", ""),
    "second": ("Roads two hops away", ""),
    "outline": ("Source of the map's outline", ""),
}
NO_MARGIN: Mapping[str, str] = {"behind": "there is no other"}
"""What it means that a margin has no value; an outline without one does not matter to the question."""
OUTCOMES: Mapping[str, str] = {
    "correct": "correct",
    "partial": "partial",
    "wrong": "wrong",
    "unparseable": "unread",
    "no_answer": "no answer",
    "error": "error",
    "answered": "not scored yet",
}
STEP_STATES: Mapping[str, str] = {"failed": "failed", "lost": "lost", "sent": "in flight", "done": "done"}
ENDS: Mapping[str, str] = {
    "step_limit": "the limit on calls was reached",
    "token_limit": "the limit on tokens was reached",
    "money_limit": "the limit on money was reached",
    "time_limit": "the limit on time was reached",
    "loop": "the same call was made three times, or five replies in a row could not be read",
    "call_limit": "all calls of tools were used up",
    "unusable_replies": "three replies in a row were neither a call nor an answer",
    "no_graph": "neither the model nor templates made a graph that can be carried out",
}
"""What ends an episode of an agent without an answer: caps, and that there is no graph."""
AGENT_ERRORS: Mapping[str, str] = {
    "gold_not_used": "a tool named the right place or name, and the answer is another",
    "wrong_place": "the first search found another place than the question is about",
    "invented_argument": "a call named an id or a point that nothing had told",
    "result_contradicted": "the last result says something else than the answer",
    "unreadable": "the answer cannot be read",
}
"""What went wrong in an episode of an agent (app.scores.agents.errors)."""
EXPLORING_ERRORS: Mapping[str, str] = {
    "argument_error": "an invalid call or answer was not repaired",
    "calls_used_up_by_repeats": "the calls were used up, a quarter or more of them by repeats",
    "calls_used_up_inefficiently": "the calls were used up otherwise",
    "factual_conflation": "the answer contradicts what was seen beside stations",
    "insufficient_exploration": "no right station was seen together with a place beside it that fits",
}
"""Why an episode of an agent that explores misses (app.scores.agents.exploring_errors)."""
FAILURES: Mapping[str, str] = {
    DRIFT: "A number is wrong",
    BLIND: "The numbers are right, and what is said of them does not fit",
    UNJOINED: "A way joins what does not join",
    MISREAD: "What the prompt says is misread",
}
"""How the first broken step of an answer fails."""
EPISODE_ERRORS: Mapping[str, str] = {**AGENT_ERRORS, **EXPLORING_ERRORS}


def breakable(text: str) -> Markup:
    """`text` for a page, with places where a narrow column may break it: after : / _ . and -.

    It is escaped here, and what the text itself hides is shown, since these places are hidden signs, too.
    """
    return Markup("").join(
        escape(c) + "\u200b" if c in ":/_.-" else escape(c) for c in with_hidden_shown(text)
    )


def most_calls(solver: str, steps: int) -> str:
    """How many calls an episode of a solver may have: in all, and of tools where that ends it."""
    usual = USUAL.get(solver)
    of_tools = "" if usual is None or usual.tool_calls is None else f", {usual.tool_calls} of them of tools"
    return f"at most {steps} calls{of_tools}"


def margins(
    margin: Mapping[str, Any], own: Mapping[str, tuple[str, str]] = MappingProxyType({})
) -> list[tuple[str, str]]:
    """What the margin of a proof says; `own` are what the derivation calls its margins, where it measures others."""
    labels = {**MARGINS, **own}
    if "closest_ratio" in margin:
        labels["wanted"] = ("At most wanted", "")
    order = [name for name in labels if name in margin] + [name for name in margin if name not in labels]
    shown = []
    for name in order:
        value = margin[name]
        if name == "outline" and value is None:
            continue
        label, unit = labels.get(name, (name.replace("_", " ").capitalize(), ""))
        if value is None:
            said = NO_MARGIN.get(name, NONE)
        elif isinstance(value, str | list | dict):
            said = str(value)
        else:
            said = number(value) + (f"\u202f{unit}" if unit else "")
        shown.append((label, said))
    return shown


def many(number: int, one: str, several: str) -> str:
    """`1 object that was …` or `2 objects that were …`."""
    return f"{count(number)} {one if number == 1 else several}"


def points(difference: float) -> str:
    """A difference of shares in points of per cent, with its sign."""
    shown = f"{100 * difference:+.1f}".replace("-", "\u2212")
    return "0.0" if shown in ("+0.0", "\u22120.0") else shown


def points_span(low: float | None, high: float | None) -> str:
    """Both ends of a difference's interval."""
    return NONE if low is None or high is None else f"{points(low)} to {points(high)}"


def p_value(p: float | None) -> str:
    """A p with three decimals."""
    return NONE if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def which(repeat: int, rotation: int) -> str:
    """The end of an episode's address that says which of its question it is; empty for the first."""
    return f"?repeat={repeat}&rotation={rotation}" if repeat or rotation else ""


def bind(value: Any) -> str:
    """A bind or a parameter as JSON."""
    return value if isinstance(value, str) else canonical_json(value)


def message(content: Any) -> str:
    """The words of a chat message as it was sent."""
    return words_of_content(content) if isinstance(content, str | list) else bind(content)


def pictures(content: Any) -> list[str]:
    """The addresses of the pictures of a chat message."""
    return pictures_of_content(content)


def outcome_kind(answer: ModelAnswer) -> str:
    """What became of an answer, as pages colour it."""
    return kind_of(answer.state, answer.outcome, answer.value)


def kind_of(state: str, outcome: str | None, value: float | None) -> str:
    """What became of an answer: one that is not right and yet earns some of the points is `partial`.

    What is right within the limit of its scorer is correct, as in every count, though it may earn a little less.
    """
    if state != "answered" or outcome is None:
        return state
    return "partial" if outcome == "wrong" and value else outcome


def outcome(answer: ModelAnswer) -> str:
    """What became of an answer, in a word or two."""
    return OUTCOMES[outcome_kind(answer)]


def diagnosis(answer: ModelAnswer) -> str | None:
    """What an answer shows beside its score, in a few words; None where it shows nothing."""
    told = answer.diagnosis or {}
    if "ratio" in told:
        return f"{told['ratio']:.3g} times the right number"
    if "metres" not in told:
        return None
    if not told["metres"]:
        return f"names “{printable(told['named'])}”, which is right"
    return f"names “{printable(told['named'])}”, {metres(told['metres'])} from a right place"


def distance(value: float | None) -> str:
    """Metres, or a dash."""
    return NONE if value is None else metres(value)


def area(value: float) -> str:
    """Square metres."""
    return square_metres(value)


def osm_page(osm_key: str) -> str:
    """The address of an object at OpenStreetMap."""
    kinds = {"n": "node", "w": "way", "r": "relation"}
    return f"https://www.openstreetmap.org/{kinds[osm_key[0]]}/{osm_key[1:]}"


def age(seconds: float) -> str:
    """How long ago, in the largest unit that fits."""
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            whole = int(seconds // length)
            return f"{count(whole)} {unit}{'s' if whole != 1 else ''}"
    return f"{int(seconds)} s"


def days(at: datetime | None, now: datetime) -> str:
    """How many days ago a moment was, with one decimal."""
    return NONE if at is None else f"{(now - at).total_seconds() / 86400:,.1f}".replace(",", "\u202f")


def since(at: datetime | None, now: datetime) -> str:
    """How long ago a moment was."""
    return NONE if at is None else age(max(0.0, (now - at).total_seconds()))


def duration(seconds: float | None) -> str:
    """A time to come, such as 0:01:12."""
    return NONE if seconds is None else str(timedelta(seconds=round(seconds)))


def moment(at: datetime | None) -> str:
    """A time such as 2026-11-22 07:48 UTC."""
    return NONE if at is None else f"{at:%Y-%m-%d %H:%M} UTC"


def milliseconds(value: float | None) -> str:
    """A time of a call, in ms below a second."""
    if value is None:
        return NONE
    return f"{value:.0f}\u202fms" if value < 1000 else f"{value / 1000:.1f}\u202fs"


def short(question_id: str) -> str:
    """The beginning of an id, by which people know it."""
    return question_id[:8]
