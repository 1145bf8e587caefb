"""Import stage: relations that make areas, as the scan takes them from the map: their tags and the ways of their rings.

A ring is made of ways whose role is outer, inner or empty (or the older enclave and exclave); ways of any other role,
such as a town hall as admin_centre, are no part of it. A multipolygon without tags of its own is of the old style of
mapping: its outer ways have them.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from osmium.osm.types import Relation

OUTER_ROLES = frozenset({"outer", "", "exclave"})
INNER_ROLES = frozenset({"inner", "enclave"})
DESCRIPTIVE = frozenset(
    "type name wikidata wikipedia source note fixme comment description attribution created_by area url website ref "
    "import_uuid odbl is_in operator start_date check_date".split()
)
"""Keys, up to the first colon and in lower case, that say nothing of what a thing is."""
MARK = "ring"
"""The tag by which areas of relations are told from those that the map reader makes of closed ways."""


class RingRelation(NamedTuple):
    """A relation whose ways are to be joined to rings."""

    osm_id: int
    version: int
    tags: dict[str, str]
    outer: tuple[int, ...]
    """Ways, each once."""
    inner: tuple[int, ...]
    old_style: bool
    """Whether its tags stand on its outer ways."""

    @property
    def ways(self) -> tuple[int, ...]:
        """Every way of its rings once; one that is given both roles is there as well."""
        return tuple(dict.fromkeys((*self.outer, *self.inner)))


def ring_relation(relation: Relation, tags: dict[str, str], *, old_style: bool) -> RingRelation:
    """A relation with the members that make its rings."""
    ways = [(member.ref, read_role(member)) for member in relation.members if member.type == "w"]
    outer, inner = (
        tuple(dict.fromkeys(ref for ref, role in ways if role in roles))
        for roles in (OUTER_ROLES, INNER_ROLES)
    )
    return RingRelation(relation.id, relation.version, tags, outer, inner, old_style)


def is_untagged(tags: Iterable[str]) -> bool:
    """Whether keys of a relation leave open what it is."""
    return all(key.partition(":")[0].lower() in DESCRIPTIVE for key in tags)


def as_opl(relations: Iterable[tuple[int, RingRelation]]) -> Iterator[str]:
    """OPL lines of the same relations, with numbers for ids: members of their rings alone, no role twice."""
    for number, one in relations:
        members = ",".join(f"w{way_id}@" for way_id in one.ways)
        yield f"r{number} v1 Ttype=multipolygon,{MARK}=yes M{members}\n"


def read_role(member: Any) -> str | None:
    """The role of a member; None where it is not UTF-8."""
    try:
        return str(member.role)
    except UnicodeDecodeError:
        return None  # whatever it is, it is none that makes a ring
