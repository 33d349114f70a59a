"""Run kgmem as a module."""

from kgmem.cli.app import main

main()
