"""How a board's numbers read for people: the terminal and the page share these, so that their cells are equal."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from app.leaderboard.empty_templates import empty_templates as empty_templates
from app.leaderboard.empty_templates import why_empty as why_empty
from app.leaderboard.measures import COUNTED as COUNTED
from app.leaderboard.measures import explain_measures as explain_measures
from app.leaderboard.measures import has_average as has_average
from app.leaderboard.measures import measure_average as measure_average
from app.leaderboard.measures import measure_cell as measure_cell
from app.leaderboard.measures import measure_count as measure_count
from app.leaderboard.measures import measure_heading as measure_heading
from app.leaderboard.models import Board, MapSource, Row, Sql
from app.leaderboard.numbers import NONE as NONE
from app.leaderboard.numbers import STEPPED as STEPPED
from app.leaderboard.numbers import count as count
from app.leaderboard.numbers import percent as percent
from app.leaderboard.numbers import share as share
from app.leaderboard.numbers import span as span
from app.leaderboard.numbers import stepped as stepped
from app.leaderboard.states import States
from app.predictions.submissions.card import ShownCard
from app.reviews.card import sentences
from app.scores.new_templates import LEAST_TEMPLATES
from app.scores.withholding import LEAST_HIDDEN
from app.solvers.run_kinds import JUDGEMENT
from app.templates.reference import Reference, ReferencePart

VARIANTS = {
    "hard": "made so that the options alone do not reveal the key",
    "published": "made as in the paper; the options alone may reveal the key",
}
"""What names of variants mean to a reader."""
STATE_LABELS: Mapping[str, str] = {
    "correct": "correct",
    "wrong": "wrong",
    "unparseable": "unread",
    "no_answer": "no answer",
    "error": "error",
    "missing": "missing",
}
STATE_HELP: Mapping[str, str] = {
    "correct": "right within the limit of the scorer",
    "wrong": "the answer was read and is not right",
    "unparseable": "answered, but no option, name or number could be read",
    "no_answer": "empty, or says that the model does not know; counts 0 in the mean",
    "error": "Trigpoint or the endpoint failed; the run is not ranked",
    "missing": "not answered or not scored yet; the run is not ranked",
}
SQL_HELP: Mapping[str, str] = {
    "statements": "SELECTs that the model wrote, one for each question",
    "valid": "statements that ran or ran out of time, in per cent, as the paper counts them",
    "timeouts": "statements that were stopped after 60 s; they count as valid",
    "refused": "statements that the check refused before they ran; they are also counted by kind",
    "column": "column not found",
    "function": "function not found, or not allowed",
    "operator": "operator not found",
    "relation": "table or view not found, or not allowed",
    "missing_from": "a table that FROM does not name",
    "subquery": "a sub-query that returns too much",
    "syntax": "not valid SQL",
    "resource": "needed too much memory, or could not be stopped in time",
    "other": "anything else",
}
SPENT_HELP: Mapping[str, str] = {
    "calls": "calls to models that were answered for this run",
    "tokens": "tokens of prompts and answers",
    "cost": "cost at the prices when the run was made",
    "per question": "cost divided by the number of questions",
    "median ms": "median time of a call, in milliseconds",
    "95 % ms": "95 of 100 calls took at most this long",
}


class Scored(Protocol):
    """What has a score, and its step where it counts hidden questions."""

    @property
    def score(self) -> float | None:
        """In shares of 1."""

    @property
    def step(self) -> float | None:
        """In shares of 1; None where the score is exact."""


METRICS: Mapping[str, str] = {
    "accuracy": "share of questions answered correctly",
    "mean_value": "mean value of the answers, 0 to 100 % a question",
}
PROFILES: Mapping[str, str] = {"trigpoint": "Trigpoint's rules", "published": "the paper's rules"}
"""The profiles between which pages switch, and what they are called there."""


RANKS = (
    "Rank: tied runs share a rank; runs are tied if p of the paired test on these templates, adjusted by Holm's method,"
    " is above 0.05. Runs with errors or missing answers have no rank."
)
NOT_BY_PAPER = (
    "Hidden questions do not count: scores by a second set of rules, beside Trigpoint's own, would reveal more about "
    "their answers."
)
TOO_FEW = f"Hidden questions do not count: they are fewer than {LEAST_HIDDEN}, and a score could reveal their answers."
STEPPED_STATES = ("correct", "wrong")
"""States whose counts of hidden answers follow from the stepped sum; those of the others are exact."""


PUBLIC_ONLY = [
    "Only public questions: a limited number of one owner's submissions are also scored on hidden questions. "
    "The others are scored on public questions and have no rank."
]


def score(scored: Scored) -> str:
    """The score of a row, cell or entry in per cent, marked where it is stepped."""
    return share(scored.score, scored.step)


def state(row: Row, name: str) -> str:
    """How many of a row's answers ended so, marked where that is stepped."""
    return state_count(getattr(row.states, name), name, row.step)


def state_count(number: int, name: str, step: float | None) -> str:
    """A count of answers that ended so, marked where it is stepped."""
    return stepped(count(number), step if name in STEPPED_STATES else None)


def step_size(step: float, n: int) -> str:
    """How large the step of a score over `n` questions is."""
    return f"{round(step * n, 1):g} questions, {percent(step)} points of the score"


def mark(step: float, n: int) -> str:
    """What the mark says, and how large the step of a score over `n` questions is."""
    return f"{STEPPED}: hidden questions count, rounded to steps of {step_size(step, n)}."


def steps(step: float, n: int) -> str:
    """The same, and what else one must know of it."""
    return (
        f"{mark(step, n)} They count in the overall score only, so that no single answer is revealed. Unreadable"
        " answers to them are counted as wrong."
    )


def figure(part: ReferencePart, value: float | None) -> str:
    """A figure of a paper, with the decimals that it has, two to four; a rank and a whole number have none."""
    if value is None:
        return NONE
    if part.unit == "rank" or (part.unit == "count" and are_whole(part)):
        return f"{value:,.0f}"
    decimals = next((number for number in (2, 3) if round(value, number) == value), 4)
    return f"{value:.{decimals}f}"


def are_whole(part: ReferencePart) -> bool:
    """Whether all figures of the part are whole numbers."""
    return all(one is None or one == int(one) for figures in part.rows.values() for one in figures)


def measure(part: ReferencePart) -> str:
    """What a part of a paper's table measures, and which way is better."""
    better = {"higher": "; higher is better", "lower": "; lower is better"}.get(part.better, "")
    return f"{part.measure}{better}"


def reference(found: Reference) -> list[str]:
    """What one must know to read a paper's figures."""
    return [
        f"Reported in {found.paper} ({found.url}): another map ({found.map}), other models, other questions. These "
        "figures are not ours and no run is ranked with them.",
        f"Taken from {found.source}.",
    ]


def interval(row: Row) -> str:
    """Both ends of a row's interval, in per cent."""
    return span(row.low, row.high)


def signed_span(low: float | None, high: float | None) -> str:
    """Both ends of an interval that may lie below 0, in per cent with signs."""
    return NONE if low is None or high is None else f"{100 * low:+.1f} to {100 * high:+.1f}"


def probability(p: float | None) -> str:
    """A p with three decimals."""
    if p is None:
        return NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def new_templates(is_told: bool) -> str:
    """Which questions a comparison speaks for, and what the figure for new templates says, or why there is none."""
    said = "The difference, its interval and p are for the templates of this benchmark."
    if is_told:
        return f"{said} New templates: how sure the difference is for other templates of the same kind."
    return f"{said} With fewer than {LEAST_TEMPLATES} templates, nothing is said about new templates."


def spent(row: Row) -> dict[str, str]:
    """What a run's calls took: calls, tokens, cost, latency; dashes where nothing is known."""
    found = row.spent
    if found is None:
        return dict.fromkeys(SPENT_HELP, NONE)
    return {
        "calls": count(found.calls),
        "tokens": count(found.prompt_tokens + found.completion_tokens),
        "cost": NONE if found.cost is None else f"{found.cost:.4f} {found.currency}",
        "per question": NONE if found.cost_per_question is None else f"{found.cost_per_question:.6f}",
        "median ms": NONE if found.latency_median_ms is None else count(round(found.latency_median_ms)),
        "95 % ms": NONE if found.latency_p95_ms is None else count(round(found.latency_p95_ms)),
    }


def spread(row: Row) -> str:
    """How far a run's repeats lie apart, in per cent."""
    found = row.spread
    if found is None:
        return NONE
    return f"{percent(found.lowest)}–{percent(found.highest)} ({found.repeats}, s {percent(found.deviation)})"


def rank(row: Row) -> str:
    """The rank, or a dash."""
    return NONE if row.rank is None else str(row.rank)


def day(moment: datetime | None) -> str:
    """A date such as 24 July 2022, in UTC."""
    return "unknown date" if moment is None else f"{moment.day} {moment:%B %Y}"


def name(row: Row) -> str:
    """A run's label fit to be shown."""
    return printable(row.name)


def printable(label: str) -> str:
    """A label in which what controls a terminal or turns text about is replaced."""
    return "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in label) or NONE


def sql_values(sql: Sql) -> dict[str, float]:
    """What SQL_HELP names, as numbers; `valid` is a share of 1."""
    counts = {"statements": sql.statements, "timeouts": sql.timeouts, "refused": sql.refused}
    values = {**counts, "valid": sql.valid / sql.statements, **sql.kinds.model_dump()}
    return {name: values[name] for name in SQL_HELP}


def sql_cells(sql: Sql) -> dict[str, str]:
    """`sql_values` as they are shown."""
    values = sql_values(sql)
    return {name: percent(value) if name == "valid" else count(int(value)) for name, value in values.items()}


def status(row: Row) -> str:
    """Why a row has no rank; empty for one that has."""
    if row.rank is not None:
        return ""
    if row.public_only and row.score is not None:
        return "only public questions, not ranked"
    if (row.sample is not None or row.kind == JUDGEMENT) and row.score is not None:
        return "not ranked"
    if row.status == "complete":
        return "not scored yet" if row.score is None else "not compared yet"
    return row.status


def origin(row: Row) -> str:
    """Who had answers computed that were sent in; empty for a run that was asked here."""
    if row.card is None:
        return ""
    return "self-reported" if row.card.self_reported else "run by us"


def card_cells(card: ShownCard) -> dict[str, str]:
    """A card's fields as they are shown, dashes for what is not told."""
    return {
        "model": card.model or NONE,
        "revision": card.revision or NONE,
        "training_cutoff": card.training_cutoff or NONE,
        "tools": ", ".join(card.tools) or NONE,
        "retrieval_sources": ", ".join(card.retrieval_sources) or NONE,
    }


def map_source(source: MapSource) -> str:
    """A map with its date."""
    return f"{source.name}, {day(source.timestamp)}"


def maps_of(sources: Sequence[MapSource]) -> str:
    """The sentence on the maps that questions stand on; questions that others published stand on none."""
    if not sources:
        return "Map: none; these questions were published by others, and nobody has proved them here."
    return f"Map: {'; '.join(map(map_source, sources))}."


def expectations(board: Board) -> list[str]:
    """The sentences on chance and on `random`."""
    found = []
    if board.chance is not None:
        found.append(f"Chance: {percent(board.chance)} % (one option picked at random for each question).")
    if board.random_expectation is not None:
        found.append(
            f"Expected score of random: {share(board.random_expectation, board.step)} % (mean over everything that it "
            "may draw)."
        )
    return found


def review(board: Board) -> list[str]:
    """What reviewers said; nothing where nobody was asked."""
    return [] if board.review is None else sentences(board.review)


def reading(name: str, states: States) -> list[str]:
    """A warning where too few of a run's answers could be read."""
    if not states.is_badly_read:
        return []
    read = states.correct + states.wrong
    return [
        f"{name}: only {count(read)} of {count(states.answers)} answers could be read, less than 98 %. The others "
        "score 0 even if their content is right, so this score also depends on the form of the answers."
    ]


class CutOff(NamedTuple):
    """How many of a run's answers ended because the limit on tokens was reached."""

    name: str
    """Empty where only one run is spoken of."""
    truncated: int
    answers: int


def cut_off(runs: Iterable[CutOff]) -> list[str]:
    """A warning on runs of which answers ended because no more tokens were allowed, and what to do about it."""
    told = [
        f"{count(one.truncated)} of {count(one.answers)} answers" + (f" of {one.name}" if one.name else "")
        for one in runs
        if one.truncated
    ]
    if not told:
        return []
    return [
        f"Cut off, because the limit on tokens was reached: {'; '.join(told)}. They are scored as they stand, so the "
        "score also depends on that limit. Ask again with a larger `--max-tokens`; without this option the endpoint's "
        "own limit holds, which may be small."
    ]


def cautions(board: Board) -> list[str]:
    """What sets rows apart from the others: rotation, samples, answers carried over, cut off, or that were not read."""
    rotated = [
        "Rotated: each question is asked in every rotation of its options and counts once, with the mean over "
        "its rotations. The numbers of right and wrong answers count every answer."
    ]
    sampled = [
        "Samples: these runs answered only some of the questions, drawn by a seed; each template has its share. A "
        "sample has no rank. Its score is an estimate of the score on all questions; the interval shows how uncertain "
        "it is."
    ]
    found = rotated if any(row.rotated for row in board.rows) else []
    found += sampled if any(row.sample is not None for row in board.rows) else []
    found += PUBLIC_ONLY if any(row.public_only for row in board.rows) else []
    found += _carried(board) + _self_reported(board) + _with_tools(board)
    found += cut_off(CutOff(name(row), row.truncated, row.answers) for row in board.rows)
    return found + [told for row in board.rows for told in reading(name(row), row.states)]


def _carried(board: Board) -> list[str]:
    names = [name(row) for row in board.rows if row.carried_from is not None]
    if not names:
        return []
    return [
        "Carried over from an earlier version that asked the same questions; no question was asked again: "
        f"{', '.join(names)}."
    ]


def _with_tools(board: Board) -> list[str]:
    """That runs with tools are ranked apart, and in what they differ."""
    rows = [row for row in board.rows if row.tools is not None]
    if not rows:
        return []
    apart = f"With tools ({', '.join(map(name, rows))}): runs whose models could call tools are ranked apart."
    return [
        apart,
        *([say_differences(board.differ, "The runs with tools")] if len(rows) > 1 and board.differ else []),
    ]


def say_differences(differ: Sequence[str], who: str = "These runs") -> str:
    """In what compared runs differ, one part or more, in a sentence."""
    if len(differ) == 1:
        return f"{who} differ in {differ[0]} alone."
    listed = f"{', '.join(differ[:-1])} and {differ[-1]}"
    return f"{who} differ in {listed}: their scores do not tell which of these matters."


def _self_reported(board: Board) -> list[str]:
    if not any(row.card is not None and row.card.self_reported for row in board.rows):
        return []
    return [
        "Self-reported: these answers were computed elsewhere and sent in. We scored them, but did not see how they "
        "were made."
    ]


def variant(name: str) -> str:
    """A variant of wrong options, and what it means."""
    return f"{name}, {VARIANTS[name]}" if name in VARIANTS else name


def questions(board: Board) -> str:
    """How many questions count, and how many are hidden."""
    if board.left_out:
        return f"{count(board.n)} questions without {count(board.left_out)} hidden ones"
    hidden = f", {count(board.hidden)} of them hidden" if board.hidden else ""
    return f"{count(board.n)} questions{hidden}"


class HasMetric(Protocol):
    """What has a metric: a board or a report."""

    @property
    def metric(self) -> str:
        """One of METRICS."""

    @property
    def better(self) -> str:
        """Which scores are better."""

    @property
    def right(self) -> str | None:
        """Which answers a paper's rules call right."""


def metric(shown: HasMetric) -> str:
    """What a score is; by a paper's rules also which scores are better."""
    better = f" by the paper's rules ({shown.better} is better)" if shown.right else ""
    return f"{METRICS[shown.metric]}{better}"


def concealing(board: Board) -> str:
    """How the board speaks for hidden questions; empty where there are none."""
    if board.left_out:
        return TOO_FEW if board.right is None else NOT_BY_PAPER
    return "" if board.step is None else steps(board.step, board.n)


def notes(board: Board) -> list[str]:
    """What one must know to read the board."""
    return [
        f"Score: {metric(board)}; {questions(board)}. Interval: {board.interval}.",
        *([f"Right by the paper's rules: {board.right}."] if board.right else []),
        *filter(None, [concealing(board)]),
        *([f"Wrong options: {variant(board.variant)}."] if board.variant else []),
        RANKS,
    ]
