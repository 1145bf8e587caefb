-- The two ways to ask about connections.
select form.value
from (
    values
    ('connected'),
    ('not_connected')
) as form (value)
order by form.value
