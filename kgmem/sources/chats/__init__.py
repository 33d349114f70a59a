"""Conversations that were had elsewhere: what a person and a model, or several persons, wrote to each other.

Each is a source of its own, each of its messages a passage with its instant. See `lines` for the form of a file that
anybody can write, and `exports` for those that ChatGPT and Claude give.
"""
