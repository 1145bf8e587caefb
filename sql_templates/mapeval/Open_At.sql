/*
id: Open_At
version: 1
title: whether a place is open at a time
answer_type: option
scorer: option
dimension: poi
parameters:
  place: {type: object, layer: poi, pick: place_with_hours}
  moment: {type: form, pick: moment}
derive: open_at
distractors: {strategy: yes_or_no, count: 1}
phrasings: open_at
margins: {minutes: 10}
requires: [poi]
search: none
*/
select
    row_number() over (order by poi.osm_key) as place,
    poi.osm_key,
    poi.name,
    poi.tags ->> 'opening_hours' as opening_hours,
    :moment as moment
from poi
where poi.osm_key = :place
order by place
