-- The other twelve of the 13 classes of land use (osm_import/tagging.py).
select
    row_number() over (order by land_use.label) as place,
    '' as pool_group,
    cast(null as text) as osm_key,
    land_use.label
from aoi
cross join (
    values
    ('agriculture & forest'),
    ('commercial'),
    ('culture & tourism'),
    ('education'),
    ('government'),
    ('industrial'),
    ('medical'),
    ('park & green land'),
    ('religious'),
    ('residential'),
    ('sports & recreation'),
    ('transport'),
    ('water')
) as land_use (label)
where
    aoi.osm_key = :aoi
    and replace(replace(lower(aoi.class), '&', ' & '), 'greenland', 'green land') <> land_use.label
order by place
