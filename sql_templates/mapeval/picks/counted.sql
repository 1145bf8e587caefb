-- What is counted along a way.
select counted.value
from (
    values
    ('left turns'),
    ('right turns'),
    ('roundabouts')
) as counted (value)
order by counted.value
