"""Which changes of a map can change GS-QA's questions, by derivation."""

from app.questions.refresh.dependencies import (
    Dependency,
    InRegion,
    UpToSecond,
    WithinDistance,
    register_dependency,
)

register_dependency("gsqa", Dependency(WithinDistance()), "distances_in_range", "azimuths_in_range")
register_dependency("gsqa", Dependency(WithinDistance(), counts_places=True), "count_in_range")
register_dependency(
    "gsqa", Dependency(WithinDistance(), accepts_a_share=True), "names_in_range", "locations_in_range"
)
register_dependency(
    "gsqa",
    Dependency(UpToSecond(), told="distances"),
    "nearest_name",
    "nearest_name_in_sector",
    "nearest_name_by_fact",
    "nearest_fact",
    "nearest_location",
    "nearest_location_in_sector",
    "nearest_azimuth",
    "nearest_distance",
)
register_dependency("gsqa", Dependency(InRegion(), heed="told", counts_places=True), "count_in_region")
register_dependency("gsqa", Dependency(InRegion(), heed="drawn"), "area_in_region", "length_in_region")
register_dependency(
    "gsqa",
    Dependency(InRegion(), heed="told", told="distances", first_and_second=True),
    "largest_in_region",
    "longest_in_region",
)
