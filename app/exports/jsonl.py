"""JSON Lines: questions, one a line, with the version's description, licence and canary beside them."""

from app.core.identity import canonical_json
from app.exports.exported import Export


def jsonl_files(export: Export) -> dict[str, bytes]:
    """File names and bytes."""
    version = export.version
    return {
        "questions.jsonl": "".join(question.line() for question in export.questions).encode(),
        "dataset.json": (canonical_json(version.description(len(export.questions))) + "\n").encode(),
        "LICENSE": version.licence_text.encode(),
        **export.assets,
    }
