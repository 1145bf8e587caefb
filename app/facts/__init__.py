"""External facts: what Wikidata, a file or withheld tags say about places, normalised, dated and labelled by source.

Reads facts files, Wikidata over HTTP and a snapshot's tags; writes `fact` (what sources say) and `map_fact` (what a
data set version stands on, by set; only ever added to). Facts are gold of T7 and T8: no public role may read them.
"""
