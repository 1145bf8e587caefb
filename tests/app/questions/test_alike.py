"""Wrong options drawn as keys are: whoever sees the options alone finds the key a quarter of the time."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.names import bare_form
from app.questions.alike import (
    COMMON,
    TOO_FEW,
    Candidate,
    Offer,
    candidate_of,
    draw_alike,
    is_related,
    scripts_of,
    words_of,
)
from app.questions.distractors import order_of_options
from app.solvers.guessing import ATTACKS


def fair(one: Candidate) -> bool:
    return False


def named(*texts: str) -> list[Candidate]:
    return [Candidate(text, bare_form(text)) for text in texts]


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Café Wolf 12", "LATIN"),
        ("مطعم السلام", "ARABIC"),
        ("होटल ताज", "DEVANAGARI"),
        ("東京タワー", "CJK"),
        ("ラーメン", "CJK"),
        ("ﾗｰﾒﾝ", "CJK"),
        ("Ｃａｆｅ", "LATIN"),
        ("Ресторан bar", "CYRILLIC+LATIN"),
        ("3 銀座通り, Stadt", "CJK+LATIN"),
        ("7/11", ""),
    ],
)
def test_scripts(text: str, script: str) -> None:
    assert scripts_of(text) == script


def test_words() -> None:
    assert words_of("Cafés de l'Étoile") == {"cafe", "de", "l", "etoile"}
    assert words_of("Cafés de l'Étoile", 2) == {"cafe", "etoile"}
    assert is_related("doctor", "doctors")
    assert is_related("gallery", "art gallery")
    assert not is_related("gallery", "museum")
    assert not is_related("art galleries", "museum")


def test_what_gives_itself_away_is_not_offered() -> None:
    assert candidate_of({"option": None}, "n1") is None
    assert candidate_of({"option": "zoo", "option_says": "zoo", "question_says": "Toy Zoos"}, "n1") is None
    offered = candidate_of({"option": " Toy\n Zoo ", "option_kind": "x"}, "n1")
    assert offered
    assert (offered.text, offered.group, offered.kind) == ("Toy Zoo", "toy zoo", "x")


def test_options_are_of_one_script_and_kind_and_of_like_length() -> None:
    latin = named("Adler", "Krone", "Linde", "Rose am Weg", "An Extraordinarily Long Name Of An Inn")
    arabic = named("مطعم", "السلام", "القدس", "الشام")
    other = [Candidate(f"Haus {letter}", f"haus {letter}", "other") for letter in "abcdef"]
    offer = Offer([*latin, *arabic, *other])
    for number in range(50):
        window = offer.window(arabic[0], 2, 0, f"q{number}")
        assert set(window) <= set(arabic)
        assert arabic[0] in window
        lengths = [len(one.text) for one in offer.window(latin[1], 2, 0, f"q{number}")]
        assert max(lengths) <= 2 * min(lengths)
        assert set(offer.window(latin[1], 2, 0, f"q{number}")) <= set(latin)


@pytest.mark.parametrize(
    "texts",
    [
        ("Cafe Wolf", "Café Wolf", "Burg", "Torkel"),  # accents
        ("Cafe Wolf", "Ｃａｆｅ Ｗｏｌｆ", "Burg", "Torkel"),  # width
        ("Cafe Wolf", "CAFE  WOLF", "Burg", "Torkel"),
        ("Cafe Wolf", "Burg", "Torkel"),
        ("Cafe Wolf", "Burg", "Torkel", "Torkel"),
    ],
)
def test_too_few_that_differ(texts: tuple[str, ...]) -> None:
    window = named(*texts)
    assert draw_alike(window[0], window, 3, 0, "q", fair) == TOO_FEW


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=30), st.integers(0, 1000))
def test_whatever_the_names_options_differ_and_are_of_like_length(names: list[str], seed: int) -> None:
    window = named(*names)
    key = window[0]
    drawn = draw_alike(key, Offer(window).window(key, 2, seed, "q"), 3, seed, "q", fair)
    if isinstance(drawn, str):
        assert drawn in (TOO_FEW, COMMON)
        return
    texts = [key.text, *(one.text for one in drawn)]
    assert len({bare_form(text) for text in texts}) == 4
    assert max(map(len, texts)) <= 2 * min(map(len, texts))
    assert len({scripts_of(text) for text in texts}) == 1


@pytest.mark.long
def test_each_option_is_the_key_as_often_whatever_the_groups_sizes() -> None:
    """Of 500 candidates of five groups, half of them in one: given the groups shown, any is right as often."""
    sizes = {"a": 250, "b": 150, "c": 60, "d": 30, "e": 10}
    window = [
        Candidate(group, group, osm_key=f"{group}{i}") for group, size in sizes.items() for i in range(size)
    ]
    keys: dict[frozenset[str], Counter[str]] = {}
    for turn in range(12):
        for number, key in enumerate(window):
            drawn = draw_alike(key, window, 3, turn, f"q{number}", fair)
            if not isinstance(drawn, str):
                shown = frozenset({key.text, *(one.text for one in drawn)})
                keys.setdefault(shown, Counter())[key.text] += 1
    assert len(keys) == 5
    for shown, counted in keys.items():
        expected = counted.total() / 4
        chi_square = sum((counted[text] - expected) ** 2 / expected for text in shown)
        assert chi_square < 16.3, (shown, counted)  # 3 degrees of freedom, 0.1 %


@pytest.mark.long
def test_no_attack_on_names_does_better_than_chance() -> None:
    """4,000 questions over names of very different lengths and shared words: every attack stays under 28 %."""
    prefixes = ("Haus", "Hotel am Platz", "X", "Zum Alten Adler")
    places = [f"{prefixes[i % 4]} {i * 7919 % 4001}" for i in range(4000)]
    candidates = named(*places)
    offer = Offer(candidates)
    hits: Counter[str] = Counter()
    asked = 0
    for number, key in enumerate(candidates):
        drawn = draw_alike(key, offer.window(key, 2, 1, f"q{number}"), 3, 1, f"q{number}", fair)
        if isinstance(drawn, str):
            continue
        asked += 1
        texts = [key.text, *(one.text for one in drawn)]
        options = [texts[i] for i in order_of_options(texts, 1, f"q{number}")]
        for name, attack in ATTACKS.items():
            guess = attack(options)
            hits[name] += options[number % 4 if guess is None else guess] == key.text
    assert asked > 3500
    for name, right in hits.items():
        assert right / asked < 0.28, name
