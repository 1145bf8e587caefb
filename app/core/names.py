"""Names of places as people compare them."""

import unicodedata


def normal_form(name: str) -> str:
    """NFKC, case folded, runs of white space as one blank: two names that read alike are equal in it."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
