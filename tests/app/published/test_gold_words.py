"""Gold in words."""

from app.published.gold_words import gold_values


def test_names_in_an_order_are_told_one_after_the_other() -> None:
    assert gold_values({"order": ["Krone", "Linde"], "length": 12.5}) == [
        ("Order", "Krone → Linde"),
        ("Length", "12.5 m"),
    ]
    assert gold_values({"route": ["Feldweg", "Im Rain"]}) == [("Way", "Feldweg → Im Rain")]
