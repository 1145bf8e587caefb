"""Words as published: tokens, stop words, and the lists that are kept with the environment."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.benchmarks.gsqa.published import tokens
from app.benchmarks.gsqa.published.tokens import tokens_of
from app.core.errors import SettingsError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The nearest zoo is the Alpine Zoo.", ["nearest", "zoo", "alpine", "zoo"]),
        ("Josephine's Kitchen & Bar", ["josephine", "'s", "kitchen", "bar"]),
        ("Josephine’s", ["josephine", "’", "s"][:2]),
        ("forty-one", ["forty-one"]),
        ("one hundred and seventy-six", ["one", "hundred", "seventy-six"]),
        ("Vaduz, FL 9490", ["vaduz", "fl", "9490"]),
        ("200 S. 1st St., Joliet", ["200", "s.", "1st", "st.", "joliet"]),
        ("It ends. Another begins", ["ends", "another", "begins"]),
        ("Liechtenstein–Vorarlberg", ["liechtenstein–vorarlberg"]),
        ("“Adler”", ["“", "adler", "”"]),
        ("", []),
        (" \n", []),
        ("the of and", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert list(tokens_of(text)) == expected


@given(st.text())
def test_any_text_has_tokens_in_lower_case(text: str) -> None:
    assert all(token and token == token.lower() for token in tokens_of(text))


@pytest.mark.parametrize(
    "piece", ["a. ", ".", "!?", "'", "n't ", "--", "$1,000.", "\u0301", "(", "w" * 99, "…"]
)
def test_long_texts_are_counted_piece_by_piece(piece: str) -> None:
    pieces = 30_000 // len(piece)
    assert len(tokens_of(piece * pieces)) <= 2 * len(piece) * pieces


def test_the_length_of_a_blank_does_not_matter() -> None:
    for blank in (" ", " \n", "\u00a0\n"):
        assert tokens_of(f"Mr.{blank * 250_000}Adler. (Vaduz){blank * 250_000}.") == tokens_of(
            "Mr. Adler. (Vaduz) ."
        )


def test_the_lists_are_those_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens.sys, "prefix", str(tmp_path))
    for make in (tokens._word_tokenizer, tokens._stop_words):
        with pytest.raises(SettingsError, match=r"scripts/venv"):
            make.__wrapped__()


def test_another_list_of_stop_words_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "nltk_data" / tokens.STOP_WORDS
    path.parent.mkdir(parents=True)
    path.write_text("the\nof\n")
    monkeypatch.setattr(tokens.sys, "prefix", str(tmp_path))
    with pytest.raises(SettingsError, match="2 stop words"):
        tokens._stop_words.__wrapped__()


def test_nltk_is_not_loaded_for_words_and_is_whole_for_whoever_imports_it() -> None:
    program = """
import sys
from app.benchmarks.gsqa.published.tokens import tokens_of

assert tokens_of("Mr. Adler. (Vaduz)") == ("mr.", "adler", "vaduz")
assert not [name for name in sys.modules if name.split(".")[0] in ("nltk", "numpy")]
import nltk

assert nltk.tokenize.punkt.PunktTokenizer and nltk.sent_tokenize
assert tokens_of("Dr. Adler. (Schaan)") == ("dr.", "adler", "schaan")
"""
    subprocess.run([sys.executable, "-c", program], check=True)
