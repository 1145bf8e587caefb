"""Derivations: what makes gold of the rows of a template's SELECT. Benchmarks' packages register them."""

from app.questions.derivations.base import DERIVATIONS, Case, Derivation, Derived, derive

__all__ = ["DERIVATIONS", "Case", "Derivation", "Derived", "derive"]
