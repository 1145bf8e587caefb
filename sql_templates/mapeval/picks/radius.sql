-- A distance that one walks.
select
    1 as value,
    150.0 as low,
    1500.0 as high
order by value
