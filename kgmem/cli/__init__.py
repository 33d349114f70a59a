"""The command line: parse, call, render. The only place that prints."""
