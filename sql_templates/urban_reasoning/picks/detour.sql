-- Bands of distances by which somebody leaves a walk at most.
select
    band.place as value,
    band.low,
    2 * band.low as high
from (values (1, 50.0), (2, 100.0), (3, 200.0)) as band (place, low)
order by band.place
