"""Volumes: files of compressed bodies, outside the store that points to them."""
