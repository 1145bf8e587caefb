"""The statements of routers: lines of edges, and which snapshots there are."""

from sqlalchemy import TextClause, text

from app.db.naming import quoted


def edge_lines(schema: str) -> TextClause:
    """Way, position and WKB of every edge."""
    return text(f"select way_id, position, ST_AsBinary(geom) as wkb from {quoted(schema)}.road_edge")
