"""Why an episode of an agent that explores names no right station: one of five classes, the first that applies. Pure.

EVGeoQA's paper tells these errors apart by hand (appendix A.4); the rules here need something that stands in the steps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.scores.agents.conflation import Sought, has_left_out_a_right_one, prefers_a_wrong_one
from app.scores.agents.exploring import call_of, tool_of
from app.scores.registry import EpisodeStep

ARGUMENT_ERROR: Final = "argument_error"
REPEATED_CALLS: Final = "calls_used_up_by_repeats"
INEFFICIENT: Final = "calls_used_up_inefficiently"
CONFLATION: Final = "factual_conflation"
INSUFFICIENT: Final = "insufficient_exploration"
EXPLORING_CLASSES: Final = (ARGUMENT_ERROR, REPEATED_CALLS, INEFFICIENT, CONFLATION, INSUFFICIENT)

MOST_CALLS = 20
"""Tool calls of an episode in the paper's loop."""
LEAST_LEFT = 3
"""Calls that must be left for a move and a search to be of use: the last call of the paper's loop ends it."""
REPEATS_SHARE = 0.25
"""The part of the calls that must repeat earlier ones for repeats to be why the calls were used up."""
INVALID = ("bad_argument", "unknown_tool", "unknown_type")
"""Kinds of errors of calls that are written wrongly; others, such as a point without a road, are not the writing's."""
CALL_LIMITS = ("step_limit", "call_limit")
"""The caps on calls: that of a run of any agent, and that of the paper's loop."""
OTHER_LIMITS = ("token_limit", "money_limit", "time_limit")


@dataclass(frozen=True)
class Explored:
    """An episode: the stations of its key, its tool calls in their order, and what became of it.

    `is_right` is Hits@3. `outcome` is that of the score, None without an answer. `ended_by` is the cap that ended it.
    `said` are the stations of the answer. `sought` is None where the question's classes are not known.
    """

    key: Sequence[Mapping[str, Any]]
    steps: Sequence[EpisodeStep]
    is_right: bool
    outcome: str | None
    ended_by: str | None = None
    said: Sequence[Mapping[str, Any]] = ()
    sought: Sought | None = None


def exploring_classes_of(episode: Explored) -> list[str]:
    """The class of an episode that misses at 3, in a list; none of one that does not."""
    if episode.is_right:
        return []
    if is_badly_written(episode):
        return [ARGUMENT_ERROR]
    if has_used_up_calls(episode):
        return [REPEATED_CALLS if share_of_repeats(episode.steps) >= REPEATS_SHARE else INEFFICIENT]
    return [CONFLATION if is_conflated(episode) else INSUFFICIENT]


def is_badly_written(episode: Explored) -> bool:
    """Argument error: an answer that cannot be read, an end without an answer that no cap explains, or an invalid call.

    An invalid call is repaired if a later call of the same tool is answered; one of a tool that there is not, if any
    later call is. One that was repaired does not count.
    """
    if episode.outcome == "unparseable":
        return True
    ended = has_used_up_calls(episode) or episode.ended_by in OTHER_LIMITS
    if episode.outcome is None and not ended:
        return True
    answered: set[str] = set()
    for step in reversed(episode.steps):
        error = step.response.get("error")
        kind = error.get("kind") if isinstance(error, Mapping) else None
        if kind is None:
            answered.add(tool_of(step))
        elif kind in INVALID and not (answered if kind == "unknown_tool" else tool_of(step) in answered):
            return True
    return False


def has_used_up_calls(episode: Explored) -> bool:
    """Calls used up: no answer after as many calls as are allowed."""
    reached = episode.ended_by in CALL_LIMITS or len(episode.steps) >= MOST_CALLS
    return episode.outcome is None and reached and episode.ended_by not in OTHER_LIMITS


def share_of_repeats(steps: Sequence[EpisodeStep]) -> float:
    """The part of the calls that an earlier call of the episode equals, with the same arguments."""
    return 1.0 - len({call_of(step) for step in steps}) / len(steps) if steps else 0.0


def is_conflated(episode: Explored) -> bool:
    """Factual conflation: the answer leaves out a right station that was seen to fit, or prefers one that does not."""
    return has_left_out_a_right_one(episode.key, episode.steps, episode.sought) or prefers_a_wrong_one(
        episode.said, episode.steps, episode.sought
    )
