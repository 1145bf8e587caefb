-- Kinds of roads and waterways that are drawn as lines: `bind` lists layer:class.
select
    line.value,
    line.bind
from (
    values
    ('bridleway', 'road:bridleway'),
    ('canal', 'water:canal'),
    ('cycleway', 'road:cycleway'),
    ('ditch', 'water:ditch'),
    ('drain', 'water:drain'),
    ('footway', 'road:footway'),
    ('living_street', 'road:living_street'),
    ('main_road', 'road:primary,road:secondary,road:tertiary,road:trunk'),
    ('motorway', 'road:motorway'),
    ('path', 'road:path'),
    ('pedestrian', 'road:pedestrian'),
    ('primary', 'road:primary'),
    ('residential', 'road:residential'),
    ('river', 'water:river'),
    ('secondary', 'road:secondary'),
    ('service', 'road:service'),
    ('steps', 'road:steps'),
    ('stream', 'water:stream'),
    ('tertiary', 'road:tertiary'),
    ('track', 'road:track'),
    ('trunk', 'road:trunk'),
    ('unclassified', 'road:unclassified'),
    ('waterway', 'water:canal,water:ditch,water:drain,water:river,water:stream')
) as line (value, bind)
order by line.value
