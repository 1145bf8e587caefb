"""The script of names as they stand in OpenStreetMap."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.scripts import OTHER, script

# Letters from the beginning and end of Unicode's blocks, by the script that Scripts.txt gives them.
ALPHABETS = {
    "Latin": "AZazÀÿĀſ", "Greek": "ΑΩαω", "Cyrillic": "АЯаяЂѓ", "Armenian": "ԱՖաֆ", "Hebrew": "את",
    "Arabic": "ءيٹۓ", "Devanagari": "अह", "Bengali": "অহ", "Tamil": "அஹ", "Thai": "กฮ", "Lao": "ກຮ",
    "Tibetan": "ཀཧ", "Georgian": "აჰႠᲐ", "Ethiopic": "ሀፐ", "Khmer": "កអ", "Mongolian": "ᠠᡸ",
    "Hiragana": "ぁん", "Katakana": "ァヶｱﾝ", "Hangul": "가힣ᄀ", "Han": "一龥々豈𠀀", "Tifinagh": "ⴰⵥ",
    "Canadian Aboriginal": "ᐁᙶ", "Ol Chiki": "ᱚᱽ",
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Vaduz", "Latin"),
        ("Bendern, Äule 12", "Latin"),
        ("Москва", "Cyrillic"),
        ("Слов'янськ", "Cyrillic"),
        ("Знамʼянка", "Cyrillic"),  # the modifier letter apostrophe belongs to no script
        ("Hawaiʻi", "Latin"),
        ("Αθήνα", "Greek"),
        ("القاهرة", "Arabic"),
        ("ירושלים", "Hebrew"),
        ("北京市", "Han"),
        ("佐々木通り", "Han+Hiragana"),
        ("セブン-イレブン", "Katakana"),
        ("ラーメン屋", "Katakana+Han"),
        ("ﾛｰｿﾝ", "Katakana"),
        ("서울역", "Hangul"),
        ("กรุงเทพ", "Thai"),
        ("दिल्ली", "Devanagari"),
        ("თბილისი", "Georgian"),
        ("Երևան", "Armenian"),
        ("ⵜⴰⵎⴰⵣⵉⵖⵜ", "Tifinagh"),
        ("ᐃᖃᓗᐃᑦ", "Canadian Aboriginal"),
        ("Ελλάδα / Greece", "Greek+Latin"),
        ("Greece / Ελλάδα / Greece", "Latin+Greek"),
        ("Casablanca الدار البيضاء ⴰⵏⴼⴰ", "Latin+Arabic+Tifinagh"),
        ("ＫＦＣ", "Latin"),
        ("1ª Avenida", "Latin"),
        ("24/7", None),
        ("½ ☕ ²", None),
        ("", None),
        (None, None),
        ("\u0301", None),
        ("𓀀", OTHER),
    ],
)
def test_real_names(name: str | None, expected: str | None) -> None:
    assert script(name) == expected


@pytest.mark.parametrize(("expected", "letters"), ALPHABETS.items())
def test_alphabets(expected: str, letters: str) -> None:
    assert {script(letter) for letter in letters} == {expected}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("كشك " * 500, "Arabic"),
        ("दिल्ली " * 300, "Devanagari"),
        ("東京スカイツリーです" * 200, "Han+Katakana+Hiragana"),
    ],
)
def test_names_of_two_thousand_characters(name: str, expected: str) -> None:
    assert len(name) >= 2000
    assert script(name) == expected


@given(st.text())
def test_any_text(name: str) -> None:
    found = script(name)
    letters = [one for one in name if unicodedata.category(one).startswith("L")]
    if found is None:
        assert all(script(one) is None for one in letters)
        return
    parts = found.split("+")
    assert len(set(parts)) == len(parts)
    assert parts == list(dict.fromkeys(part for one in letters if (part := script(one))))
    assert parts[0] == script(name + "Ж").split("+")[0]  # type: ignore[union-attr]


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_ascii_goes_the_short_way(name: str) -> None:
    assert script(name) == ("Latin" if any(one.isalpha() for one in name) else None)
    assert script(name + "é") == "Latin"
