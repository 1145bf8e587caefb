"""Solvers: what answers questions. Importing this package registers all of them."""

from app.solvers import direct, options_only, oracle, random
from app.solvers.base import Answer, Asked, ChatCall, Mover, RunView, Solver, find_solver

__all__ = [
    "Answer",
    "Asked",
    "ChatCall",
    "Mover",
    "RunView",
    "Solver",
    "direct",
    "find_solver",
    "options_only",
    "oracle",
    "random",
]
