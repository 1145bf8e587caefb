-- The eight sectors of 45 degrees, north centred on 0.
select sector as value
from generate_series(0, 7) as sector
order by sector
