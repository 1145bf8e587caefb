"""Questions that maintainers write by hand: drafts, the tool calls that are their evidence, agreement, publishing."""
