"""A suite of a few questions, which the toy town can answer but for stations: with tools, forms, twins, an oracle."""

TINY_SUITE = """
name = "tiny"
sentence = "A few questions."

[[entries]]
benchmark = "gsqa"
solver = "direct"
templates = ["T1", "T11"]
per_template = 8
bank = 10
forms = ["order", "units"]
forms_sample = 4
fresh = "other_objects"

[[entries]]
benchmark = "gsqa"
solver = "tools"
templates = ["T11", "T1"]
per_template = 8
bank = 10
sample = 2
steps = 7

[[entries]]
benchmark = "evgeoqa"
solver = "georover"
per_template = 1
bank = 2

[[entries]]
benchmark = "gsqa"
solver = "oracle"
templates = ["T1", "T11"]
per_template = 8
bank = 10
"""
KEYS = (
    "gsqa/direct",
    "gsqa/tools",
    "evgeoqa/georover",
    "gsqa/oracle",
    "gsqa/direct:order",
    "gsqa/direct:units",
    "gsqa/direct:fresh",
)
"""What its runs answer, in the order of cards."""
