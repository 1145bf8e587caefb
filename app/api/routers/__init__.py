"""The routes of `/v1`, a noun a file."""
