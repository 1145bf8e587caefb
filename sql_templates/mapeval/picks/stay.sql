-- How long one stays at a place, in minutes.
select
    stay.minutes as value,
    stay.minutes || ' minutes' as label
from (values (15), (20), (30), (45)) as stay (minutes)
order by stay.minutes
