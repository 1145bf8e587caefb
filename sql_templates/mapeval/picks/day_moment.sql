-- Times of a week without holidays at which one may set out; some places close or are closed soon after.
select
    moment.time as value,
    moment.label
from (
    values
    ('2024-09-16T17:20', 'on Monday, 16 September 2024, at 17:20'),
    ('2024-09-17T07:25', 'on Tuesday, 17 September 2024, at 07:25'),
    ('2024-09-17T11:05', 'on Tuesday, 17 September 2024, at 11:05'),
    ('2024-09-18T12:40', 'on Wednesday, 18 September 2024, at 12:40'),
    ('2024-09-19T18:10', 'on Thursday, 19 September 2024, at 18:10'),
    ('2024-09-19T20:35', 'on Thursday, 19 September 2024, at 20:35'),
    ('2024-09-20T10:15', 'on Friday, 20 September 2024, at 10:15'),
    ('2024-09-20T21:25', 'on Friday, 20 September 2024, at 21:25'),
    ('2024-09-21T09:20', 'on Saturday, 21 September 2024, at 09:20'),
    ('2024-09-21T13:40', 'on Saturday, 21 September 2024, at 13:40'),
    ('2024-09-21T16:25', 'on Saturday, 21 September 2024, at 16:25'),
    ('2024-09-22T10:10', 'on Sunday, 22 September 2024, at 10:10'),
    ('2024-09-22T14:35', 'on Sunday, 22 September 2024, at 14:35'),
    ('2024-09-22T18:25', 'on Sunday, 22 September 2024, at 18:25')
) as moment (time, label)
order by moment.time
