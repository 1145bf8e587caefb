-- Kinds of parks and water bodies of which the largest can be asked for: `bind` lists layer:class.
select
    ground.value,
    ground.bind
from (
    values
    ('basin', 'water:basin'),
    ('common', 'park:common'),
    ('garden', 'park:garden'),
    ('golf_course', 'park:golf_course'),
    ('green_space', 'park:common,park:garden,park:park,park:recreation_ground,park:village_green'),
    ('lake', 'water:lake'),
    ('marina', 'park:marina'),
    ('national_park', 'park:national_park'),
    ('nature_reserve', 'park:nature_reserve'),
    ('park', 'park:park'),
    ('pond', 'water:pond'),
    ('protected_area', 'park:protected_area'),
    ('recreation_ground', 'park:recreation_ground'),
    ('reservoir', 'water:reservoir'),
    ('sports_centre', 'park:sports_centre'),
    ('still_water', 'water:basin,water:lagoon,water:lake,water:oxbow,water:pond,water:reservoir,water:water'),
    ('village_green', 'park:village_green')
) as ground (value, bind)
order by ground.value
