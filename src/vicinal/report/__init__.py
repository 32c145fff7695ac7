"""Stored rows to something to look at: tables, figures, verdicts, one page."""
