"""The peer of the import benchmark: osm2pgsql with a style that makes our five layers."""
