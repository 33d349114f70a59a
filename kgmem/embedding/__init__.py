"""Texts as vectors: near in meaning, near in direction. Knows nothing of the graph or the store."""
