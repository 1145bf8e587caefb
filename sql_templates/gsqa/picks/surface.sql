-- Kinds of ground whose area can be asked for: value and bind (layer:class; water of every class).
select
    surface.value,
    surface.bind
from (
    values
    ('basin', 'water:basin'),
    ('common', 'park:common'),
    ('garden', 'park:garden'),
    ('golf_course', 'park:golf_course'),
    ('lake', 'water:lake'),
    ('marina', 'park:marina'),
    ('national_park', 'park:national_park'),
    ('nature_reserve', 'park:nature_reserve'),
    ('park', 'park:park'),
    ('pond', 'water:pond'),
    ('protected_area', 'park:protected_area'),
    ('recreation_ground', 'park:recreation_ground'),
    ('reservoir', 'water:reservoir'),
    ('river', 'water:river'),
    ('sports_centre', 'park:sports_centre'),
    ('stream', 'water:stream'),
    ('village_green', 'park:village_green'),
    ('water', 'water:')
) as surface (value, bind)
order by surface.value
