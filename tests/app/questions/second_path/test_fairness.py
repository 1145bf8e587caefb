import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.questions.second_path.fairness import says_the_same, spoken, stands_out, writing


@pytest.mark.parametrize(
    ("key", "text", "why"),
    [
        ("Adler", "Krone", None),
        ("Adler", "Café Ä12", None),
        ("Adler", "Zum Adler", None),
        ("Adler", "Zum Adler Eck", "13 characters long, the key 5"),
        ("Zum Adler Eck", "Adler", "5 characters long, the key 13"),
        ("Adler", "Орёл", "written in CYRILLIC, the key in LATIN"),
        ("Adler", "12/13", "written in no script, the key in LATIN"),
        ("東京タワー", "さくら食堂", None),
        ("東京タワー", "東京 Bar", "written in CJK and LATIN, the key in CJK"),
        ("होटल ताज", "राम भवन", None),
    ],
)
def test_what_stands_out(key: str, text: str, why: str | None) -> None:
    found = stands_out(key, text)
    assert (found is None) if why is None else (found is not None and found.startswith(why)), found


def test_width_and_accents_are_no_scripts() -> None:
    assert writing("Ｃａｆｅ") == writing("Café") == writing("cafe") == "LATIN"
    assert writing("ﾗｰﾒﾝ") == writing("ラーメン") == writing("らーめん") == "CJK"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("doctor", "doctors", True),
        ("gallery", "art gallery", True),
        ("art gallery", "gallery", True),
        ("gallery", "galerie", False),
        ("fast food", "food court", False),
        ("5 Ring, Stadt", "7 Ring, Stadt", False),
        ("", "bar", False),
    ],
)
def test_what_says_the_same(one: str, other: str, same: bool) -> None:
    assert says_the_same(one, other) is same


def test_short_words_say_nothing() -> None:
    assert spoken("Cafés à la Place") == {"cafe", "place"}
    assert spoken("Cafés à la Place", 1) == {"cafe", "a", "la", "place"}


@given(st.text(min_size=1), st.text(min_size=1))
def test_looks_are_mutual(one: str, other: str) -> None:
    assert (stands_out(one, other) is None) == (stands_out(other, one) is None)
