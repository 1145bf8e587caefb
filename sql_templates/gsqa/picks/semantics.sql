-- What counts of an object that lies partly in a region: the part inside, or all of it.
select semantics.value
from (
    values
    ('clipped'),
    ('intersects')
) as semantics (value)
order by semantics.value
