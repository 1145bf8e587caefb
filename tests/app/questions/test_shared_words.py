"""Words that options share with their question tell nothing: all options of a question share the same."""

import pytest

from app.questions.alike import SHARES_WORD, AlikeOptions
from app.questions.picking import Pick
from app.questions.shared_words import share_alike, shared_words, telling_words
from app.templates.header import Distractors


@pytest.mark.parametrize(
    ("option", "text", "shared"),
    [
        ("Hotel Löwen", "Café Wolf (cafe, Löwenstrasse 3)", {"lowenstrasse"}),
        ("Parkhotel", "Parkhotel Sonne (hotel)", {"parkhotel", "hotel"}),
        ("Bank", "Landesbank", {"landesbank"}),
        ("Bar Alba", "Weinbar", set()),
        ("School of Arts", "Art School (school)", {"art", "school"}),
        ("Zoo", "Zoos of La Ola", {"zoo"}),
        ("An der Au", "An der Au 5", {"der"}),
    ],
)
def test_what_is_shared(option: str, text: str, shared: set[str]) -> None:
    assert shared_words(option, telling_words(text)) == shared


def test_options_share_alike_where_none_stands_out_by_the_words_of_a_text() -> None:
    said = telling_words("Mill School and Lindt")
    assert share_alike(["Elm Road", "Church Street"], said)
    assert share_alike(["Mill Road", "Mill Lane"], said)
    assert not share_alike(["Mill Road", "Church Street"], said)
    assert not share_alike(["Mill Road", "School Street"], said)


def options_of(*texts: str) -> tuple[AlikeOptions, list[Pick]]:
    picks = [
        Pick(f"n{i}", f"n{i}", f"Place {i}", {"option": text, "name": f"Place {i}"})
        for i, text in enumerate(texts)
    ]
    return AlikeOptions(Distractors(strategy="alike"), {}, picks, 0), picks


def draw(options: AlikeOptions, pick: Pick, told: str) -> list[str] | str:
    drawn = options.draw(pick, pick.facts["option"], None, set(), telling_words(told), 3, "q")
    return drawn if isinstance(drawn, str) else [one["text"] for one in drawn]


def test_wrong_options_share_what_the_key_shares() -> None:
    schools = ["School Au", "School Feld", "School Berg", "School Tal"]
    others = ["Post", "Clinic", "Market", "Chapel", "Palace"]
    options, picks = options_of(*schools, *others)
    assert set(draw(options, picks[0], "Tennis (school)")) == set(schools[1:])
    for number in range(4, 9):
        assert set(draw(options, picks[number], "Tennis (school)")) <= set(others)


def test_a_key_that_alone_shares_a_word_is_refused() -> None:
    options, picks = options_of("School Au", "Post", "Clinic", "Market", "Chapel")
    assert draw(options, picks[0], "Tennis (school)") == SHARES_WORD
