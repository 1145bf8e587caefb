-- Times of a week without holidays at which many places are closed and some are open; none is near a full or half hour.
select
    moment.time as value,
    moment.label
from (
    values
    ('2024-09-17T07:15', 'on Tuesday, 17 September 2024, at 07:15'),
    ('2024-09-18T12:45', 'on Wednesday, 18 September 2024, at 12:45'),
    ('2024-09-19T18:45', 'on Thursday, 19 September 2024, at 18:45'),
    ('2024-09-20T20:15', 'on Friday, 20 September 2024, at 20:15'),
    ('2024-09-21T15:45', 'on Saturday, 21 September 2024, at 15:45'),
    ('2024-09-21T22:15', 'on Saturday, 21 September 2024, at 22:15'),
    ('2024-09-22T09:15', 'on Sunday, 22 September 2024, at 09:15'),
    ('2024-09-22T15:15', 'on Sunday, 22 September 2024, at 15:15')
) as moment (time, label)
order by moment.time
