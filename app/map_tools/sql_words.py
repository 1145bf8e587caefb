"""What model-written SQL may say: functions by name, and the words of SELECT that may stand before a bracket.

Left out on purpose: whatever sleeps, locks, writes, sets, reads files, runs SQL given as text, makes rows or text
out of nothing (generate_series, repeat, lpad, format), and what tells of the server or its users.
"""

_POSTGIS = """
    area asbinary asewkt asgeojson astext azimuth boundary buffer centroid closestpoint collect
    collectionextract contains containsproperly convexhull coveredby covers crosses dfullywithin difference
    dimension disjoint distance distancesphere distancespheroid dump dumppoints dwithin endpoint envelope
    equals expand extent exteriorring flipcoordinates force2d frechetdistance geogfromtext geographyfromtext
    geometryfromtext geometryn geometrytype geomfromgeojson geomfromtext hausdorffdistance intersection
    intersects interiorringn isclosed isempty isring issimple isvalid isvalidreason length length2d
    lengthspheroid linecrossingdirection lineinterpolatepoint linelocatepoint linemerge longestline
    makeenvelope makeline makepoint makepolygon makevalid maxdistance memunion multi ndims npoints
    numgeometries numinteriorrings numpoints orderingequals overlaps perimeter point pointfromtext pointn
    pointonsurface polygon project relate reverse setsrid shortestline simplify simplifypreservetopology
    snaptogrid srid startpoint symdifference touches transform unaryunion union within x xmax xmin y ymax
    ymin
"""
_SCALAR = """
    abs acos acosd asin asind atan atan2 atan2d atand cbrt ceil ceiling cos cosd cot degrees div exp floor
    greatest least ln log log10 mod nullif pi pow power radians round sign sin sind sqrt tan tand trunc
    width_bucket ascii btrim char_length character_length coalesce concat concat_ws initcap left length
    lower ltrim md5 normalize octet_length overlay position regexp_like regexp_match regexp_replace
    regexp_split_to_array regexp_substr replace reverse right rtrim split_part starts_with strpos substr
    substring to_char to_number translate trim unaccent upper age date date_part date_trunc extract
    make_date now to_date to_timestamp array_length array_position array_to_string cardinality
    string_to_array unnest jsonb_array_elements jsonb_array_elements_text jsonb_array_length
    jsonb_build_object jsonb_each jsonb_each_text jsonb_exists jsonb_extract_path jsonb_extract_path_text
    jsonb_object_keys jsonb_typeof row_to_json to_json to_jsonb similarity word_similarity
    strict_word_similarity
"""
_AGGREGATE = """
    array_agg avg bool_and bool_or count cume_dist dense_rank every first_value json_agg json_object_agg
    jsonb_agg jsonb_object_agg lag last_value lead max min mode nth_value ntile percent_rank percentile_cont
    percentile_disc rank row_number stddev stddev_pop stddev_samp string_agg sum var_pop var_samp variance
"""
FUNCTIONS = frozenset({f"st_{name}" for name in _POSTGIS.split()} | {*_SCALAR.split(), *_AGGREGATE.split()})
WORDS = frozenset(
    """
    all and any array as asc between bpchar by case cast char character cube decimal desc distinct else end
    except exists filter float from geography geometry group grouping having ilike in intersect interval is
    join lateral like limit materialized not numeric offset on or order over partition rollup row select
    sets similar some then time timestamp union using values varchar when where window with within
    """.split()
)
"""Words before a bracket that call nothing: clauses, operators, types with a length, row and array makers."""
CATALOGUE = frozenset(
    "pg_attribute pg_class pg_constraint pg_description pg_index pg_namespace pg_tables pg_type pg_views".split()
)
"""Of pg_catalog: what describes tables. The rest of it tells of the server, its users and what they are doing."""
