"""Libraries that take long to load are loaded only where they are needed."""
import re
import unittest

import gridloom
import sweeps
from gridloom import CHECK, INPUT, PROGRAM, SMALL


def library(name):
    """The name by which the program opens a library: libNAME.so with a version."""
    with open(PROGRAM, "rb") as file:
        return re.search(rb"lib%s\.so[.0-9]*" % name.encode(), file.read())[0].decode()


class Loading(sweeps.Sweeps):
    def loads(self, name, *words):
        """How often a command, with all its processes, loads a library."""
        self.environment["LD_DEBUG"] = "files"
        done = self.gridloom(*words)
        del self.environment["LD_DEBUG"]
        self.assertIn("calling init: ", done.stderr)
        return len(re.findall(rf"calling init: \S*{re.escape(library(name))}\n", done.stderr))

    def spoil(self, name):
        """Replaces this library by an empty file from now on."""
        self.write(library(name), "")
        self.environment["LD_LIBRARY_PATH"] = self.folder

    def test_what_simulates_no_system_loads_none(self):
        for words in (["--version"], ["run", "--help"], ["describe", "wormhole_n300"],
                      ["run", "nothing"], ["run", "transfer", *SMALL, "--dry-run"],
                      ["noc", "transfer", "--op", "loopback"]):
            for name in ("simgrid", "rsvg-2"):
                self.assertEqual(self.loads(name, *words), 0, words)

    def test_a_run_loads_simgrid_once(self):
        self.assertEqual(self.loads("simgrid", "run", "transfer", *SMALL), 1)

    def test_a_sweep_loads_simgrid_once_for_all_its_runs(self):
        self.write("s.lua", sweeps.sweep('{ name = "us", values = { 1, 2, 3 } }'))

        self.assertEqual(self.loads("simgrid", "sweep", "s.lua"), 1)

    def test_without_simgrid_a_run_says_what_is_missing(self):
        self.spoil("simgrid")

        self.assertFails(INPUT, [f"SimGrid cannot be loaded, {self.path(library('simgrid'))}: ",
                                 "LD_LIBRARY_PATH", "Debian's package libsimgrid"],
                         "run", "transfer", *SMALL)
        self.succeed("run", "transfer", *SMALL, "--dry-run")

    def test_without_simgrid_each_run_of_a_sweep_says_so(self):
        self.write("s.lua", sweeps.sweep('{ name = "us", values = { 1, 2, 3 } }'))
        self.spoil("simgrid")

        self.assertEqual(self.gridloom("sweep", "s.lua").returncode, CHECK)
        for (error,) in self.named("error"):
            self.assertIn("SimGrid cannot be loaded", error)

    def test_without_librsvg_a_png_is_refused_and_svg_is_not(self):
        self.succeed("run", "transfer", *SMALL, "--trace", "t.pftrace", "-q")
        self.spoil("rsvg-2")

        self.assertFails(INPUT, ["t.png: cannot be drawn, librsvg cannot be loaded, ",
                                 "Debian's package librsvg2-2"],
                         "plot", "timeline", "t.pftrace", "-o", "t.png")
        self.succeed("plot", "timeline", "t.pftrace", "-o", "t.svg")


if __name__ == "__main__":
    unittest.main()
