"""What `verify` checks of questions beyond one text and one map: objects on further maps, and pictures."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from app.core.errors import ProofError
from app.db.engine import use_schema
from app.questions.assets import load_assets
from app.questions.prompts import images_of
from app.questions.records import SnapshotRef
from app.questions.second_path import Layers
from app.questions.stored import StoredQuestion
from app.questions.verification import Failure, Verification


def open_layers(connection: Connection, snapshot: SnapshotRef) -> Layers:
    """The whole layers of a map, with the facts that its questions may stand on."""
    outline = bytes.fromhex(snapshot.outline) if snapshot.outline else None
    return Layers(connection, snapshot.schema, outline, snapshot.facts)


def check_further_maps(
    connection: Connection, questions: Sequence[StoredQuestion], result: Verification
) -> None:
    """The proof names every map that the question stands on, and objects on a map beside the first are as they were."""
    several = [one for one in questions if one.further_snapshots]
    for question in several:
        expected = [one.as_json() for one in question.snapshots]
        if list(question.proved_on) != expected:
            told = list(question.proved_on)
            result.failures.append(Failure(question.id, question.template, "maps", expected, told))
    for snapshot in {one.id: one for question in several for one in question.further_snapshots}.values():
        use_schema(connection, snapshot.schema)
        layers = open_layers(connection, snapshot)
        for question in several:
            if snapshot in question.further_snapshots:
                faults = changed_objects(layers, evidence_on(question, snapshot))
                result.failures += [
                    Failure(question.id, question.template, "evidence", expected, got)
                    for expected, got in faults
                ]


def evidence_on(question: StoredQuestion, snapshot: SnapshotRef) -> list[Mapping[str, Any]]:
    """The objects that a question stands on there; those of its first map name no map."""
    first = question.snapshot.reference
    return [one for one in question.evidence if one.get("snapshot", first) == snapshot.reference]


def changed_objects(layers: Layers, evidence: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """The objects whose content is not what evidence says: what it says, and what the map has."""
    found = [(item, layers.content_hash(item["layer"], item["osm_key"])) for item in evidence]
    return [
        (f"{item['layer']} {item['osm_key']}: {item['content_hash']}", str(content))
        for item, content in found
        if content != item["content_hash"]
    ]


def check_pictures(connection: Connection, questions: Sequence[StoredQuestion], result: Verification) -> None:
    """Every picture that a prompt shows is stored, and its bytes are those that it is named by."""
    for part in images_of(question.prompt for question in questions):
        try:
            load_assets(connection, [part])
        except ProofError as error:
            result.failures += [
                Failure(one.id, one.template, "picture", part.sha256, str(error))
                for one in questions
                if part in images_of([one.prompt])
            ]
