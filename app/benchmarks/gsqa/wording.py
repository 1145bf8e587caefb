"""How pages call the margins of GS-QA's questions."""

from app.published.derivation_words import DerivationWords, register_words

register_words(
    "gsqa",
    DerivationWords(
        margins={"behind": ("The next largest is smaller by", "m²"), "wanted": ("At least wanted", "m²")}
    ),
    "largest_in_region",
)
register_words(
    "gsqa", DerivationWords(margins={"behind": ("The next longest is shorter by", "m")}), "longest_in_region"
)
register_words(
    "gsqa",
    DerivationWords(
        margins={
            "clear": ("The one nearest to the edge, on either side, lies off it by", "m"),
            "tolerance": ("No place may be within this distance of the edge", "m"),
        }
    ),
    "count_in_range",
)
