-- Kinds of ground whose area can be asked for: value and bind (layer:class; water of every class).
select
    surface.value,
    surface.bind
from (
    values
    ('garden', 'park:garden'),
    ('golf_course', 'park:golf_course'),
    ('nature_reserve', 'park:nature_reserve'),
    ('park', 'park:park'),
    ('water', 'water:')
) as surface (value, bind)
order by surface.value
