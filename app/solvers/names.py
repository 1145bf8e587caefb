"""What Trigpoint's own solvers are called: each is registered by the module of its name in this package."""

from typing import Final, Literal, get_args

AnsweringSolver = Literal[
    "random",
    "options_only",
    "majority",
    "last_named",
    "oracle",
    "direct",
    "text_to_sql",
    "text_to_sql_facts",
    "rag",
    "tools",
    "react",
    "plan_and_solve",
    "reflexion",
    "chameleon",
    "georover",
    "geoflow",
    "nearest_station",
    "random_station",
    "spiral",
]
ANSWERING: Final[tuple[str, ...]] = get_args(AnsweringSolver)
"""Solvers that answer questions, in the order in which help and REST list them."""
JUDGE: Final = "judge"
"""The solver that marks the answers of another run."""
SOLVERS: Final = tuple(sorted((*ANSWERING, JUDGE)))
"""All of Trigpoint's own solvers."""
