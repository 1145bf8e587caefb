-- Places as in place.sql whose opening hours are days with times and nothing else: no holidays, seasons or comments.
select
    poi.osm_key as value,
    poi.name as name,
    poi.class,
    poi.tags ->> 'opening_hours' as opening_hours
from poi
where
    btrim(poi.name) <> ''
    and not poi.repaired
    and poi.tags ->> 'opening_hours' ~ (
        '^(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))?(,(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))?)*'
        ' \d\d:\d\d-\d\d:\d\d(, ?\d\d:\d\d-\d\d:\d\d)*'
        '(; ?(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))?(,(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))?)*'
        ' \d\d:\d\d-\d\d:\d\d(, ?\d\d:\d\d-\d\d:\d\d)*)*$'
    )
    and (
        select count(*)
        from place_name
        where place_name.form = replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
    ) = 1
order by poi.osm_key
