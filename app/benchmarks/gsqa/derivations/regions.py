"""What lies inside a region: counts, areas, lengths, the largest and the longest."""

from app.benchmarks.gsqa.derivations.places import names_of
from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.gold import VALUE

PLAIN_SUM = "plain_sum"
"""The key of gold under which an area is the paper's: whole objects added up, overlaps twice."""


@derivation("gsqa", "count_in_region")
def count_in_region(case: Case) -> Derived:
    """How many places lie inside, none of them within a metre of the boundary."""
    if any(row["doubtful"] for row in case.rows):
        return refused("near_region_edge")
    if any(row.get("twice_mapped") for row in case.rows):
        return refused("twice_mapped")
    inside = [row for row in case.rows if row["inside"]]
    if not inside:
        return refused("zero")
    if any(row["repaired"] for row in case.rows):
        return refused("repaired_geometry")
    evidence = [("poi", row["osm_key"]) for row in inside]
    return Derived({"count": len(inside)}, None, evidence, {"edge_metres": case.binds["edge_metres"]})


@derivation("gsqa", "area_in_region")
def area_in_region(case: Case) -> Derived:
    """Square metres inside, overlaps counted once; a clipped sum needs no margin.

    Of whole objects also the sum in which overlaps count twice, under the key PLAIN_SUM.
    """
    if not case.rows or case.rows[0]["area"] < case.limits["least"]:
        return refused("zero")
    row = case.rows[0]
    if row["repaired"]:
        return refused("repaired_geometry")
    layer = str(case.binds["surface"]).partition(":")[0]
    plain = row.get("plain_sum")
    keys = {} if plain is None else {PLAIN_SUM: {"kind": VALUE, "value": {"area": plain}}}
    evidence = [(layer, key) for key in row["osm_keys"]]
    return Derived({"area": row["area"]}, None, evidence, {}, gold_keys=keys)


@derivation("gsqa", "length_in_region")
def length_in_region(case: Case) -> Derived:
    """Metres of all lines inside; every way counts once, and a sum needs no margin."""
    if not case.rows or case.rows[0]["length"] < case.limits["least"]:
        return refused("zero")
    row = case.rows[0]
    if row["repaired"]:
        return refused("repaired_geometry")
    if row.get("along", 0.0) > case.limits.get("along", 0.0) * row["length"]:
        return refused("along_border")
    layer = str(case.binds["line"]).partition(":")[0]
    return Derived({"length": row["length"]}, None, [(layer, key) for key in row["osm_keys"]], {})


def _leading(case: Case, measure: str, least_behind: str) -> Derived:
    """The refusal and the margin of what is largest or longest; rows come largest first; no gold yet."""
    if not case.rows:
        return refused("no_answer")
    first = case.rows[0]
    if first[measure] < case.limits["least"]:
        return refused("zero")
    wanted = max(case.margins[least_behind], case.margins["ratio"] * first[measure])
    behind = first[measure] - case.rows[1][measure] if len(case.rows) > 1 else None
    if behind is not None and behind < wanted:
        return refused("margin")
    if first["repaired"]:
        return refused("repaired_geometry")
    return Derived(margin={"behind": behind, "wanted": wanted})


@derivation("gsqa", "largest_in_region")
def largest_in_region(case: Case) -> Derived:
    """The name of the largest ground by its part inside."""
    found = _leading(case, "area", "square_metres")
    if found.refusal:
        return found
    first = case.rows[0]
    objects = [{name: first[name] for name in ("osm_key", "name", "lon", "lat", "area")}]
    layer = str(case.binds["ground"]).partition(":")[0]
    gold = {"names": sorted(names_of(first)), "objects": objects, "tolerated": []}
    return Derived(gold, None, [(layer, first["osm_key"])], found.margin)


@derivation("gsqa", "longest_in_region")
def longest_in_region(case: Case) -> Derived:
    """The name of the longest line by its parts inside, with every way of that name."""
    found = _leading(case, "length", "metres")
    if found.refusal:
        return found
    first = case.rows[0]
    rival = first.get("rival")
    if rival is not None and first["least"] - rival < found.margin["wanted"]:
        return refused("along_border")
    columns = zip(first["osm_keys"], first["lons"], first["lats"], first["lengths"], strict=True)
    objects = [
        {"osm_key": key, "name": first["name"], "lon": lon, "lat": lat, "length": length}
        for key, lon, lat, length in columns
    ]
    layer = str(case.binds["line"]).partition(":")[0]
    gold = {"names": sorted(names_of(first)), "objects": objects, "tolerated": []}
    return Derived(gold, None, [(layer, key) for key in first["osm_keys"]], found.margin)
