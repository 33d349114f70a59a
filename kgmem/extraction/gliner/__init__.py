"""The third rung, optional: a small network that finds names of a person's own kinds, and relations between them.

GLiNER (Zaratiana et al., 2024, arXiv:2311.08526) reads any label as a question about spans; GLiNER2 (Zaratiana et
al., 2025, arXiv:2507.18546) and the relation checkpoints of GLiNER read labels of relations as well. What a label
means is for the configuration to say. The weights are a person's own: a folder, or an id on the hub.
"""
