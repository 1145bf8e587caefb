"""What a map lacks without which a template can ask nothing of it. Pure."""

from app.questions.gold import VALUE
from app.questions.records import SnapshotRef
from app.questions.tool_plans import OLDEST_LAYER_SCHEMA, has_plans
from app.templates.templates import Template


def lacking(snapshot: SnapshotRef, template: Template) -> str | None:
    """What the map has not that every question of the template needs, as a reason of refusal; None where it has all."""
    absent = [layer for layer in template.header.requires if layer not in snapshot.layers]
    if absent:
        return f"no_layer_{absent[0]}"
    oldest = max(
        template.header.layer_schema or 0,
        OLDEST_LAYER_SCHEMA if has_plans(template.benchmark, VALUE) else 0,
    )
    if snapshot.layer_schema_version < oldest:
        return "old_map"
    if template.header.search != "none" and snapshot.outline is None:
        return "no_outline"
    if template.uses_facts and snapshot.facts is None:
        return "no_facts"
    return None
