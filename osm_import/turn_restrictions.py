"""Import stage: turn restrictions: relations of type `restriction`, with their members as the network has them. Pure.

A restriction leads from ways over a node, or over a chain of ways, to ways. What cannot be read so is rejected.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from osm_import.features import Reject
from osm_import.reasons import Reason
from osm_import.travel_table import TravelTable
from osm_import.travelling import TurnRule, turn_rules

LAYER = "turn_restriction"
TYPE = "restriction"
NO_U_TURN = "no_u_turn"
MANY_FROM, MANY_TO = "no_entry", "no_exit"
"""The kinds that may have several members with the role `from`, or `to`."""

Ends = Mapping[int, tuple[int, int]]
"""First and last node of each way."""
Member = tuple[str, int, str]
"""Type (n, w, r), id, role."""


class TurnRestriction(NamedTuple):
    """A turn that one must not make (`no_…`), or the only one that one may make (`only_…`)."""

    relation_id: int
    rule: TurnRule
    from_ways: tuple[int, ...]
    via_node: int | None
    via_ways: tuple[int, ...]
    """From the ways that one comes from on; empty where `via_node` is given."""
    to_ways: tuple[int, ...]
    start: int
    """The node where one comes off the way with the role from."""
    wkb: str
    """Where that is."""


class RestrictionRelation(NamedTuple):
    """A relation as the map has it, with what its tags mean."""

    osm_id: int
    rules: tuple[TurnRule, ...]
    from_ways: tuple[int, ...]
    via: tuple[Member, ...]
    to_ways: tuple[int, ...]

    @property
    def ways(self) -> tuple[int, ...]:
        """Every way that is a member with a role of its own."""
        return (*self.from_ways, *(ref for kind, ref, _ in self.via if kind == "w"), *self.to_ways)

    @property
    def via_nodes(self) -> tuple[int, ...]:
        """The nodes over which it leads."""
        return tuple(ref for kind, ref, _ in self.via if kind == "n")


def restriction_relation(
    osm_id: int, tags: Mapping[str, str], members: Sequence[Sequence[str | int]], table: TravelTable
) -> RestrictionRelation | None:
    """A relation of type `restriction`; None where it is for no mode of ours, or for certain hours only."""
    rules = turn_rules(tags, table)
    if not rules:
        return None
    known = [(str(kind), int(ref), str(role)) for kind, ref, role in members]

    def ways(wanted: str) -> tuple[int, ...]:
        return tuple(dict.fromkeys(ref for kind, ref, role in known if (kind, role) == ("w", wanted)))

    via = tuple(dict.fromkeys(member for member in known if member[2] == "via"))
    return RestrictionRelation(osm_id, tuple(rules), ways("from"), via, ways("to"))


class Network(NamedTuple):
    """What a map has of the members of its restrictions."""

    ends: Mapping[int, tuple[int, int]]
    """First and last node of each way that somebody may travel."""
    passed: Mapping[int, set[int]]
    """By node with the role via: the ways that have it anywhere."""
    places: Mapping[int, str]
    """Where these nodes are, as WKB."""


def resolve_all(
    relations: Iterable[RestrictionRelation], network: Network, table: TravelTable
) -> Iterator[TurnRestriction | Reject]:
    """All restrictions by relation and kind, and what cannot be read."""
    for one in sorted(relations):
        found = _resolve(one, network, table)
        yield from [found] if isinstance(found, Reject) else found


def _resolve(
    one: RestrictionRelation, network: Network, table: TravelTable
) -> list[TurnRestriction] | Reject:
    fault = _find_fault(one, table) or _find_missing(one, network.ends)
    chain = None if fault else _via_chain(one, network.ends)
    fault = fault or _find_gap(one, chain, network)
    if fault or not chain:
        known = [node for way in one.ways for node in network.ends.get(way, ())]
        place = next(
            (network.places[node] for node in (*one.via_nodes, *known) if node in network.places), None
        )
        return Reject(LAYER, "r", one.osm_id, None, *(fault or NO_CHAIN), place)
    ways = tuple(ref for kind, ref, _ in one.via if kind == "w")
    start = chain[0]
    return [
        TurnRestriction(
            one.osm_id,
            rule,
            one.from_ways,
            None if ways else start,
            ways,
            one.to_ways,
            start,
            network.places[start],
        )
        for rule in one.rules
    ]


Fault = tuple[Reason, str]
NO_CHAIN = Reason.BROKEN_TURN, "its ways with the role via make no chain from the one way to the other"


def _find_fault(one: RestrictionRelation, table: TravelTable) -> Fault | None:
    kinds = [rule.kind for rule in one.rules]
    unknown = next((kind for kind in kinds if kind not in table.restrictions), None)
    if unknown is not None:
        return Reason.UNKNOWN_TURN, f"{unknown[:40]!r} is no kind of turn restriction"
    for role, ways, many in (("from", one.from_ways, MANY_FROM), ("to", one.to_ways, MANY_TO)):
        if not ways:
            return Reason.BROKEN_TURN, f"it has no way with the role {role}"
        if len(ways) > 1 and kinds != [many]:
            return Reason.BROKEN_TURN, f"it has {len(ways)} ways with the role {role}"
    members = {kind for kind, _, _ in one.via}
    if members not in ({"n"}, {"w"}) or len(one.via_nodes) > 1:
        return Reason.BROKEN_TURN, "its members with the role via are neither one node nor ways"
    return None


def _find_missing(one: RestrictionRelation, ends: Ends) -> Fault | None:
    missing = [way for way in one.ways if way not in ends]
    if missing:
        return Reason.MISSING_MEMBERS, (
            f"{len(missing)} of its {len(one.ways)} ways are no roads of this map, w{missing[0]} first"
        )
    return None


def _via_chain(one: RestrictionRelation, ends: Ends) -> list[int] | None:
    """The nodes where one turns from way to way; None where the ways with the role via make no chain."""
    if one.via_nodes:
        return [one.via_nodes[0]]
    ways = [ref for kind, ref, _ in one.via if kind == "w"]
    for start in ends[ways[0]]:
        if any(start in ends[way] for way in one.from_ways):
            chain = _follow(start, ways, ends)
            if chain is not None and any(chain[-1] in ends[way] for way in one.to_ways):
                return chain
    return None


def _follow(start: int, ways: Iterable[int], ends: Ends) -> list[int] | None:
    """The nodes met on the ways one after the other, from `start` on."""
    chain = [start]
    for way in ways:
        first, last = ends[way]
        if chain[-1] not in (first, last):
            return None
        chain.append(last if chain[-1] == first else first)
    return chain


def _find_gap(one: RestrictionRelation, chain: list[int] | None, network: Network) -> Fault | None:
    if chain is None:
        return NO_CHAIN
    if _turns_on_way(one) and one.from_ways[0] in network.passed.get(chain[0], set()):
        return None
    for node, ways in ((chain[0], one.from_ways), (chain[-1], one.to_ways)):
        apart = next((way for way in ways if node not in network.ends[way]), None)
        if apart is not None:
            where = "passes" if apart in network.passed.get(node, set()) else "does not touch"
            return Reason.BROKEN_TURN, f"w{apart} {where} n{node}, and does not end there"
    return None


def _turns_on_way(one: RestrictionRelation) -> bool:
    """Whether it forbids to turn back on one way, which may go on beyond the node."""
    return (
        one.from_ways == one.to_ways
        and [rule.kind for rule in one.rules] == [NO_U_TURN]
        and bool(one.via_nodes)
    )
