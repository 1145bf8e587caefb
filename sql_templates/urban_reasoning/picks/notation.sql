-- How coordinates are printed: in degrees with five decimals, or in degrees, minutes and seconds.
select notation.word as value
from (
    values
    ('decimal degrees'),
    ('degrees, minutes and seconds')
) as notation (word)
order by notation.word
