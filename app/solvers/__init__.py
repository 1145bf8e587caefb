"""Solvers: what answers questions. `find_solver` loads the one that is asked for."""

from app.solvers.base import Answer, NextStep, QuestionView, RunView, Solver, find_solver
from app.solvers.calls import Call, CallResult

__all__ = [
    "Answer",
    "Call",
    "CallResult",
    "NextStep",
    "QuestionView",
    "RunView",
    "Solver",
    "find_solver",
]
