"""The database: engines by role, sessions, and the tables of the service."""
