-- How two roads lie to one another; texts tell all three terms, so that none gives the answer away.
select
    relation.word as value,
    'Intersecting, Parallel or Disconnected' as label
from (
    values
    ('Intersecting'),
    ('Parallel'),
    ('Disconnected')
) as relation (word)
order by relation.word
