-- The four main directions.
select direction.name as value
from (
    values
    ('east'),
    ('north'),
    ('south'),
    ('west')
) as direction (name)
order by direction.name
