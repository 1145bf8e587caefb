"""How pages call the margins of the Knowledge Module's questions, and why wrong options are wrong."""

from app.published.derivation_words import DerivationWords, register_words

register_words(
    "urban_knowledge",
    DerivationWords(
        not_found="On the map, it does not contain everything that the question asks about.",
        margins={
            "behind": ("The next smallest around it is larger by", "m²"),
            "wanted": ("At least wanted", "m²"),
        },
    ),
    "cover_option",
)
register_words(
    "urban_knowledge",
    DerivationWords(not_found="The map has no place of this name at that address."),
    "name_at_address_option",
)
register_words(
    "urban_knowledge", DerivationWords(margins={"wanted": ("At least this long", "m")}), "length_option"
)
register_words(
    "urban_knowledge",
    DerivationWords(
        margins={
            "wanted": ("Wrong options that are chosen at random differ from the answer by more than", "m")
        }
    ),
    "distance_option",
    "distance_in_context_option",
)
