"""Routing: fastest routes on the road network of a snapshot, by OSRM if it is installed, else by the second path."""
