/*
id: Open_Of_Four
version: 2
title: which of four places is open at a time
answer_type: option
scorer: option
dimension: hours
parameters:
  places: {type: objects, layer: poi, pick: place_with_hours, choose: 4}
  moment: {type: form, pick: moment}
derive: open_of_four_evenly
distractors: {strategy: others, layer: poi}
phrasings: open_of_four
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
where poi.osm_key = any(string_to_array(:places, ','))
order by place
