"""The memory in other forms: pages of entities, in a folder that a person may write into as well."""

from kgmem.export.pages import ExportReport, export_pages

__all__ = ["ExportReport", "export_pages"]
