"""From text to mentions and claims, rung by rung. It knows no store."""
