-- A distance that one walks.
select
    1 as value,
    200.0 as low,
    2000.0 as high
order by value
