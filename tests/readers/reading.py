"""What the reader has understood: what is asked for, and every parameter."""

from dataclasses import dataclass

from tests.readers.vocabulary import Filter, Kind


@dataclass(frozen=True)
class Reading:
    """What a text asks for, and all its parameters; those that it does not need are None."""

    template: str
    asks: str
    precise: bool
    """Whether the text has its definitions; else it is as anybody would ask."""
    anchor: str | None = None
    towards: str | None = None
    pinned: frozenset[str] = frozenset()
    """The keys of those of both places whose point the text tells."""
    region: str | None = None
    kind: Kind | None = None
    narrowed: Filter | None = None
    distance: float | None = None
    sector: int | None = None
    clipped: bool | None = None
    """Of what leaves a region: whether the part inside counts alone; None where the text leaves that open."""
    fact: str | None = None
    """attribute@credit: what is asked for."""
    described_by: str | None = None
    """The attribute by which the anchor is named."""

    @property
    def parameters(self) -> dict[str, str | float | int]:
        """The typed parameters, as questions store them, but for those that the text leaves open."""
        kind = self.kind.code if self.kind else None
        if kind and self.narrowed:
            kind = f"{kind}:{self.narrowed.tag}={self.narrowed.value}"
        by_template = {"T11": "ground", "T12": "line", "T27": "surface", "T28": "line"}
        semantics = None if self.clipped is None else "clipped" if self.clipped else "intersects"
        found = {
            "anchor": f"{self.anchor} {self.described_by}" if self.described_by else self.anchor,
            "towards": self.towards,
            "region": self.region,
            by_template.get(self.template, "category"): kind,
            "distance": self.distance,
            "sector": self.sector,
            "semantics": semantics if self.template in by_template else None,
            "attribute": self.fact,
        }
        return {name: value for name, value in found.items() if value is not None}
