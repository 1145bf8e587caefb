-- What can be asked for: attributes of which some place of this map has a fact, each by the source that is believed.
-- Of OpenStreetMap no text says that it is the source: precise ones have a note for that, and everyday ones name none.
select
    told.topic as value,
    min(told.words) || coalesce(' (as given by ' || nullif(min(told.credit), 'OpenStreetMap') || ')', '') as label,
    min(told.words) as everyday_label,
    count(*) as extent
from trigpoint.map_fact as told
where
    told.set_id = :facts
    and told.chosen
group by told.topic
order by told.topic
