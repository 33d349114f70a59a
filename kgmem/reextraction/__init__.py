"""Re-extraction: the episodes of a memory read again, each at its recorded time, into a new generation of it."""
