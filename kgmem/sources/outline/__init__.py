"""Notes that are outlines, every line a bullet: Logseq's graphs, and what Roam exports."""
