"""The forms in which a version leaves, by the name that `--format` takes."""

from collections.abc import Callable, Mapping

from app.exports.croissant import croissant_files
from app.exports.exported import Export
from app.exports.geography import geojson_files, geoparquet_files
from app.exports.jsonl import jsonl_files
from app.exports.parquet import parquet_files
from app.exports.tasks.inspect import inspect_files
from app.exports.tasks.lm_eval import lm_eval_files

FORMATS: Mapping[str, Callable[[Export], dict[str, bytes]]] = {
    "jsonl": jsonl_files,
    "parquet": parquet_files,
    "croissant": croissant_files,
    "lm-eval": lm_eval_files,
    "inspect": inspect_files,
    "geoparquet": geoparquet_files,
    "geojson": geojson_files,
}
"""Each gives file names and bytes; the same export gives the same bytes."""
WITH_CARD = {"parquet", "croissant", "lm-eval", "inspect"}
"""Those that hold a card, with its pictures."""
WITH_AGENTS = {"inspect"}
"""Those whose tasks can give an agent tools."""
WITH_PLACES = {"geoparquet", "geojson"}
"""Those that tell where questions look."""
