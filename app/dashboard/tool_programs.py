"""A call of a tool as programs make it: with curl, in Python, and as a message of the Model Context Protocol."""

import json
import shlex
from collections.abc import Mapping
from pprint import pformat
from typing import Any, NamedTuple
from urllib.parse import quote

KEY = "TRIGPOINT_KEY"
"""The variable of the environment that holds the key in what is shown."""


class Programs(NamedTuple):
    """One call, three ways."""

    curl: str
    python: str
    mcp: str
    mcp_address: str


def programs_of(site: str, snapshot: str, tool: str, arguments: Mapping[str, Any]) -> Programs:
    """The programs that make this call at the server `site`, such as http://127.0.0.1:8080."""
    root = f"{site.rstrip('/')}/v1/snapshots/{quote(snapshot, safe='@:')}"
    address = f"{root}/tools/{tool}"
    body = json.dumps(arguments, ensure_ascii=False)
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }
    return Programs(
        curl=f'curl -s {shlex.quote(address)} \\\n  -H "Authorization: Bearer ${KEY}" \\\n'
        f"  -H 'Content-Type: application/json' \\\n  -d {shlex.quote(body)}",
        python=_python(address, arguments),
        mcp=json.dumps(message, ensure_ascii=False, indent=2),
        mcp_address=f"{root}/mcp",
    )


def _python(address: str, arguments: Mapping[str, Any]) -> str:
    return (
        "import json, os, urllib.request\n\n"
        f"arguments = {pformat(dict(arguments), sort_dicts=False)}\n"
        "request = urllib.request.Request(\n"
        f"    {address!r},\n"
        "    json.dumps(arguments).encode(),\n"
        f'    {{"Authorization": f"Bearer {{os.environ[\'{KEY}\']}}", "Content-Type": "application/json"}},\n'
        ")\n"
        'print(json.load(urllib.request.urlopen(request))["sentence"])'
    )
