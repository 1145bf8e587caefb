"""Solvers: what answers questions. `find_solver` loads the one that is asked for."""

from app.solvers.base import Answer, Asked, ChatCall, Mover, RunView, Solver, SqlCall, find_solver

__all__ = [
    "Answer",
    "Asked",
    "ChatCall",
    "Mover",
    "RunView",
    "Solver",
    "SqlCall",
    "find_solver",
]
