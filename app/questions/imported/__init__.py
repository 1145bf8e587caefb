"""Data sets that others published: read by the format of their files, stored without a map, opened by a maintainer."""
