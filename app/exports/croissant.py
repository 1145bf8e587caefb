"""Croissant 1.0 beside the Parquet files: croissant.json tells their hashes, columns, licence and canary.

JSON-LD as https://docs.mlcommons.org/croissant/docs/croissant-spec.html defines it; a record set a split.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from app.exports.exported import Export
from app.exports.parquet import (
    GOLD,
    GOLD_KEYS,
    GOLD_KIND,
    PROMPT,
    REGISTER,
    SOLUTIONS,
    columns_of,
    data_file,
    parquet_files,
)

_TERMS = (
    *(
        "citeAs",
        "column",
        "equivalentProperty",
        "extract",
        "field",
        "fileObject",
        "fileProperty",
        "fileSet",
        "format",
    ),
    *(
        "includes",
        "isLiveDataset",
        "jsonPath",
        "key",
        "md5",
        "parentField",
        "path",
        "recordSet",
        "references",
        "regex",
    ),
    *("repeated", "replace", "samplingRate", "separator", "source", "subField", "transform"),
)
CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    **{term: f"cr:{term}" for term in _TERMS},
}
"""The terms that the specification gives; readers warn of any that are missing."""
ABOUT = {
    "id": "Stable name of the question",
    "prompt_hash": "Hash of text and options",
    "template": "The template that the question was made from",
    "template_version": "Its version",
    "text": "The question",
    "options": "What may be chosen; null where the answer is free",
    "answer_type": "What kind of answer is asked for",
    "split": "public or hidden",
    "variant": "The variant of the template",
    REGISTER: "precise or everyday: whether the text has every definition, or is as somebody would ask",
    PROMPT: "JSON with the parts of the prompt; null where it is text alone",
    GOLD: "JSON with what answers are judged by; null where it is kept in",
    GOLD_KIND: "unanswerable where it is right to say that the question cannot be answered; else null",
    SOLUTIONS: "JSON with what leads to the answer, by kind; null where there is nothing, or where it is kept in",
    GOLD_KEYS: "JSON with answers under further keys; null where there are none, or where they are kept in",
}


def croissant_files(export: Export) -> dict[str, bytes]:
    """File names and bytes: those of the Parquet layout, and croissant.json."""
    files = parquet_files(export)
    described = json.dumps(describe(export, files), ensure_ascii=False, indent=2) + "\n"
    return {"croissant.json": described.encode(), **files}


def describe(export: Export, files: Mapping[str, bytes]) -> dict[str, Any]:
    """The description of these files."""
    version = export.version
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": version.name,
        "version": f"{version.number}.0.0",
        "description": (
            f"{len(export.questions)} questions of the benchmark {version.recipe['benchmark']}, generated from"
            f" OpenStreetMap. {version.attribution}. For evaluation, not for training: canary {version.canary}."
        ),
        "license": version.licence["url"],
        "creditText": version.licence["attribution"],
        "identifier": version.canary,
        "citeAs": f"{version.reference}. {version.attribution}. Canary {version.canary}.",
        "distribution": [
            *(_file(split, files[data_file(split)]) for split in export.splits()),
            *(_picture(name, content) for name, content in sorted(export.assets.items())),
        ],
        "recordSet": [_records(split, columns_of(export)) for split in export.splits()],
    }


def _file(split: str, content: bytes) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{split}.parquet",
        "name": f"{split}.parquet",
        "contentUrl": data_file(split),
        "contentSize": f"{len(content)} B",
        "encodingFormat": "application/x-parquet",
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _picture(name: str, content: bytes) -> dict[str, Any]:
    """A picture that prompts show; the part of a prompt names its file."""
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{len(content)} B",
        "encodingFormat": "image/png" if name.endswith(".png") else "image/jpeg",
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _records(split: str, schema: pa.Schema) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": split,
        "name": split,
        "description": f"Questions whose gold is {split}.",
        "field": [_field(split, column) for column in schema if not pa.types.is_nested(_item(column.type))],
    }


def _field(split: str, column: pa.Field) -> dict[str, Any]:
    """A column; a list is its item, repeated."""
    described = {
        "@type": "cr:Field",
        "@id": f"{split}/{column.name}",
        "name": column.name,
        "description": ABOUT[column.name],
        "dataType": "sc:Integer" if pa.types.is_integer(column.type) else "sc:Text",
        "source": {"fileObject": {"@id": f"{split}.parquet"}, "extract": {"column": column.name}},
    }
    return described | ({"repeated": True} if pa.types.is_list(column.type) else {})


def _item(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_list(kind) else kind
