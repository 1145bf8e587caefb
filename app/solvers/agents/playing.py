"""Agents are written as generators: each yields its calls, is sent their results, and returns the answer.

`next_step_of` makes the pure function of it that runs need: the results so far are played through a new generator.
"""

from collections.abc import Callable, Generator, Sequence

from app.solvers.base import Answer, NextStep, QuestionView
from app.solvers.calls import Call, CallResult

Play = Generator[Call, CallResult, Answer]


def next_step_of(begin: Callable[[QuestionView], Play]) -> NextStep:
    """The next step of an agent that plays a question so."""

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Call | Answer:
        play = begin(question)
        try:
            step = next(play)
            for result in results:
                step = play.send(result)
        except StopIteration as end:
            answer = end.value
            assert isinstance(answer, Answer)
            return answer
        return step

    return next_step
