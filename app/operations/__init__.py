"""Use cases, one module each: the command line, REST, jobs and workers call them.

An operation returns a value and never prints. What it tells while it works goes to callbacks that its caller gives.
"""
