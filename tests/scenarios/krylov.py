"""Common tests of both solvers on wafers."""
import csv
import json

from workload_runs import WaferRuns

SMALL = ["nx=7", "ny=6", "nz=12", "iterations=4"]
DTYPES = ("fp32", "mixed")
MAPPINGS = ("neighbour", "multicast", "broadcast")
PATTERNS = ("merge", "center", "corner", "chain", "tree", "two-phase")
# Cells: single PEs, lines of them, odd columns of halves.
GRIDS = ((1, 1, 9), (2, 1, 8), (1, 2, 5), (2, 2, 7), (9, 1, 11), (1, 8, 10), (3, 3, 6), (5, 4, 1), (4, 7, 2))


class Krylov(WaferRuns):
    """A test of a solver."""
    CHANGED = ("nx=5", "ny=4", "nz=6", "iterations=3")

    def solve(self, *words, status=0):
        """The result, and the printed text."""
        ran = self.gridloom("run", self.SCRIPT, *self.CHIP, *words, "--json", "r.json", "--out", "out",
                            "--no-trace")
        self.assertEqual(ran.returncode, status, (words, ran.stderr))
        return json.loads(self.read("r.json")), ran.stdout

    def history(self, case=""):
        """Norms of a run, or of one of several, from 1."""
        with open(self.path(f"out/residual{case}.csv"), encoding="ascii") as rows:
            return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(rows)]

    def assertRight(self, *words):
        """Norms and solution equal the reference's to the bit, and are near those of double
        precision."""
        result, _ = self.solve(*words)
        self.assertEqual(result["check"]["status"], "pass", words)
        self.assertEqual([row["norm"] for row in self.history()],
                         [row["same_arithmetic"] for row in self.history()], words)
        return result

    def assertAllRight(self, cases, *words):
        """assertRight for all of them."""
        metrics = super().assertAllRight(cases, *words, "--out", "out", "--no-trace")
        for i, case in enumerate(cases, 1):
            self.assertEqual([row["norm"] for row in self.history(i)],
                             [row["same_arithmetic"] for row in self.history(i)], case)
        return metrics

    def assertEveryKindIsRight(self):
        self.assertAllRight([(f"dtype={dtype}", f"mapping={mapping}") for dtype in DTYPES for mapping in MAPPINGS], *SMALL)

    def assertEveryGridIsRight(self, *words):
        """None of them is padded."""
        found = self.assertAllRight([(f"nx={nx}", f"ny={ny}", f"nz={nz}", f"dtype={dtype}")
                                     for nx, ny, nz in GRIDS for dtype in DTYPES], *words)
        self.assertEqual([metrics["grid"] for metrics in found], [list(grid) for grid in GRIDS for _ in DTYPES])

    def assertSaysWhatFits(self, *words):
        """The nz named by a refusal does fit, and no larger one does."""
        most = int(self.assertRefused((*words, "nz=30000")).stderr.rsplit("nz is at most ", 1)[1])

        self.assertRight(*words, f"nz={most}")
        self.assertRefused((*words, f"nz={most + 1}"), f"nz = {most + 1}", f"nz is at most {most}")
