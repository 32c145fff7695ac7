"""Stored rows to something to look at."""
