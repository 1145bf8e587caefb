-- A distance that one walks.
select
    1 as value,
    300.0 as low,
    3000.0 as high
order by value
