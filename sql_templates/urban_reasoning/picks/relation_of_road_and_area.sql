-- How a road lies to an area; texts tell all three terms, so that none gives the answer away.
select
    relation.word as value,
    'Pass through, Touch or Lie outside' as label
from (
    values
    ('Pass through'),
    ('Touch'),
    ('Lie outside')
) as relation (word)
order by relation.word
