"""Obsidian vaults, and plain folders of Markdown: see `kgmem.sources.obsidian.vault`."""

from kgmem.sources.obsidian.vault import Vault

__all__ = ["Vault"]
