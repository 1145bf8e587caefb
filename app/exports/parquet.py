"""Parquet in the Hugging Face layout: README.md is the card, with pictures; data/ holds a file a split.

LICENSE lies beside them. Licence, attribution and canary stand in each file's own metadata, too.
"""

from collections.abc import Sequence
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq

from app.core.identity import canonical_json
from app.exports.card import card_files
from app.exports.exported import Export, ExportedQuestion, ExportedVersion

GOLD = "gold"
PROMPT = "prompt"
REGISTER = "register"
GOLD_KIND = "gold_kind"
GOLD_KEYS = "gold_keys"
SOLUTIONS = "solutions"
COLUMNS = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("prompt_hash", pa.string(), nullable=False),
        pa.field("template", pa.string(), nullable=False),
        pa.field("template_version", pa.int32(), nullable=False),
        pa.field("snapshots", pa.list_(pa.struct({"snapshot": pa.string(), "checksum": pa.string()}))),
        pa.field("text", pa.string(), nullable=False),
        pa.field("options", pa.list_(pa.string())),
        pa.field("answer_type", pa.string(), nullable=False),
        pa.field("split", pa.string(), nullable=False),
        pa.field("variant", pa.string(), nullable=False),
    ]
)
"""A question's values as JSON Lines has them; what `columns_of` adds is, but for `register`, JSON in a text."""


def columns_of(export: Export) -> pa.Schema:
    """The columns of an export's files: `prompt` where some has more than text, `gold` where it was asked for.

    `register` is there where it is known; `gold_kind`, `gold_keys` and `solutions` where some gold is more than a value
    under the default key.
    """
    names = [REGISTER] if export.has_registers else []
    names += [PROMPT] if export.has_parts else []
    names += [GOLD] if export.with_gold else []
    names += [GOLD_KIND, GOLD_KEYS, SOLUTIONS] if export.has_gold_beside_values() else []
    columns = COLUMNS
    for name in names:
        columns = columns.append(pa.field(name, pa.string()))
    return columns


def parquet_files(export: Export) -> dict[str, bytes]:
    """File names and bytes."""
    return {
        **card_files(export, {split: data_file(split) for split in export.splits()}),
        **data_files(export),
        **export.assets,
    }


def data_files(export: Export) -> dict[str, bytes]:
    """The Parquet files alone, one a split."""
    return {
        data_file(split): _parquet(export.version, questions, columns_of(export))
        for split, questions in export.splits().items()
    }


def data_file(split: str) -> str:
    """The name of a split's file."""
    return f"data/{split}-00000-of-00001.parquet"


def marks(version: ExportedVersion) -> dict[str, str]:
    """What each file's metadata says of where it comes from."""
    return {
        "dataset": version.reference,
        "licence": version.licence["name"],
        "licence_url": version.licence["url"],
        "attribution": version.attribution,
        "canary": version.canary,
    }


def parquet_bytes(table: pa.Table) -> bytes:
    """A table as a Parquet file: the same table gives the same bytes by the same pyarrow."""
    buffer = BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _parquet(version: ExportedVersion, questions: Sequence[ExportedQuestion], schema: pa.Schema) -> bytes:
    rows = [_row(question) for question in questions]
    return parquet_bytes(pa.Table.from_pylist(rows, schema=schema.with_metadata(marks(version))))


def _row(question: ExportedQuestion) -> dict[str, object]:
    values = question.values() | {"variant": question.variant}
    in_texts = {
        name: canonical_json(values[name]) for name in (PROMPT, GOLD, GOLD_KEYS, SOLUTIONS) if name in values
    }
    return values | in_texts
