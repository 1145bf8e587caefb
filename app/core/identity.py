"""Identities by content: canonical JSON, hashes of objects, questions, prompts and presentations."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def canonical_json(value: Any) -> str:
    """`value` as JSON with sorted keys and no spaces: equal values give equal text. NaN is refused."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(*parts: Any) -> str:
    """128 bits of SHA-256 over the canonical JSON of the parts, as 32 hexadecimal digits."""
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()[:32]


def content_hash(osm_key: str, name: str | None, klass: str, tags: Mapping[str, str], wkb: bytes) -> str:
    """The content of one map object: changes when its name, class, tags or geometry do.

    `wkb` is little-endian two-dimensional WKB in lon, lat, as PostGIS's ST_AsBinary gives it.
    """
    return digest(osm_key, name, klass, dict(tags), wkb.hex())
