-- What can be asked for: attributes of which some place of this map has a fact, each by the source that is believed.
select
    told.topic as value,
    min(told.words) || ', as given by ' || min(told.credit) as label,
    count(*) as extent
from trigpoint.map_fact as told
where
    told.set_id = :facts
    and told.chosen
group by told.topic
order by told.topic
