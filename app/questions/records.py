"""A question with its truth, as it is made, stored, loaded, verified and exported.

`Snapshot` is what the questions stage needs to know of a map; coordinates lon, lat on WGS84.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.db.naming import snapshot_reference
from app.questions.gold import VALUE, GoldKeys, revision_of
from app.questions.prompts import StoredPrompt, hash_prompt, prompt_as_text


@dataclass(frozen=True)
class SnapshotRef:
    """A published map. `outline` is hexadecimal WKB in lon, lat, or None."""

    id: int
    name: str
    schema: str
    checksum: str
    timestamp: datetime | None
    outline: str | None
    outline_source: str
    layers: Sequence[str]
    layer_schema_version: int
    facts: str | None = None
    """The id of the set of external facts that questions of it may stand on."""

    @property
    def reference(self) -> str:
        """How a person names it: `name@timestamp`."""
        return snapshot_reference(self.name, self.timestamp)

    def as_json(self) -> dict[str, Any]:
        """How recipes, proofs and exports name the map."""
        return {"snapshot": self.reference, "checksum": self.checksum}


@dataclass(frozen=True)
class QuestionRecord:
    """One question, its gold, its proof and its footprint."""

    id: str
    template: str
    template_version: int
    variant: str
    snapshot: SnapshotRef
    prompt: StoredPrompt
    options: Sequence[str] | None
    answer_type: str
    scorer: str
    split: str
    locale: str
    phrasing: int
    gold: dict[str, Any]
    sql: str
    binds: dict[str, Any]
    derive: str
    parameters: dict[str, Any]
    evidence: Sequence[dict[str, Any]]
    margin: dict[str, Any]
    distractors: Sequence[dict[str, Any]] | None
    second_path: dict[str, Any]
    footprint: "Footprint"
    names: dict[str, Any]
    popularity: list[dict[str, Any]] | None
    gold_kind: str = VALUE
    gold_keys: GoldKeys = field(default_factory=dict)
    """Answers under further keys than the default, which is `gold`."""
    further_snapshots: Sequence[SnapshotRef] = ()
    """The maps that the question stands on beside `snapshot`, its first."""
    register: str | None = None
    """In which register the text is; None where nobody asked which readings matter."""
    readings: Mapping[str, Any] | None = None
    """Which readings matter, as `Reading.as_json` says it; None where nobody asked, or none can tell."""
    solutions: Mapping[str, Any] = field(default_factory=dict)
    """What leads to the answer, by kind, such as `tool_plan`: JSON, kept with gold and as hidden."""
    proof_kind: str = "sql"
    """`program` where the derivation reads what a program makes of the SELECT's rows."""
    picture: bytes | None = field(default=None, repr=False)
    """The picture that was drawn for its prompt, as long as it may not be stored yet."""

    @property
    def snapshots(self) -> list[SnapshotRef]:
        """Every map that the question stands on, the first first."""
        return [self.snapshot, *self.further_snapshots]

    @property
    def text(self) -> str:
        """The prompt as one text."""
        return prompt_as_text(self.prompt)

    @property
    def prompt_hash(self) -> str:
        """Content hash of prompt parts and options: what a model sees."""
        return hash_prompt(self.prompt, self.options)

    @property
    def revision(self) -> str:
        """Hash of prompt hash and all gold; never leaves the database."""
        return revision_of(self.prompt_hash, self.gold, self.gold_kind, self.gold_keys)


@dataclass(frozen=True)
class Footprint:
    """What of the map a question depends on. `area` is hexadecimal EWKB."""

    area: str | None
    classes: Sequence[str]
    osm_keys: Sequence[str]
    name_keys: Sequence[str]
    uses_outline: bool
    fact_ids: Sequence[str] = ()


@dataclass(frozen=True)
class TemplateReport:
    """What became of a template's tuples: accepted + refused = capacity, or the bank was filled."""

    version: int
    capacity: int
    accepted: int
    selected: int
    refused: dict[str, int]
    options: dict[str, int] | None = None
    """Where five options were wanted: how many of the selected questions show so many; else None."""
    unanswerable: dict[str, Any] | None = None
    """Where questions without an answer were wanted and the template can ask them: what became of its tuples."""
    without_twin: int | None = None
    """Of fresh twins: for how many questions none was found; else None."""

    def as_json(self) -> dict[str, Any]:
        """As `generate --json` prints it and versions store it."""
        return {
            "version": self.version,
            "capacity": self.capacity,
            "accepted": self.accepted,
            "selected": self.selected,
            "refused": dict(sorted(self.refused.items())),
            **({"options": self.options} if self.options is not None else {}),
            **({"unanswerable": self.unanswerable} if self.unanswerable is not None else {}),
            **({"without_twin": self.without_twin} if self.without_twin is not None else {}),
        }
