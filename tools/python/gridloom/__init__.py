"""Gridloom from Python: runs of simulated chips as objects.

    import gridloom
    run = gridloom.run("pcg", chip="wse2", nx=64, ny=64, nz=64, inputs={"rhs": b}, save=["x"])
    run.cycles, run.metrics["residual_history"], run.arrays["x"], run.tables["residual"]

The package calls the command `gridloom` and reads its files. It needs nothing but Python;
with NumPy, arrays are NumPy's.
"""
from gridloom.command import describe, run, version
from gridloom.program import CheckFailed, Error, Interrupted, NotCovered, Stuck, WrongInput
from gridloom.result import Run, load
from gridloom.trace import Trace

__all__ = ["CheckFailed", "Error", "Interrupted", "NotCovered", "Run", "Stuck", "Trace",
           "WrongInput", "describe", "load", "run", "version"]
