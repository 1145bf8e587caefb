"""The benchmark of reading prints a line for each text, and its figures as JSON."""

import json

import pytest

from perf.bench_reading import PIECES, main, seconds_to_read


def test_prints_each_text_and_ends_with_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--base", "20", "--rounds", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    figures = json.loads(lines[-1])
    assert figures["lengths"] == [20, 200, 2000]
    assert len(figures["texts"]) == 2 * len(PIECES) == len(lines) - 2
    for texts in figures["texts"].values():
        assert len(texts["seconds"]) == 3
        assert len(texts["growth"]) == 2
        assert figures["largest_growth"] >= max(texts["growth"])


def test_reading_takes_time() -> None:
    assert seconds_to_read("(A) ", 20_000, "", 1) > 0
