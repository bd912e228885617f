"""Multigrid on wafers: right by three references, convergence, parts of the time, refusals."""
import math
import unittest

import v_cycle
from gridloom import CHECK
from workload_runs import WaferRuns, script_of

SMALL = ("nx=7", "ny=7", "nz=15", "cycles=2")
RHS = "sin(3*i+j)-cos(k*k)"


class Multigrid(WaferRuns):
    SCRIPT = script_of("multigrid")
    CHANGED = ("nx=7", "ny=7", "nz=7", "cycles=2")

    def history(self, *words):
        return self.outcome(*words)["metrics"]["residual_history"]

    def test_python_finds_the_same_norms(self):
        size = (7, 3, 11)
        f = {(i, j, k): math.sin(3 * i + j) - math.cos(k * k) for i, j, k in v_cycle.cells(size)}
        settings = {"pre": 2, "post": 1, "coarse": 3, "omega": 0.8}
        for smoother in ("chebyshev", "jacobi", "red-black"):
            expected = v_cycle.norms(f, size, 2, 3, {**settings, "smoother": smoother})
            found = self.history("nx=7", "ny=3", "nz=11", "levels=2", "cycles=3", "pre=2", "post=1", "coarse=3", "omega=0.8",
                                 f"smoother={smoother}", f"rhs={RHS}")
            self.assertEqual(len(found), len(expected))
            for one, other in zip(found, expected):
                self.assertAlmostEqual(one / expected[0], other / expected[0], delta=1e-6)

    def test_grids_levels_and_smoothers(self):
        """Lines of PEs, one PE, axes that differ, from one level to four."""
        self.assertAllRight([("nx=1", "ny=1", "nz=9", "levels=1"), ("nx=5", "ny=4", "nz=6", "levels=1"), ("nx=3", "ny=3", "nz=3"),
                             ("nx=3", "ny=7", "nz=5"), ("nx=11", "ny=3", "nz=7"), ("nx=7", "ny=7", "nz=23", "levels=3"),
                             ("nx=15", "ny=15", "nz=15", "levels=4")], "cycles=2")
        self.assertAllRight([(f"smoother={smoother}", f"dtype={dtype}", f"pre={pre}", f"post={post}")
                             for smoother in ("chebyshev", "jacobi", "red-black") for dtype in ("fp32", "mixed")
                             for pre, post in ((1, 1), (0, 2), (3, 0))]
                            + [("pre=0", "levels=3"), ("pre=0", "levels=3", "smoother=red-black")], *SMALL)

    def test_the_residual_falls_by_a_factor_that_does_not_depend_on_the_size(self):
        factors = [of["convergence_factor"] for of in self.metrics_of(
            [(f"nx={n}", f"ny={n}", f"nz={n}", "coarse=12") for n in (7, 15)], "cycles=4")]
        self.assertLess(max(factors), 0.13)
        self.assertGreater(min(factors), 0.05)
        by_smoother = [of["convergence_factor"] for of in self.metrics_of(
            [("smoother=chebyshev",), ("smoother=red-black",), ("smoother=jacobi",)], "nx=7", "ny=7", "nz=7", "cycles=3")]
        self.assertLess(max(by_smoother[:2]), 0.75 * by_smoother[2])

    def test_numbers_of_the_user(self):
        whole = self.history(*SMALL, f"rhs={RHS}")
        self.assertEqual(self.history("nx=7", "ny=7", "nz=15", "cycles=1", f"rhs={RHS}", "start=0"), whole[:2])
        self.outcome("nx=7", "ny=7", "nz=15", "cycles=1", f"rhs={RHS}", "--save", "x=x.npy")
        again = self.history("nx=7", "ny=7", "nz=15", "cycles=1", f"rhs={RHS}", "--in", "start=x.npy")
        self.assertEqual(again, whole[1:])

    def test_the_check_finds_what_is_wrong(self):
        for library, right, wrong in (
                ("wafer/multigrid/program.lua", "HALF, RESTRICTION = 6, 0.5, 1 / 16", "HALF, RESTRICTION = 6, 0.5, 1 / 8"),
                ("wafer/multigrid/program.lua", "HALF, RESTRICTION = 6, 0.5, 1 / 16", "HALF, RESTRICTION = 6, 0.25, 1 / 16"),
                ("wafer/multigrid/program.lua", "self:fuse(even(1), even(1)", "self:fuse(even(0), even(1)"),
                ("wafer/multigrid/program.lua", "self:weigh(f, s, NORTH, count)", "self:weigh(f, s, WEST, count)"),
                ("v_cycle.lua", "local LARGEST = 2 ", "local LARGEST = 0.2 ")):
            self.assertEqual(self.run_with(library, right, wrong), CHECK, wrong)

    def test_a_smoother_that_does_not_smooth_fails(self):
        ran = self.gridloom("run", self.SCRIPT, *self.CHIP, *SMALL, "smoother=jacobi", "omega=1.9")
        self.assertEqual(ran.returncode, CHECK)
        self.assertIn("check failed", ran.stderr)
        self.assertRegex(ran.stdout, r", the residual grows by a factor of [0-9.]+ in each\n")

    def test_words(self):
        ran = self.gridloom("run", self.SCRIPT, *self.CHIP, "nx=3", "ny=3", "nz=3", "levels=1", "coarse=1", "cycles=1")
        self.assertIn(" cells, 1 level, chebyshev 2 + 2, coarsest 1 sweep: ", ran.stdout)
        ran = self.gridloom("run", self.SCRIPT, *self.CHIP, *SMALL)
        self.assertRegex(ran.stdout, r" 2 levels, .* coarsest 5 sweeps: [0-9.]+ us a V-cycle, each leaves 0[.][0-9]+ of the residual\n")

    def test_threads_and_data(self):
        self.assertThreadsDoNotMatter(*SMALL)
        self.assertDataTakeNoTime(*SMALL)

    def test_parts_of_the_time(self):
        """Shares add up; a coarser level has fewer cells and longer ways, and takes hardly less time."""
        metrics = self.outcome("nx=7", "ny=7", "nz=7", "levels=3", "cycles=2", "--timing-only")["metrics"]
        parts = [metrics["share_" + part] for part in ("smooth", "residual", "restrict", "prolong", "coarse", "norm")]
        self.assertAlmostEqual(sum(parts), 1, delta=1e-9)
        self.assertAlmostEqual(sum(metrics[f"share_level_{i}"] for i in range(3)) + metrics["share_norm"], 1, delta=1e-9)
        self.assertGreater(metrics["share_level_1"], metrics["share_level_0"] / 2)
        thin, deep = [of["cycles_per_v_cycle"] for of in self.metrics_of([("nz=15",), ("nz=255",)], "nx=7", "ny=7", "cycles=2",
                                                                         "--timing-only")]
        self.assertGreater(deep, 2 * thin)

    def test_zones_of_all_PEs(self):
        """All PEs are in zones for all but the dispatch of tasks; those of coarser levels let the others wait."""
        result = self.outcome("nx=7", "ny=7", "nz=7", "levels=3", "cycles=2", "--timing-only")
        zones = result["zones"]
        self.assertGreater(sum(zones.values()), 0.9 * result["seconds"])
        self.assertGreater(zones["wait0"], zones["smooth1"])
        self.assertNotIn("wait2", zones)

    def test_what_is_refused(self):
        for words, says in (
                (("nx=7", "ny=8", "nz=7"), ["ny = 8", "odd"]),
                (("nx=7", "ny=7", "nz=7", "levels=4"), ["levels = 4", "7 x 7 x 7", "has 3"]),
                (("nx=13", "ny=7", "nz=7", "levels=3"), ["levels = 3", "has 2", "multiple of 4 less 1"]),
                (("levels=5",), ["levels = 5", "at most 4", "colors"]),
                (("pre=0", "post=0"), ["pre = 0", "post = 0"]),
                (("nz=2047", "levels=2"), ["nz = 2047", "bytes"]),
                (("smoother=sor",), ["smoother = sor", "chebyshev, jacobi, red-black"]),
                (("nx=7", "ny=7", "nz=7", "grain=stream"), ["grain=stream", "grain=wavelet"]),
                (("nx=1023",), ["nx = 1023"])):
            self.assertRefused(words, *says)


if __name__ == "__main__":
    unittest.main()
