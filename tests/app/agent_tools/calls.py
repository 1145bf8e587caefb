"""One call of every tool that the tool town can answer, for tests of the ways by which tools are called."""

from typing import Any

from tests.support.town import Imported

HERE = "50.0,10.0"


def one_call_each(town: Imported) -> dict[str, dict[str, Any]]:
    """Arguments by tool."""
    cafe, krone, linde = (town.key(name) for name in ("Café Élan", "Krone", "Linde"))
    return {
        "place_search": {"query": "Krone, Altstadt"},
        "reverse_geocode": {"where": HERE},
        "place_details": {"place": cafe},
        "nearby": {"where": HERE, "type": "restaurant", "limit": 2},
        "distance": {"origin": cafe, "destination": krone},
        "bearing": {"origin": cafe, "destination": linde, "names": 8},
        "move": {"origin": HERE, "direction": "N", "distance_m": 100},
        "area_of": {"place": town.key("Stadtpark")},
        "places_in": {"area": town.key("Altstadt"), "type": "restaurant"},
        "intersection_of": {"street": "Ring", "other": "Marktstraße"},
        "travel_time": {"origin": cafe, "destination": krone, "mode": "foot"},
        "directions": {"origin": krone, "destination": linde, "alternatives": 1},
        "distance_matrix": {"origins": [cafe, krone], "destinations": [linde], "mode": "foot"},
        "compare_routes": {"origin": krone, "destination": linde, "ways": [[], [cafe]], "mode": "foot"},
        "detour_between": {"origin": krone, "destination": linde, "type": "cafe", "mode": "foot"},
        "service_area": {"where": cafe, "minutes": 5, "type": "restaurant"},
        "plan_trip": {
            "start": cafe,
            "stops": [{"place": linde, "stay_minutes": 20}, {"place": krone, "when_open": True}],
            "mode": "foot",
            "start_time": "2024-05-03T12:00",
        },
        "calculator": {"expression": "2 * 3"},
        "open_at": {"place": cafe, "time": "2024-05-03T12:00"},
        "hours_overlap": {"places": [cafe, krone], "start": "2024-05-03T06:00", "end": "2024-05-04T00:00"},
    }
