-- Where one drives to; the choice is one of these for all questions.
select
    one.class as value,
    replace(one.class, '_', ' ') as label
from (
    values
    ('charging_station'),
    ('fuel'),
    ('parking'),
    ('pharmacy'),
    ('atm')
) as one (class)
order by one.class
