-- Bands of distances within which somebody looks for a place.
select
    band.place as value,
    band.low,
    2 * band.low as high
from (values (1, 150.0), (2, 300.0), (3, 600.0), (4, 1200.0)) as band (place, low)
order by band.place
