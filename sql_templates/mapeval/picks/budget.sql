-- How long a trip may take in all, in minutes.
select
    budget.minutes as value,
    budget.label
from (
    values
    (90, '90 minutes'),
    (120, '2 hours'),
    (150, '2 hours and 30 minutes'),
    (180, '3 hours'),
    (240, '4 hours'),
    (300, '5 hours')
) as budget (minutes, label)
order by budget.minutes
