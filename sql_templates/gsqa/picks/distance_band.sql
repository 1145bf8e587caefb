-- Four bands of radius, even on a logarithmic scale, from 100 m up to what the outline's interior allows
-- (the radius of the largest circle inside it; 200 km at most). The picker draws one round radius in a band.
with outline as (
    select st_geomfromwkb(decode(:outline, 'hex'), 4326) as geom
),
circle as (
    select st_maximuminscribedcircle(outline.geom) as inscribed
    from outline
    where outline.geom is not null
),
reach as (
    select
        greatest(
            500,
            least(200000, st_distance((circle.inscribed).center::geography, (circle.inscribed).nearest::geography))
        ) as longest
    from circle
)
select
    band as value,
    100 * power(reach.longest / 100, band / 4.0) as low,
    100 * power(reach.longest / 100, (band + 1) / 4.0) as high
from reach
cross join generate_series(0, 3) as band
order by band
