"""Schedules: data sets that follow a region of the map; what is due, what a look found, what is stalled."""
