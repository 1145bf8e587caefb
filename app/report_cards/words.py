"""How a card's values read for people."""

from collections.abc import Sequence
from datetime import datetime
from string import ascii_uppercase

from app.leaderboard.numbers import NONE, count, percent
from app.report_cards.models import CardContent, CardSpent, Example, Figure, MapOfCard, RunOfCard
from app.report_cards.variants import TITLES

FORM_TITLES = TITLES
OUTCOMES = {
    "correct": "right",
    "wrong": "wrong",
    "unparseable": "could not be read",
    "no_answer": "no answer",
    "answered": "not scored yet",
    "error": "failed",
}
GAPS = {
    "gap": "a gap: more was right on the public questions",
    "no_gap": "no gap shown: the difference may be 0",
    "reverse": "a gap the other way: less was right on the public questions",
}
"""What a gap shows, without its figures, which have columns of their own."""
ROLES = {
    "anchor": "asked about",
    "gold": "answer",
    "wrong": "wrong option",
    "tolerated": "accepted, too",
    "seen": "looked at",
}


def letter(index: int) -> str:
    """The letter of an option."""
    return ascii_uppercase[index % 26]


def is_right(example: Example, option: str) -> bool:
    """Whether an option is the answer."""
    return any(one.name == "Option" and one.value == option for one in example.gold)


def outcome(example: Example) -> str:
    """What became of an answer; one that is worth a part says how much."""
    if example.outcome == "wrong" and example.worth:
        return f"worth {percent(example.worth)} %"
    return OUTCOMES.get(example.outcome or "", example.outcome or NONE)


def date(moment: datetime | None) -> str:
    """A day, in UTC as it is stored."""
    return "no date" if moment is None else f"{moment:%Y-%m-%d}"


def moment(moment: datetime | None) -> str:
    """A minute, in UTC as it is stored."""
    return NONE if moment is None else f"{moment:%Y-%m-%d %H:%M} UTC"


def credit(one: MapOfCard) -> str:
    """Whose a map is: invented places are nobody's."""
    planted = f"; {count(one.planted)} of its places are invented for tests" if one.planted else ""
    return f"© OpenStreetMap contributors, ODbL 1.0{planted}"


def unread(figure: Figure) -> str:
    """How many answers gave nothing to score, in words; empty where all did."""
    told = (
        ("unparseable", "unreadable"),
        ("no_answer", "no answer"),
        ("error", "failed"),
        ("missing", "missing"),
    )
    found = [
        f"{count(getattr(figure.states, state))} {label}".replace(" ", "\u00a0")
        for state, label in told
        if getattr(figure.states, state)
    ]
    return ", ".join(found)


def cost(spent: CardSpent) -> str:
    """What calls cost."""
    return "not known" if spent.cost is None else f"{spent.cost:,.4f} {spent.currency}".replace(",", "\u202f")


def ended_after(run: RunOfCard) -> str:
    """From the making of a run to its end; runs of a card are made together, and worked one after the other."""
    if run.finished_at is None:
        return NONE
    seconds = int((run.finished_at - run.started_at).total_seconds())
    return duration(seconds)


def duration(seconds: int) -> str:
    """Seconds, in the two largest of hours, minutes and seconds."""
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {left} s" if minutes else f"{left} s"


def span_of_runs(card: CardContent) -> str:
    """From the making of the first run to the end of the last."""
    ends = [run.finished_at for run in card.runs]
    known = [one for one in ends if one is not None]
    if not known or len(known) < len(ends):
        return NONE
    first = min(run.started_at for run in card.runs)
    return duration(int((max(known) - first).total_seconds()))


def listed(names: Sequence[str]) -> str:
    """Names with commas; a dash without any."""
    return ", ".join(names) or NONE


def settings(run: RunOfCard) -> str:
    """How a run asked, so that somebody else can ask alike."""
    told = [f"version {run.solver_version}"]
    if run.temperature is not None:
        told.append(f"temperature {run.temperature:g}")
    if run.max_tokens is not None:
        told.append(f"at most {count(run.max_tokens)} tokens")
    told.append(f"seed {run.seed}")
    return ", ".join(told + ([f"each asked {run.repeats} times"] if run.repeats > 1 else []))


def signed(share: float | None) -> str:
    """A difference in points, with its sign."""
    if share is None:
        return NONE
    shown = f"{100 * share:+.1f}"
    return "0.0" if shown in ("+0.0", "-0.0") else shown.replace("-", "−")


def signed_span(low: float | None, high: float | None) -> str:
    """Both ends of the interval of a difference, in points."""
    return NONE if low is None or high is None else f"{signed(low)} to {signed(high)}"


def amount(least: float, most: float) -> str:
    """The amounts of a group of questions."""
    shown = [f"{one:.3g}" if one < 100 else count(round(one)) for one in (least, most)]
    return shown[0] if shown[0] == shown[1] else f"{shown[0]}–{shown[1]}"
