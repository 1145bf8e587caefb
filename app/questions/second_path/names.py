"""Second path: the normal form in which names count as equal."""

import unicodedata


def normal_form(name: str) -> str:
    """`name` after NFKC and casefold, with every run of white space as one blank and none at the ends."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def without_marks(name: str) -> str:
    """The normal form with every combining mark (an accent, an umlaut) taken off its letter."""
    letters = [
        one for one in unicodedata.normalize("NFKD", normal_form(name)) if unicodedata.combining(one) == 0
    ]
    return normal_form("".join(letters))
