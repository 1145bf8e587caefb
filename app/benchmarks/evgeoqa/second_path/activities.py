"""Second path: the classes of places where one does what is asked for, and the classes of destinations."""

DESTINATIONS = frozenset(("atm", "charging_station", "fuel", "parking", "pharmacy"))
ACTIVITIES: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        "restaurant": "restaurant",
        "fast_food": "fast_food",
        "cafe": "cafe",
        "bar": "bar biergarten nightclub pub",
        "hotel": "guest_house hostel hotel motel",
        "supermarket": "supermarket",
        "convenience": "convenience kiosk",
        "bakery": "bakery pastry",
        "mall": "department_store mall",
        "sports": "fitness_centre ice_rink sports_centre sports_hall stadium",
        "park": "garden park",
        "museum": "art_gallery gallery museum",
        "cinema": "cinema theatre",
        "attraction": "attraction theme_park viewpoint zoo",
        "bank": "bank",
        "pharmacy": "pharmacy",
        "doctor": "clinic doctor doctors hospital",
        "hairdresser": "beauty hairdresser",
        "spa": "massage sauna spa",
        "school": "college school university",
        "library": "library",
        "post": "post_office",
        "government": "government townhall",
        "car_repair": "car_repair",
        "car_wash": "car_wash",
    }.items()
}
