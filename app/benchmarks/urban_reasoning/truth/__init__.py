"""The right answers, worked out of what contexts print: rounded coordinates, legs and hours. Pure.

Points are (lat, lon) in degrees, in the order in which contexts print them. Everything outside this benchmark has lon
first.
"""
