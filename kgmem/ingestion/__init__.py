"""From a scan of a folder to the change sets that the memory commits."""
