"""Log lines outlive the stderr that was there when logging was set up."""

import io
import sys

import pytest

from app.core import log


def test_lines_go_to_the_stderr_of_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", first)
    log.configure()
    logger = log.get_logger("kept")
    logger.warning("before")
    monkeypatch.setattr(sys, "stderr", second)
    first.close()
    logger.warning("after")
    assert '"event": "after"' in second.getvalue()
