"""Structured logs to stderr, with fields; stdout belongs to commands' results."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from app.core.words import with_hidden_shown

BESIDE = ("event", "level", "timestamp", "module")


def configure(level: str = "info", for_people: bool = False) -> None:
    """Send every logger to stderr at `level` (debug, info, warning, error); `for_people` writes sentences."""
    threshold = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _sentence if for_people else _renderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        # The stderr of the moment a line is written: one kept from here may be closed by then.
        logger_factory=lambda *_: structlog.PrintLogger(file=sys.stderr),
        cache_logger_on_first_use=False,
    )


def _renderer() -> Any:
    return structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer()


def _sentence(logger: Any, method: str, told: MutableMapping[str, Any]) -> str:
    """`Warning: what happened (field: value, …)`; when and in which module is of no use beside a command."""
    fields = {name: value for name, value in told.items() if name not in BESIDE}
    named = ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in fields.items())
    return with_hidden_shown(
        f"{told['level'].capitalize()}: {told['event']}{f' ({named})' if named else ''}."
    )


def get_logger(name: str) -> Any:
    """A logger that carries its module's name as a field."""
    return structlog.get_logger(module=name)
