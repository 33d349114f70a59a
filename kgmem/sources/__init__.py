"""Readers of what a person already keeps. They hand on documents, and conclude nothing."""
