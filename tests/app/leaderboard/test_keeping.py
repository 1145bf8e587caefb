"""What is kept is what was made of equal things, and no more of it than said."""

from app.leaderboard.keeping import Kept


def test_made_anew_when_what_was_seen_has_changed() -> None:
    kept, made = Kept(), []

    def make() -> int:
        made.append(1)
        return len(made)

    assert [kept.get("a", seen, make) for seen in ([1], [1], [2], [2], [1])] == [1, 1, 2, 2, 3]
    assert kept.get("b", [1], make) == 4


def test_those_asked_for_last_are_kept() -> None:
    kept = Kept(most=2)
    for key in ("a", "b", "a", "c"):
        kept.get(key, None, lambda key=key: key.upper())  # type: ignore[misc]
    assert [kept.get(key, None, lambda: "new") for key in "acb"] == ["A", "C", "new"]
