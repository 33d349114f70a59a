"""Language models: only ones that a person named. Knows nothing of the graph or the store."""
