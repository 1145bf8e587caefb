"""Ask Wikidata's API for items, politely: one request at a time, a user agent that says who asks, waits as asked.

The API: https://www.wikidata.org/w/api.php (wbgetentities); etiquette: https://www.mediawiki.org/wiki/API:Etiquette.
"""

from collections.abc import Sequence
from typing import Any

from app.core.errors import EndpointRefused
from app.core.polite_http import PoliteClient, Service
from app.core.settings import Settings
from app.facts.statements import LANGUAGES

AT_ONCE = 50
"""Items a request, the most that the API gives to everybody."""
MAXLAG = 5
"""Seconds that Wikidata's copies may be behind before it asks us to wait."""
WIKIDATA = Service("Wikidata", "TRIGPOINT_WIKIDATA_URL", "docs/facts.md", 64 << 20, float(MAXLAG))


class WikidataClient:
    """Asks for entities; one request at a time. Raises SettingsError where nobody says who asks."""

    def __init__(self, settings: Settings) -> None:
        self._http = PoliteClient(WIKIDATA, settings.wikidata_url, settings.contact)
        self.api = settings.wikidata_url.rstrip("/") + "/w/api.php"
        self.pages = settings.wikidata_url.rstrip("/") + "/wiki/"

    @property
    def requests(self) -> int:
        """Requests sent so far."""
        return self._http.requests

    def entities(self, items: Sequence[str], props: str) -> dict[str, dict[str, Any]]:
        """By item: what the API says of it; an item that there is not is absent. At most AT_ONCE at once.

        An item that was merged into another answers as that one. Raises EndpointUnavailable where the server does
        not answer or stays busy, EndpointRefused where it answers something else.
        """
        asked = list(items)
        while asked:
            answer = self._ask(
                {
                    "action": "wbgetentities",
                    "format": "json",
                    "ids": "|".join(asked),
                    "languages": "|".join(LANGUAGES),
                    "maxlag": str(MAXLAG),
                    "props": props,
                }
            )
            error = answer.get("error")
            if error is None:
                return self._found(asked, answer)
            unknown = str(error.get("id")) if isinstance(error, dict) else ""
            if unknown not in asked:
                raise EndpointRefused(f"{self.api} refuses the request: {str(error)[:300]}.")
            asked.remove(unknown)
        return {}

    def _found(self, asked: Sequence[str], answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
        entities = answer.get("entities")
        found: dict[str, dict[str, Any]] = {}
        told = set()
        for key, entity in (entities if isinstance(entities, dict) else {}).items():
            if not isinstance(entity, dict):
                continue
            redirects = entity.get("redirects")
            names = {key, str(entity.get("id")), *(redirects.values() if isinstance(redirects, dict) else ())}
            told |= names
            if "missing" not in entity:
                found |= {name: entity for name in names if name in asked}
        if not told.issuperset(asked):
            raise EndpointRefused(f"{self.api} says nothing of {', '.join(sorted(set(asked) - told)[:5])}.")
        return found

    def _ask(self, query: dict[str, str]) -> dict[str, Any]:
        answer = self._http.get(self.api, query, _lagging)
        if not isinstance(answer, dict):
            raise EndpointRefused(f"{self.api} answers something that is not a JSON object.")
        return answer


def _lagging(answer: Any) -> str | None:
    fault = answer.get("error") if isinstance(answer, dict) else None
    code = fault.get("code") if isinstance(fault, dict) else None
    return code if code in ("maxlag", "ratelimited") else None
