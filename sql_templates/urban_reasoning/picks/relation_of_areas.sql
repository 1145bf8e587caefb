-- How two areas lie to one another; texts tell all three terms, so that none gives the answer away.
select
    relation.word as value,
    'Overlapping, Adjacent or Separate' as label
from (
    values
    ('Overlapping'),
    ('Adjacent'),
    ('Separate')
) as relation (word)
order by relation.word
