"""Ask a Nominatim server where an address is: one request an address, at the public server's pace where it is that one.

The API: https://nominatim.org/release-docs/latest/api/Search/; policy: https://operations.osmfoundation.org/policies/nominatim/.
"""

import math
import time
import urllib.parse
from collections.abc import Callable
from typing import Any, NamedTuple

from app.core.errors import EndpointRefused, SettingsError
from app.core.polite_http import PoliteClient, Service
from app.core.settings import Settings

PUBLIC_DOMAIN = "openstreetmap.org"
PUBLIC_SECONDS = 1.0
"""The public server's policy: at most one request a second."""
LARGEST_ANSWER = 1 << 20
LONGEST_ADDRESS = 300


class Found(NamedTuple):
    """Where the first result lies, in degrees, and the result as sent."""

    lon: float
    lat: float
    result: dict[str, Any]


class NominatimClient:
    """Places addresses, one request each. Raises SettingsError where nobody says who asks, or of whom."""

    def __init__(self, settings: Settings, base: str, sleep: Callable[[float], None] = time.sleep) -> None:
        pace = PUBLIC_SECONDS if is_public(base) else 0.0
        service = Service(
            "Nominatim",
            "TRIGPOINT_NOMINATIM_URL",
            "docs/scoring.md",
            LARGEST_ANSWER,
            5.0,
            seconds_between=pace,
        )
        self._http = PoliteClient(service, base, settings.contact, sleep)
        self.base = base
        self.url = f"{base}/search"

    @property
    def requests(self) -> int:
        """Requests sent so far."""
        return self._http.requests

    def place(self, address: str) -> Found | None:
        """The first result for an address as one text, None where the server knows none.

        Raises what PoliteClient.get raises, and EndpointRefused for an answer that is not a list of places.
        """
        answer = self._http.get(self.url, {"q": address, "format": "jsonv2", "limit": "1"})
        if not isinstance(answer, list):
            raise EndpointRefused(f"{self.url} answers something that is not a list of places.")
        return self._read(answer[0]) if answer else None

    def _read(self, result: Any) -> Found:
        try:
            lon, lat = float(result["lon"]), float(result["lat"])
        except (TypeError, KeyError, ValueError, OverflowError) as error:
            raise EndpointRefused(f"{self.url} answers a place without lon and lat.") from error
        if not (math.isfinite(lon) and math.isfinite(lat) and abs(lon) <= 180 and abs(lat) <= 90):
            raise EndpointRefused(f"{self.url} answers a place outside the earth.")
        return Found(lon, lat, result)


def nominatim_base(settings: Settings, given: str) -> str:
    """The server's address out of what a person typed: `nominatim` is that of the settings.

    Raises SettingsError where the settings name none.
    """
    base = (settings.nominatim_url or "") if given == "nominatim" else given
    if not base:
        raise SettingsError(
            "TRIGPOINT_NOMINATIM_URL is not set: it says which Nominatim server places addresses. Set it, or give "
            "its URL; see docs/scoring.md."
        )
    return base.strip().rstrip("/").removesuffix("/search").rstrip("/")


def is_public(base: str) -> bool:
    """Whether the server is one of the OpenStreetMap Foundation's."""
    host = urllib.parse.urlsplit(base).hostname or ""
    return host == PUBLIC_DOMAIN or host.endswith("." + PUBLIC_DOMAIN)
