-- Times of a week without holidays, each hour by day and in the evening; none is near a full or half hour.
select
    to_char(moment.time, 'YYYY-MM-DD"T"HH24:MI') as value,
    to_char(moment.time, '"on" FMDay, FMDD FMMonth YYYY, "at" HH24:MI') as label
from
    generate_series(
        cast('2024-09-16T00:15' as timestamp),
        cast('2024-09-22T23:15' as timestamp),
        cast('1 hour' as interval)
    ) as moment (time)
where extract(hour from moment.time) between 7 and 22
order by moment.time
