"""What failed, as it may be told: to who has a key without addresses, to anybody as a kind.

An endpoint's own words may hold hosts, accounts and parts of keys: nobody without a key reads them.
"""

import re

ADDRESS = re.compile(r"\b[a-z+]+://\S+|\b(?:[\w-]+\.)*[\w-]+:\d{2,5}\b")
KIND = re.compile(
    r"(?P<before>not asked: (?:the last \d+ questions failed|no call succeeds): )?"
    r"(?P<kind>the endpoint answered HTTP \d{3}"
    r"(?:, but [A-Za-z, ]*[A-Za-z](?: \(finish_reason \w+\))?(?: \(code \d{3}\))?)?"
    r"(?:, its quota is exhausted|, a redirect)?"
    r"|the endpoint answered with a web page, not JSON"
    r"|the endpoint did not answer within \d+(\.\d+)? s"
    r"|the endpoint cannot be reached"
    r"|the endpoint's answer is (not JSON|not UTF-8|JSON, but no chat completion|larger than \d+ MB)"
    r"|what came back cannot be stored"
    r"|the run names no endpoint"
    r"|\d+ workers in a row were lost while they worked on this question)"
)
OTHER = "another failure"


def without_addresses(said: str) -> str:
    """What failed, without where it was sent."""
    return ADDRESS.sub("(address)", said)


def kind_of(said: str) -> str:
    """What failed, in words of ours alone."""
    found = KIND.match(said)
    if found is None:
        return OTHER
    return ("not asked after failures: " if found["before"] else "") + found["kind"]
