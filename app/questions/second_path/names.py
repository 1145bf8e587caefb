"""Second path: the normal form in which names count as equal."""

import unicodedata


def normal_form(name: str) -> str:
    """`name` after NFKC and casefold, with every run of white space as one blank and none at the ends."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
