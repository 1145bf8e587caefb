-- Which of the nearest places is asked for, if not the first.
select ordinal.word as value
from (
    values
    ('second'),
    ('third'),
    ('fourth'),
    ('fifth')
) as ordinal (word)
order by ordinal.word
