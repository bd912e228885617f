"""Runs of the command `gridloom`, as functions."""
import os
import tempfile
from pathlib import Path

from gridloom import npy
from gridloom.program import CheckFailed, call
from gridloom.result import Run, stamps_of


def version():
    """The command's version."""
    return call("--version").split()[-1]


def describe(name):
    """What `gridloom describe` tells about a chip or a workload."""
    return call("describe", name)


def word_of(value):
    """A value as a script's word has it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def options_of(chip, settings, options):
    """Words of the command line for what is no parameter of the script."""
    words = [] if chip is None else ["--chip", chip]
    for key, value in settings.items():
        words += ["--set", f"{key}={word_of(value)}"]
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(value)
    return words


def arrays_of(folder, inputs, save):
    """The same for arrays, which become files in `folder`."""
    words = []
    for name, array in inputs.items():
        path = array
        if not isinstance(array, (str, os.PathLike)):
            path = folder / f"in_{name}.npy"
            npy.save(path, array)
        words += ["--in", f"{name}={path}"]
    for name in [save] if isinstance(save, str) else save:
        words += ["--save", f"{name}={folder / name}.npy"]
    return words


def run(script, chip=None, *, inputs=None, save=(), settings=None, out=None, report=False,
        parameters=None, options=None, **words):
    """Runs a workload and returns its Run.

    script      a workload's name or the path of a script
    inputs      arrays or .npy files by the names of the script's inputs
    save        names of the script's outputs that become `run.arrays`
    settings    numbers of the chip by key: {"noc.hop_cycles": 36}
    out         a folder that keeps all files; without it they last as long as the Run
    report      make the page that notebooks show, and the timeline, for `run.trace`
    options     further options of the command: {"threads": 2, "timing_only": True}
    parameters  the script's parameters, for names that mean something else here
    words       all other names are parameters of the script

    Raises WrongInput, NotCovered, Stuck or CheckFailed with the command's line.
    """
    kept = None if out is not None else tempfile.TemporaryDirectory(prefix="gridloom-")
    folder = Path(out if out is not None else kept.name)
    folder.mkdir(parents=True, exist_ok=True)
    before = stamps_of(folder)
    command = ["run", script, *options_of(chip, settings or {}, options or {}),
               *arrays_of(folder, inputs or {}, save),
               *(f"{name}={word_of(value)}" for name, value in {**(parameters or {}), **words}.items()),
               "--out", folder]
    if not report:
        command.append("--no-trace")
    try:
        printed = call(*command)
    except CheckFailed as failed:
        failed.run = Run(folder, failed.printed, kept, before)
        raise
    return Run(folder, printed, kept, before)
