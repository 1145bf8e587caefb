"""Who may ask for what: API keys, and the record of what maintainers did. Only hashes of keys are stored."""
