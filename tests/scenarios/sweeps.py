"""Sweeps for tests: a script that takes a while, files of sweeps, and their tables."""
import os
import signal
import sqlite3
import time

import gridloom
from gridloom import PATIENCE

# Takes simulated time by `us`, real time by `work`, and fails on request. An endless run passes
# simulated time, so that only a wall clock ends it, however fast the machine is.
SCRIPT = gridloom.workload(
    """local sum = 0
        for i = 1, p.work do sum = sum + i % 7 end
        if p.mode == "refuse" then host.refuse("not today") end
        if p.mode == "endless" then while true do host.sleep(1e-9) end end
        host.measure(function() host.sleep(p.us * 1e-6) end, 2)
        host.metric("words", p.us * 3)
        if p.mode == "sometimes" then host.metric("extra", 1) end
        if p.mode == "wrong" then host.check { error = 2, tolerance = 1, reference = "a test" } end""",
    parameters='{ name = "us", type = "integer", default = 10, min = 1, max = 10000, help = "h" },'
               '{ name = "work", type = "integer", default = 0, min = 0, max = 1000000000, help = "h" },'
               '{ name = "mode", type = "choice", default = "right", help = "h",'
               '  choices = { "right", "sometimes", "wrong", "refuse", "endless" } }'
    ).replace('{ "tensix" }', '{ "tensix", "wse" }')


# Loops of a run on the fastest machine; then of runs that take longer.
WORK = (5000000, 50000000, 500000000)


class Over(Exception):
    """The sweep was over before it could be disturbed: its runs are too short."""


def sweep(axes, more=""):
    """The text of a sweep of that script, over axes as they are written in Lua."""
    return (f'return {{ summary = "a sweep", script = "timed.lua", axes = {{ {axes} }}, '
            f'{more} }}')


class Sweeps(gridloom.Scenario):
    """Tests with that script in their folder."""

    def setUp(self):
        super().setUp()
        self.write("timed.lua", SCRIPT)

    def in_time(self, attempt, works=WORK):
        """The outcome of an attempt that disturbs a sweep whose runs take a number of loops. If the
        sweep is over too soon, tries again with longer runs in another folder."""
        for work in works:
            try:
                return attempt(work)
            except Over:
                self.setUp()
        return self.fail("it was over before it was disturbed")

    def rows(self, query="SELECT * FROM runs ORDER BY run", database="s.sqlite"):
        """The rows of a query; none if there is no such table yet."""
        found = []

        def ask():
            base = sqlite3.connect(self.path(database), timeout=PATIENCE)
            try:
                found[:] = base.execute(query).fetchall()
            except sqlite3.OperationalError as error:
                return "no such table" in str(error)
            finally:
                base.close()
            return True
        # A killed process may have left a journal, and others may be about to read it, too.
        self.assertTrue(not os.path.exists(self.path(database)) or wait_until(ask))
        return found

    def named(self, *names, where="1", database="s.sqlite"):
        """These columns of all runs."""
        columns = ", ".join(f'"{name}"' for name in names)
        return self.rows(f"SELECT {columns} FROM runs WHERE {where} ORDER BY run", database)

    def dump(self, database="s.sqlite"):
        """The table of runs as SQL, bytes."""
        base = sqlite3.connect(self.path(database), timeout=PATIENCE)
        try:
            return "\n".join(line for line in base.iterdump()
                             if '"runs"' in line or " runs(" in line).encode()
        finally:
            base.close()


def processes_of(folder):
    """{pid: (name, parent)} of all processes of the program that work in a folder."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                head, _, tail = file.read().rpartition(")")
            if os.readlink(f"/proc/{entry}/cwd") == folder and tail.split()[0] != "Z":
                found[int(entry)] = (head.partition("(")[2], int(tail.split()[1]))
        except OSError:  # it has ended
            continue
    return found


def kill(pid, number=signal.SIGKILL):
    """Kills a process that may be gone already."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def complaints(text):
    """Its output on stderr without the progress that it reports after half a minute."""
    return "".join(line for line in text.splitlines(True) if not line.startswith("sweep: "))


def wait_until(condition, seconds=PATIENCE):
    """Waits for a condition; returns false if it never holds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)  # so that waiting takes no time from the process
    return False
