-- Kinds of ground whose area can be asked for: value and bind (layer:class; water of every class).
select
    surface.value,
    surface.bind
from (
    values
    (
        'any_park',
        'park:common,park:garden,park:golf_course,park:national_park,park:nature_reserve'
        || ',park:park,park:protected_area,park:recreation_ground,park:sports_centre'
        || ',park:village_green'
    ),
    ('basin', 'water:basin'),
    ('common', 'park:common'),
    ('garden', 'park:garden'),
    ('golf_course', 'park:golf_course'),
    ('green_space', 'park:common,park:garden,park:park,park:recreation_ground,park:village_green'),
    ('lake', 'water:lake'),
    ('leisure_ground', 'park:golf_course,park:recreation_ground,park:sports_centre'),
    ('marina', 'park:marina'),
    ('national_park', 'park:national_park'),
    ('nature_reserve', 'park:nature_reserve'),
    ('park', 'park:park'),
    ('pond', 'water:pond'),
    ('protected_area', 'park:protected_area'),
    ('recreation_ground', 'park:recreation_ground'),
    ('reserve', 'park:national_park,park:nature_reserve,park:protected_area'),
    ('reservoir', 'water:reservoir'),
    ('river', 'water:river'),
    ('sports_centre', 'park:sports_centre'),
    ('still_water', 'water:basin,water:lagoon,water:lake,water:oxbow,water:pond,water:reservoir,water:water'),
    ('stream', 'water:stream'),
    ('village_green', 'park:village_green'),
    ('water', 'water:')
) as surface (value, bind)
order by surface.value
