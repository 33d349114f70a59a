"""From a question to what the memory holds: names, facts on both axes, passages, an answer with its evidence."""
