"""A personal memory with two clocks."""

__version__ = "0.1.0"
