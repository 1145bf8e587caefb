"""Refresh: a published version on a newer map; what cannot have changed is carried over, the rest is proved anew."""
