"""Identities by content: canonical JSON, hashes of objects, questions, prompts and presentations."""

import hashlib
import json
from collections.abc import Mapping
from json.encoder import encode_basestring as _quote
from typing import Any

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_json(value: Any) -> str:
    """`value` as JSON with sorted keys and no spaces: equal values give equal text. NaN is refused."""
    return _CANONICAL.encode(value)


def digest(*parts: Any) -> str:
    """128 bits of SHA-256 over the canonical JSON of the parts, as 32 hexadecimal digits."""
    return _digest(canonical_json(parts))


def digest_of_canonical(text: str) -> str:
    """The `digest` of one part, given as its canonical JSON."""
    return _digest(f"[{text}]")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def canonical_tags(tags: Mapping[str, str]) -> str:
    """`canonical_json` of an object's tags: the same text, made faster."""
    return "{" + ",".join([f"{_quote(key)}:{_quote(value)}" for key, value in sorted(tags.items())]) + "}"


def content_hash(osm_key: str, name: str | None, klass: str, tags: Mapping[str, str], wkb: bytes) -> str:
    """The content of one map object: changes when its name, class, tags or geometry do.

    `wkb` is little-endian two-dimensional WKB in lon, lat, as PostGIS's ST_AsBinary gives it.
    """
    return content_hash_of(osm_key, content_text(name, klass, canonical_tags(tags)), wkb.hex())


def content_text(name: str | None, klass: str, tags_json: str) -> str:
    """What `content_hash_of` covers beside the object's key and geometry; the tags are canonical JSON already."""
    named = "null" if name is None else _quote(name)
    return f"{named},{_quote(klass)},{tags_json}"


def content_hash_of(osm_key: str, content: str, wkb_hex: str) -> str:
    """`content_hash` where `content` is made by `content_text`, and the WKB is lower-case hexadecimal."""
    return hashlib.sha256(f'["{osm_key}",{content},"{wkb_hex}"]'.encode()).hexdigest()[:32]
