-- When a trip begins.
select departure.value
from (values ('08:40'), ('09:10'), ('10:40'), ('13:20'), ('14:05'), ('15:30')) as departure (value)
order by departure.value
