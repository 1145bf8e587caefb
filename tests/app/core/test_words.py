"""Names that look like others, and texts that show other words than they hold."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.words import is_printable, look_of, mixed_scripts, with_hidden_shown


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("оracle", "oracle"),
        ("ᴏʀᴀᴄʟᴇ", "oracle"),
        ("ｏｒａｃｌｅ", "oracle"),
        ("𝐨𝐫𝐚𝐜𝐥𝐞", "oracle"),
        ("0racle", "oracle"),
        ("οracle", "oracle"),
        ("ORАСLЕ", "oracle"),
        ("orac1e", "oracle"),
        ("oracIe", "oracle"),
        ("orácle", "oracle"),
        ("осо-4", "oco-4"),
        ("СОСО", "coco"),
        ("ΟΝΕ", "one"),
        ("ꓳꓠꓰ", "one"),
        ("gpt–4o", "gpt-4o"),
        ("gpt_4о", "gpt-4o"),
        ("gpt-٤o", "gpt-4o"),
        ("gernma", "gemma"),
        ("gemma  3", "gemma 3"),
        ("Gemma", "gemma"),
    ],
)
def test_names_that_look_alike_are_equal_in_their_look(name: str, like: str) -> None:
    assert look_of(name) == look_of(like)


def test_names_that_differ_look_different() -> None:
    names = "oracle random rag direct gemma-3-27b gemma-3-4b gpt-4o gpt-4 qwen2.5 модель 模型 型 μ llama phi".split()
    assert len({look_of(name) for name in names}) == len(names)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_a_look_is_that_of_itself_in_every_normal_form(name: str) -> None:
    looked = look_of(name)
    for form in ("NFC", "NFD"):
        assert look_of(unicodedata.normalize(form, name)) == looked
    assert look_of(f"  {name} ") == looked


@pytest.mark.parametrize(
    ("name", "mixed"),
    [
        ("оracle", ("Cyrillic", "Latin")),
        ("my οracle", ("Greek", "Latin")),
        ("gemma-mоdel", ("Cyrillic", "Latin")),
        ("ᎪBC", ("Cherokee", "Latin")),
        ("модель gemma-3", None),
        ("модель_gemma", None),
        ("gemma 3 模型 カナ", None),
        ("β-model", None),
        ("", None),
    ],
)
def test_a_word_of_two_alphabets_is_told(name: str, mixed: tuple[str, str] | None) -> None:
    assert mixed_scripts(name) == mixed


@pytest.mark.parametrize(
    "sign",
    "\u202e \u2066 \u200b \u200e \u061c \u00ad \u3164 \u115f \u2800 \u034f \ufe0f \x1b \x00 \u2028".split(
        " "
    ),
)
def test_what_does_not_show_is_not_printable(sign: str) -> None:
    assert not is_printable(f"a{sign}b")


def test_what_is_hidden_is_written_out_and_all_else_kept() -> None:
    assert with_hidden_shown("a\u202eb\u2069\x1b[31m\x00") == "a[U+202E]b[U+2069][U+001B][31m[U+0000]"
    assert (
        with_hidden_shown("\ufeffa\u200bb\u200dc\u00ad\u3164")
        == "[U+FEFF]a[U+200B]b[U+200D]c[U+00AD][U+3164]"
    )
    kept = "❤\ufe0f\u200d🔥 क्\u200dष 葛\U000e0100 کافه\u200cها 👩\u200d👩 שלום é\n\tx\r\n"
    assert with_hidden_shown(kept) == kept


@given(st.text())
def test_nothing_that_turns_text_is_left(text: str) -> None:
    shown = with_hidden_shown(text)
    assert not any(unicodedata.bidirectional(sign) in _TURNS for sign in shown)
    assert with_hidden_shown(shown) == shown


_TURNS = frozenset("LRE RLE LRO RLO PDF LRI RLI FSI PDI".split())
