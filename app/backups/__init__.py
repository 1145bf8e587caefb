"""Backups: the whole service and its maps as one file, and back; nothing is believed that was not compared."""
