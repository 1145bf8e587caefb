-- What one does beside a destination: an activity, and the classes of places where one does it. `shares` and `totals`, by
-- class of destination: how many of these have such a place within 1,000 m, and how many there are. `bind` is the classes.
with slot (name, classes) as (
    values
    ('restaurant', 'restaurant'),
    ('fast_food', 'fast_food'),
    ('cafe', 'cafe'),
    ('bar', 'bar,biergarten,nightclub,pub'),
    ('hotel', 'guest_house,hostel,hotel,motel'),
    ('supermarket', 'supermarket'),
    ('convenience', 'convenience,kiosk'),
    ('bakery', 'bakery,pastry'),
    ('mall', 'department_store,mall'),
    ('sports', 'fitness_centre,ice_rink,sports_centre,sports_hall,stadium'),
    ('park', 'garden,park'),
    ('museum', 'art_gallery,gallery,museum'),
    ('cinema', 'cinema,theatre'),
    ('attraction', 'attraction,theme_park,viewpoint,zoo'),
    ('bank', 'bank'),
    ('pharmacy', 'pharmacy'),
    ('doctor', 'clinic,doctor,doctors,hospital'),
    ('hairdresser', 'beauty,hairdresser'),
    ('spa', 'massage,sauna,spa'),
    ('school', 'college,school,university'),
    ('library', 'library'),
    ('post', 'post_office'),
    ('government', 'government,townhall'),
    ('car_repair', 'car_repair'),
    ('car_wash', 'car_wash')
),

total as (
    select
        destination.class,
        count(*) as number
    from destination
    group by destination.class
),

matched as (
    select
        slot.name,
        destination.class,
        count(distinct destination.osm_key) as number
    from slot
    cross join lateral unnest(string_to_array(slot.classes, ',')) as one (class)
    inner join poi_class on one.class = poi_class.class
    inner join destination
        on
            st_dwithin(destination.geog, poi_class.geog, 1000)
            and poi_class.osm_key <> all(destination.osm_keys)
    group by slot.name, destination.class
)

select
    slot.name as value,
    slot.classes as bind,
    replace(slot.name, '_', ' ') as label,
    (
        select jsonb_object_agg(total.class, coalesce(matched.number, 0)::double precision / total.number)
        from total
        left join matched on total.class = matched.class and slot.name = matched.name
    ) as shares
from slot
order by slot.name
