"""Who may ask for what: API keys, sessions on pages, the record of maintainers. Of secrets, only hashes are stored."""
