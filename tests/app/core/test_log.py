"""Log lines outlive the stderr that was there when logging was set up."""

import io
import sys

import pytest

from app.core import log


def test_commands_tell_people_in_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    log.configure(for_people=True)
    log.get_logger("osm_import").warning(
        "the region is cut off at the outline", beyond="2\x1b[31m km²", of_layer="road"
    )
    assert stream.getvalue().startswith("Warning: the region is cut off at the outline (beyond: 2")
    assert stream.getvalue().endswith("of layer: road).\n")
    assert "\x1b" not in stream.getvalue()


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
