-- Which turn off a road of the way is asked for. Texts tell the road, which is known when the way is.
select rank.value
from (
    values
    ('1'),
    ('2'),
    ('3'),
    ('4'),
    ('5')
) as rank (value)
order by rank.value
