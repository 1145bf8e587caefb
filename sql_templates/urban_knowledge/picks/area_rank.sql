-- Which of four areas is asked for; the `first` where the others may be as they are, the `largest` where all are apart.
select rank.value
from (
    values
    ('first'),
    ('largest'),
    ('second'),
    ('third'),
    ('smallest')
) as rank (value)
order by rank.value
