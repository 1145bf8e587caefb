import pytest

from app.questions.second_path.names import normal_form


@pytest.mark.parametrize(
    ("name", "normal"),
    [
        ("  Zum \t Goldenen\u00a0Stern\n", "zum goldenen stern"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("ﬁlter", "filter"),
        ("Cafe\u0301", "caf\u00e9"),
        ("Café", "café"),
    ],
)
def test_normal_form(name: str, normal: str) -> None:
    assert normal_form(name) == normal


def test_accents_still_tell_names_apart() -> None:
    assert normal_form("Café") != normal_form("Cafe")
