"""The kinds of amenities that Amenities_Around counts; the question's text lists them."""

KINDS = frozenset(
    "arts_centre atm bank bar cafe cinema doctors fast_food fuel kindergarten library pharmacy place_of_worship police"
    " post_office pub restaurant school".split()
)
