"""How the SQL of a run's model went, by scope: sums of what its predictions say in `detail.sql`. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.scores.aggregating import ALL, Part

KINDS = (
    "column",
    "function",
    "operator",
    "relation",
    "missing_from",
    "subquery",
    "syntax",
    "resource",
    "other",
)
"""What can be wrong with a statement, as GS-QA counts it: what was not found, and what cannot be read; and, of ours,
what takes more memory than a statement may, or cannot be cancelled."""


def count_sql(
    parts: Sequence[Part], outcomes: Iterable[tuple[str, Mapping[str, Any]]]
) -> dict[str, dict[str, Any]]:
    """By scope: statements; the valid ones, timeouts among them; those that our check refused; and faults by kind.

    `outcomes` are question ids with {state, valid, kind}. Refused statements are not valid and counted by kind too.
    Scopes without a statement are left out. Hidden questions count: how a statement went tells nothing of gold.
    """
    by_question: dict[str, list[Mapping[str, Any]]] = {}
    for question_id, outcome in outcomes:
        by_question.setdefault(question_id, []).append(outcome)
    found = {}
    for scope, of_scope in _scopes(parts).items():
        here = [outcome for part in of_scope for outcome in by_question.get(part.question_id, ())]
        if here:
            found[scope] = _sum(here)
    return found


def _scopes(parts: Sequence[Part]) -> dict[str, list[Part]]:
    scopes = {ALL: list(parts)}
    for part in parts:
        scopes.setdefault(f"template:{part.template}", []).append(part)
    return scopes


def _sum(outcomes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    states = Counter(outcome["state"] for outcome in outcomes)
    kinds = Counter(outcome["kind"] for outcome in outcomes if not outcome["valid"])
    return {
        "statements": len(outcomes),
        "valid": sum(bool(outcome["valid"]) for outcome in outcomes),
        "timeouts": states["timeout"],
        "refused": states["refused"],
        "kinds": {kind: kinds[kind] for kind in KINDS},
    }
