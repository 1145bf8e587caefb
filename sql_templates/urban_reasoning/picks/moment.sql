-- Times of a week at which somebody may want to go somewhere; the dates only say which days are meant.
select
    moment.at_time as value,
    moment.words as label
from (
    values
    ('2024-09-16T12:30', 'Monday at 12:30'),
    ('2024-09-18T09:30', 'Wednesday at 09:30'),
    ('2024-09-20T20:15', 'Friday at 20:15'),
    ('2024-09-21T15:15', 'Saturday at 15:15'),
    ('2024-09-22T13:15', 'Sunday at 13:15')
) as moment (at_time, words)
order by moment.at_time
