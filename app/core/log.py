"""Structured logs to stderr, with fields; stdout belongs to commands' results."""

import logging
import sys
from typing import Any

import structlog


def configure(level: str = "info") -> None:
    """Send every logger to stderr at `level` (debug, info, warning, error)."""
    threshold = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        # The stderr of the moment a line is written: one kept from here may be closed by then.
        logger_factory=lambda *_: structlog.PrintLogger(file=sys.stderr),
        cache_logger_on_first_use=False,
    )


def get_logger(name: str) -> Any:
    """A logger that carries its module's name as a field."""
    return structlog.get_logger(module=name)
