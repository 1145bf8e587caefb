"""Tools as models are told of them: JSON schemas for function calling."""

from collections.abc import Mapping
from typing import Any

from app.agent_tools.registry import Tool, all_tools


def describe_tools(tools: Mapping[str, Tool] | None = None) -> list[dict[str, Any]]:
    """Tools as `{"type": "function", "function": {name, description, parameters}}`, as chat endpoints take them.

    All tools by default.
    """
    described = all_tools() if tools is None else tools
    return [{"type": "function", "function": _describe(tool)} for tool in described.values()]


def _describe(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "parameters": schema_of(tool)}


def schema_of(tool: Tool) -> dict[str, Any]:
    """The JSON schema of a tool's arguments, without titles: these only repeat the names."""
    schema = tool.arguments.model_json_schema()
    kept = {key: value for key, value in schema.items() if key not in ("title", "description")}
    for field in kept.setdefault("properties", {}).values():
        field.pop("title", None)
    return kept
