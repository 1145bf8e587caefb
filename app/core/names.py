"""Names of places as people compare them."""

import unicodedata


def bare_form(name: str) -> str:
    """The normal form without accents: options that are equal in it would be told apart by a mark alone."""
    parts = unicodedata.normalize("NFKD", normal_form(name))
    return normal_form("".join(sign for sign in parts if not unicodedata.combining(sign)))


def normal_form(name: str) -> str:
    """NFKC, case folded, runs of white space as one blank: two names that read alike are equal in it."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
