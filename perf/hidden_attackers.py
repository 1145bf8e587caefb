"""Simulated attackers on hidden answers: each sends in answers, is told a stepped sum, and reckons with all of them.

They know all that a submitter may: how many hidden questions there are, what is left of each question's options once a
model has looked at them, and every number that is published of their submissions, which follow from the stepped sums.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.scores.withholding import in_steps, step_width

ROUNDS = 25
"""Passes over what was told, after which beliefs have settled."""
DAMPING = 0.5
SLACK = 0.25
"""Variance that beliefs are allowed beside that of steps: without any they settle on what is wrong."""
SURE = 0.95
"""How probable an answer must be to count as known."""

Beliefs = NDArray[np.float64]
Answers = NDArray[np.int64]
Way = Callable[[Beliefs, np.random.Generator], Answers]


class Learned(NamedTuple):
    """Answers that the attacker has after some submissions, and had not before: gained by its best guess, and known."""

    gained: float
    known: float


def draw_evenly(beliefs: Beliefs, random: np.random.Generator) -> Answers:
    """Any option of every question, whatever was told: each sum speaks of all questions."""
    return random.integers(0, beliefs.shape[1], len(beliefs))


def draw_by_belief(beliefs: Beliefs, random: np.random.Generator) -> Answers:
    """Options the more often the more they are believed: what seems right is kept, the rest is tried out."""
    flat = np.sqrt(beliefs)
    shares = (flat / flat.sum(axis=1, keepdims=True)).cumsum(axis=1)
    drawn = (shares < random.random((len(beliefs), 1))).sum(axis=1)
    found: Answers = np.minimum(drawn, beliefs.shape[1] - 1)
    return found


def draw_few(part: int) -> Way:
    """The same questions each time, one of so many, and silence at all others: sums over few say more of each."""

    def draw(beliefs: Beliefs, random: np.random.Generator) -> Answers:
        answers = draw_by_belief(beliefs, random)
        answers[len(answers) // part :] = -1
        return answers

    return draw


def attack(
    questions: int, options: int, tellings: int, way: Way, random: np.random.Generator, *, exact: bool = False
) -> list[Learned]:
    """What was learned after each of the tellings; `exact` tells sums as they are instead of in steps."""
    keys = random.integers(0, options, questions)
    beliefs = np.full((questions, options), 1.0 / options)
    sent: list[Answers] = []
    told: list[float] = []
    found = []
    for _ in range(tellings):
        answers = way(beliefs, random)
        total = int(np.sum(answers == keys))
        sent.append(answers)
        told.append(total if exact else in_steps(total, questions))
        beliefs = _believe(np.array(sent), np.array(told), options, 0.0 if exact else step_width(questions))
        best, sure = beliefs.argmax(axis=1), beliefs.max(axis=1) >= SURE
        right = best == keys
        found.append(
            Learned(
                float(np.sum(right)) - questions / options, float(np.sum(right & sure)) * (1 - 1 / options)
            )
        )
    return found


def _believe(sent: Answers, told: NDArray[np.float64], options: int, width: float) -> Beliefs:
    """How probable each option of each question is, by belief propagation over the sums.

    A sum over many questions is taken as normal, and a step as noise of its own width, which is near the truth where
    many questions are open; each question's part of it is left out of what is told to the question itself.
    """
    submissions, questions = sent.shape
    chosen = sent[:, :, None] == np.arange(options)
    noise = width * width / 12 + SLACK
    messages = np.zeros((submissions, questions, options))
    for _ in range(ROUNDS):
        total = messages.sum(axis=0)
        cavity = _normalised(total[None] - messages)
        right = np.where(chosen, cavity, 0.0).sum(axis=2)
        spread = right * (1 - right)
        mean = right.sum(axis=1, keepdims=True) - right
        variance = spread.sum(axis=1, keepdims=True) - spread + noise
        off = told[:, None, None] - mean[:, :, None] - chosen
        fresh = -off * off / (2 * variance[:, :, None])
        messages = DAMPING * messages + (1 - DAMPING) * (fresh - fresh.mean(axis=2, keepdims=True))
    return _normalised(messages.sum(axis=0))


def _normalised(log_odds: NDArray[np.float64]) -> Beliefs:
    shares = np.exp(log_odds - log_odds.max(axis=-1, keepdims=True))
    found: Beliefs = shares / shares.sum(axis=-1, keepdims=True)
    return found
