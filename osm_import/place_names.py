"""Import stage: an object's other names. Reads tags, writes nothing; pure functions."""

from collections.abc import Mapping


def official_name(tags: Mapping[str, str]) -> str | None:
    """The tag `official_name` without blanks around it; None where it is absent or empty."""
    text = tags.get("official_name")
    return text.strip() or None if text else None


def alt_names(tags: Mapping[str, str]) -> list[str]:
    """The names in `alt_name`, which OSM separates by `;`, in their order: trimmed, none empty, none twice."""
    if "alt_name" not in tags:
        return []
    parts = (part.strip() for part in tags["alt_name"].split(";"))
    return list(dict.fromkeys(part for part in parts if part))
