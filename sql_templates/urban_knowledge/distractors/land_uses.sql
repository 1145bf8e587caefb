-- The other twelve of the 13 classes of land use (osm_import/tagging.py).
select
    row_number() over (order by land_use.label) as place,
    '' as pool_group,
    cast(null as text) as osm_key,
    land_use.label
from aoi
cross join (
    values
    ('Agriculture&Forest'),
    ('Commercial'),
    ('Culture&Tourism'),
    ('Education'),
    ('Government'),
    ('Industrial'),
    ('Medical'),
    ('Park&GreenLand'),
    ('Religious'),
    ('Residential'),
    ('Sports&Recreation'),
    ('Transport'),
    ('Water')
) as land_use (label)
where
    aoi.osm_key = :aoi
    and aoi.class <> land_use.label
order by place
