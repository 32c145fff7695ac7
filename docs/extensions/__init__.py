"""What this documentation adds to Sphinx."""
