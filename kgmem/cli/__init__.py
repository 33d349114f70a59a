"""The command line: parse, call, render. The only place that prints."""

import gc

gc.set_threshold(50_000, 20, 50)  # a start makes little garbage: to look for it all the time is a tenth of its cost
