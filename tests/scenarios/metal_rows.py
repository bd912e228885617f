"""Rows of tests/programs/metal/rows.cpp: small tt-metal programs of our own, which judge themselves."""
import os

import gridloom

ROWS = os.environ["GRIDLOOM_METAL_ROWS"]
PROGRAMS = os.path.join(gridloom.SOURCE, "tests", "programs", "metal")


class Rows(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        # Kernels that several scenarios have are compiled once.
        self.environment["XDG_CACHE_HOME"] = os.path.join(os.environ["GRIDLOOM_BUILD"], "tests", "metal_cache")

    def rows(self, *rows, options=("-q",)):
        return self.gridloom("metal", ROWS, "--kernels", PROGRAMS, *options, "--", *rows)

    def assertPass(self, *rows):
        """Returns what kernels print."""
        done = self.rows(*rows)
        lines = done.stdout.splitlines()

        self.assertEqual((done.returncode, done.stderr), (gridloom.DONE, ""), done.stdout)
        for row in rows:
            self.assertIn(f"{row} passed", lines)
        return [line for line in lines if not line.endswith(" passed")]
