"""The tools of GeoRover's agents: they see the stations around a point and the places around it, move, and measure."""

from app.agent_tools.georover.making import make_tools

__all__ = ["make_tools"]
