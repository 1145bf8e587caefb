"""Solvers: what answers questions. Importing this package registers all of them."""

from app.solvers import direct, judge, options_only, oracle, rag, random, text_to_sql
from app.solvers.base import Answer, Asked, ChatCall, Mover, RunView, Solver, SqlCall, find_solver

__all__ = [
    "Answer",
    "Asked",
    "ChatCall",
    "Mover",
    "RunView",
    "Solver",
    "SqlCall",
    "direct",
    "find_solver",
    "judge",
    "options_only",
    "oracle",
    "rag",
    "random",
    "text_to_sql",
]
