"""The queue of jobs: what takes too long for a request. REST accepts it with a 202, a worker does it."""
