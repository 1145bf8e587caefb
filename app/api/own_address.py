"""Who may send messages of MCP from a browser: only pages of this server, at an address that is its own.

A foreign page can make a browser send requests to a server in the same network, and a name that it owns can be pointed
at that server (DNS rebinding). Such requests bear the foreign name in `Host` or `Origin`. MCP's specification wants
`Origin` checked (revision 2025-06-18, "Transports", Security Warning); some foreign names show in `Host` alone.
"""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import Request
from starlette.exceptions import HTTPException

from app.api.service import ServiceOf
from app.core.strict_json import shown_name

_HOST = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[^\s\[\]:@/?#]+))(?::[0-9]*)?")


def refuse_foreign(request: Request, service: ServiceOf) -> None:
    """Raise a 421 where `Host` names another server, a 403 where `Origin` names a page of one."""
    host = request.headers.get("host", "")
    if not _is_own(_name_of(host), service.settings.http_names_known):
        raise HTTPException(
            421,
            f"This server is not known as {shown_name(host)}. Whoever runs it can add this to TRIGPOINT_HTTP_NAMES.",
        )
    origin = request.headers.get("origin")
    if origin is not None and _place_of(origin) != host.lower():
        raise HTTPException(403, f"Pages of {shown_name(origin)} may not call tools here.")


def _is_own(name: str | None, names: frozenset[str]) -> bool:
    """Whether a server may be asked by this name: one that it is known by, or an address, which nobody can redirect."""
    if name is None or name in names:
        return name is not None
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


def _name_of(host: str) -> str | None:
    """The name in a `Host`, in small letters; None for what is no name or address with at most a port behind it."""
    found = _HOST.fullmatch(host.lower())
    return (found["address"] or found["name"]) if found else None


def _place_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None
