"""Multigrid on cores: right by three references, both formats, parts of the time, refusals."""
import json
import math
import unittest

import v_cycle
from gridloom import CHECK
from workload_runs import WorkloadRuns, script_of

SMALL = ("nx=31", "ny=15", "nz=7", "cycles=2")
RHS = "sin(3*i+j)-cos(k*k)"


class Multigrid(WorkloadRuns):
    SCRIPT = script_of("multigrid")
    CHIP = ("--chip", "wormhole_n300")
    CHANGED = SMALL

    def history(self, *words):
        return self.outcome(*words)["metrics"]["residual_history"]

    def test_python_finds_the_same_norms(self):
        """On four cores, so that transfers cross their edges. The FPU takes 11 bits of a number."""
        size = (67, 19, 3)
        f = {(i, j, k): math.sin(3 * i + j) - math.cos(k * k) for i, j, k in v_cycle.cells(size)}
        settings = {"pre": 2, "post": 1, "coarse": 3, "omega": 0.8}
        for smoother in ("chebyshev", "jacobi"):
            expected = v_cycle.norms(f, size, 2, 2, {**settings, "smoother": smoother})
            found = self.history("nx=67", "ny=19", "nz=3", "levels=2", "cycles=2", "pre=2", "post=1", "coarse=3", "omega=0.8",
                                 f"smoother={smoother}", f"rhs={RHS}")
            self.assertEqual(len(found), len(expected))
            for one, other in zip(found, expected):
                self.assertAlmostEqual(one / other, 1, delta=5e-3)

    def test_grids_levels_and_formats(self):
        """Cells that end at a core's edge and beyond it; levels on fewer and fewer cores; single cells."""
        self.assertAllRight([("nx=63", "ny=15", "nz=3", "levels=1"), ("nx=3", "ny=3", "nz=3"), ("nx=7", "ny=7", "nz=7", "levels=3"),
                             ("nx=127", "ny=31", "nz=3", "levels=2"), ("nx=135", "ny=23", "nz=7", "levels=3"),
                             ("nx=63", "ny=33", "nz=3", "levels=2")], "cycles=2")
        self.assertAllRight([(f"dtype={dtype}", f"pre={pre}", f"post={post}", "nz=3")
                             for dtype in ("fp32", "bf16") for pre, post in ((1, 1), (0, 2), (3, 0))]
                            + [("pre=0", "levels=3")], *SMALL)

    def test_the_same_problem_converges_as_on_a_wafer(self):
        words = ("nx=7", "ny=7", "nz=15", "cycles=3")
        cores = self.history(*words)
        self.succeed("run", self.SCRIPT, "--chip", "wse2", *words, "--json", "r.json", "-q")
        for one, other in zip(cores, json.loads(self.read("r.json"))["metrics"]["residual_history"]):
            self.assertAlmostEqual(one / other, 1, delta=5e-3)

    def test_bf16_stops_where_roundings_leave_off(self):
        norms = self.history("nx=31", "ny=15", "nz=7", "cycles=5", "dtype=bf16")
        self.assertLess(norms[1], 0.12 * norms[0])
        self.assertGreater(norms[5], 1e-3 * norms[0])
        self.assertLess(norms[5], 3e-2 * norms[0])

    def test_numbers_of_the_user(self):
        whole = self.history(*SMALL, f"rhs={RHS}")
        self.outcome("nx=31", "ny=15", "nz=7", "cycles=1", f"rhs={RHS}", "--save", "x=x.npy")
        again = self.history("nx=31", "ny=15", "nz=7", "cycles=1", f"rhs={RHS}", "--in", "start=x.npy")
        self.assertEqual(again, whole[1:])

    def test_the_check_finds_what_is_wrong(self):
        self.assertRight(*SMALL)
        for library, right, wrong in (
                ("cores/multigrid/transfer.lua", "local RESTRICTION = 1 / 16 ", "local RESTRICTION = 1 / 8 "),
                ("cores/multigrid/transfer.lua", "distance == 0 and 1 or distance == 1 and 0.5", "distance == 0 and 1 or distance == 1 and 0.25"),
                ("cores/multigrid/smoothing.lua", "unit.add(1, cb.r, 2 * k + 1, cb.r, 2 * k + 1, cb.product)",
                 "unit.add(1, cb.r, 2 * k + 1, cb.r, 2 * k, cb.product)"),
                ("cores/multigrid.lua", "local numbers, at = { 0.5, 0 }, {}", "local numbers, at = { 0.25, 0 }, {}")):
            self.assertEqual(self.run_with(library, right, wrong), CHECK, wrong)

    def test_threads_and_data(self):
        self.assertThreadsDoNotMatter("nx=127", "ny=31", "nz=3", "cycles=1")
        self.assertDataTakeNoTime(*SMALL)

    def test_parts_of_the_time(self):
        """Shares add up. A level of half the layers takes half the time in kernels, and the same launches."""
        small, large = self.metrics_of([("nz=7",), ("nz=31",)], "nx=31", "ny=15", "levels=3", "cycles=1", "--timing-only")
        for metrics in (small, large):
            parts = [metrics["share_" + part] for part in ("smooth", "residual", "restrict", "prolong", "coarse", "norm")]
            self.assertGreater(min(parts), 0.01)
            self.assertAlmostEqual(sum(parts), 1, delta=1e-6)
            self.assertEqual(metrics["launches_per_cycle"], 9)
            self.assertEqual(metrics["cores_of_levels"], [1, 1, 1])
        self.assertGreater(large["share_level_0"], small["share_level_0"])
        self.assertLess(large["seconds_per_cycle"], 31 / 7 * small["seconds_per_cycle"])
        metrics = self.outcome("nx=255", "ny=63", "nz=3", "levels=2", "cycles=1", "--timing-only")["metrics"]
        self.assertEqual(metrics["cores_of_levels"], [16, 4])

    def test_zones_of_kernels(self):
        zones = self.outcome("nx=31", "ny=15", "nz=7", "levels=3", "cycles=1", "--timing-only")["zones"]
        self.assertLessEqual({part + level for part in ("smooth", "residual", "restrict", "prolong") for level in "01"}
                             | {"coarse", "norm"}, set(zones))

    def test_what_is_refused(self):
        for words, says in (
                (("nx=31", "ny=16", "nz=7"), ["ny = 16", "odd"]),
                (("nx=31", "ny=15", "nz=7", "levels=4"), ["levels = 4", "has 3"]),
                (("nx=1023",), ["nx = 1023", "up to 512"]),
                (("nz=255", "levels=3"), ["nz = 255", "bytes of L1"]),
                (("pre=0", "post=0"), ["pre = 0", "post = 0"]),
                (("smoother=red-black",), ["smoother = red-black", "chebyshev, jacobi"]),
                (("dtype=mixed",), ["dtype = mixed", "fp32, bf16"])):
            self.assertRefused(words, *says)


if __name__ == "__main__":
    unittest.main()
