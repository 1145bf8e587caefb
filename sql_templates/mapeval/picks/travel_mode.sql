-- How one travels, as the tools call it.
select
    mode.value,
    mode.label
from (
    values
    ('bicycle', 'by bicycle'),
    ('car', 'by car'),
    ('foot', 'on foot')
) as mode (value, label)
order by mode.value
