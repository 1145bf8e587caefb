-- When one must be somewhere.
select deadline.value
from (values ('12:00'), ('12:30'), ('14:00'), ('16:15'), ('18:00'), ('19:30')) as deadline (value)
order by deadline.value
