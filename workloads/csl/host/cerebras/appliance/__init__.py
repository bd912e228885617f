"""Modules that host programs of CSL import, over the simulator."""
