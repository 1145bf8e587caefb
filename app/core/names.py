"""Names of places as people compare them."""

import unicodedata


def bare_form(name: str) -> str:
    """The normal form without accents: options that are equal in it would be told apart by a mark alone."""
    parts = unicodedata.normalize("NFKD", normal_form(name))
    return normal_form("".join(sign for sign in parts if not unicodedata.combining(sign)))


def normal_form(name: str) -> str:
    """NFKC, case folded, runs of white space as one blank: two names that read alike are equal in it."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


_SPELT_OUT = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i"})


def search_form(name: str) -> str:
    """The form in which names are looked up: the bare form, and letters that have no accent to lose as plain ones.

    The table `search_name` of a snapshot holds the same form, made by PostgreSQL.
    """
    return bare_form(name).translate(_SPELT_OUT)
