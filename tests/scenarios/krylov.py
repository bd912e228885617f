"""What both solvers on wafers have to do, for their tests."""
import csv
import json

import gridloom
from gridloom import INPUT

SMALL = ["nx=7", "ny=6", "nz=12", "iterations=4"]
DTYPES = ("fp32", "mixed")
MAPPINGS = ("neighbour", "broadcast")
PATTERNS = ("center", "corner", "chain", "tree", "two-phase")


class Krylov(gridloom.Scenario):
    """A test of WORKLOAD on a wafer."""
    WORKLOAD = None

    def solve(self, *words, status=0):
        """The result, and what was printed."""
        ran = self.gridloom("run", self.WORKLOAD, "--chip", "wse2", *words, "--json", "r.json", "--out", "out")
        self.assertEqual(ran.returncode, status, (words, ran.stderr))
        return json.loads(self.read("r.json")), ran.stdout

    def history(self):
        with open(self.path("out/residual.csv"), encoding="ascii") as rows:
            return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(rows)]

    def assertRight(self, *words):
        """Norms and solution are the reference's to the bit; near those of double precision."""
        result, _ = self.solve(*words)
        self.assertEqual(result["check"]["status"], "pass", words)
        self.assertEqual([row["norm"] for row in self.history()],
                         [row["same_arithmetic"] for row in self.history()], words)
        return result

    def assertRefused(self, words, *says):
        self.assertFails(INPUT, says, "run", self.WORKLOAD, "--chip", "wse2", *words)
