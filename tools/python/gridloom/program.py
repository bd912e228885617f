"""The command `gridloom`: found, called, and what it refuses."""
import os
import shutil
import subprocess
from pathlib import Path


class Error(Exception):
    """A command that did not succeed: its exit code, its line, and what it printed."""

    def __init__(self, code, line, printed=""):
        super().__init__(line or f"gridloom ended with exit code {code}")
        self.code = code
        self.printed = printed


class WrongInput(Error):
    """The input is wrong, or a file cannot be written."""


class NotCovered(Error):
    """The model does not cover the request."""


class Stuck(Error):
    """A deadlock or livelock, a limit that was reached, or no more memory."""


class CheckFailed(Error):
    """The numbers are wrong. `run` has the run all the same."""

    run = None


class Interrupted(Error):
    """Somebody interrupted it."""


ERRORS = {1: WrongInput, 2: NotCovered, 3: Stuck, 4: CheckFailed, 130: Interrupted}


def program():
    """Where the command is: $GRIDLOOM, then the PATH, then a build beside this package."""
    given = os.environ.get("GRIDLOOM")
    if given:
        return given
    found = shutil.which("gridloom")
    if found:
        return found
    tree = Path(__file__).resolve().parents[3]
    built = [path for path in sorted(tree.glob("build/*/tools/gridloom")) if path.is_file()]
    if built:
        return str(next((path for path in built if path.parts[-3] == "release"), built[0]))
    raise WrongInput(1, "no gridloom on the PATH; build it (./tools/run) or name it by the "
                        "environment's GRIDLOOM")


def call(*words):
    """What a command prints. Raises Error if it does not succeed."""
    try:
        done = subprocess.run([program(), *map(str, words)], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False)
    except OSError as error:
        raise WrongInput(1, f"{program()}: {error.strerror}") from error
    if done.returncode != 0:
        lines = done.stderr.strip()
        raise ERRORS.get(done.returncode, Error)(done.returncode, lines, done.stdout)
    return done.stdout
