-- What one would like to know of places, and OpenStreetMap does not tell.
select
    untold.value,
    untold.label
from (
    values
    ('busy', 'was the busiest last Saturday evening'),
    ('closing', 'is going to close for good next year'),
    ('flood', 'will be under water first if there is a flood'),
    ('music', 'played the best music yesterday'),
    ('prices', 'has raised its prices the most since last year'),
    ('queue', 'has the shortest queue right now'),
    ('reviews', 'has got the best reviews this month'),
    ('staff', 'has the friendliest staff'),
    ('view', 'has the nicest view from its windows')
) as untold (value, label)
order by untold.value
