"""Import stage: OSM extract in, one published snapshot schema in PostGIS out."""
