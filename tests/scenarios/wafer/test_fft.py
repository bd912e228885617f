"""Fourier transforms on wafers: right, grains agree, what bounds them, refusals."""
import unittest

from gridloom import CHECK, INPUT
from workload_runs import WaferRuns, script_of


class Fft(WaferRuns):
    SCRIPT = script_of("fft")
    CHANGED = ("n=8", "dims=3")

    def test_sizes_and_dimensions(self):
        """An odd and an even number of stages, rings of two PEs and more."""
        self.assertAllRight([(f"dims={dims}", f"n={n}") for dims in (1, 2, 3) for n in (2, 4, 8, 16)]
                            + [("dims=1", "n=64"), ("dims=2", "n=32")])

    def test_other_wafers(self):
        for chip in ("wse1", "wse3"):
            self.succeed("run", self.SCRIPT, "--chip", chip, "n=8", "-q")

    def test_the_check_finds_what_is_wrong(self):
        self.assertAllRight([(), ("dims=1",)], "n=8")
        for library, right, wrong, words in (
                ("wafer/fft.lua", "pe:fsubs(result(1, width), result(1, width), product)",
                 "pe:fadds(result(1, width), result(1, width), product)", ()),
                ("wafer/fft.lua", "strides = { width, 0 } }", "strides = { 1, 0 } }", ()),
                ("wafer/fft.lua", "local angle = -2 * math.pi * i * k / (n * n)", "local angle = -2 * math.pi * i / (n * n)",
                 ("dims=1",)),
                ("wafer/ring.lua", "pe:assign(cell, last)", "pe:assign(cell, 0)", ()),
                ("wafer/ring.lua", "offset = way == 1 and 1 or n - 1", "offset = way == 1 and 1 or n - 2", ())):
            size = ("n=8",) if words else None
            self.assertEqual(self.run_with(library, right, wrong, *words, size=size), CHECK, wrong)

    def test_threads_data_and_grains(self):
        self.assertThreadsDoNotMatter("n=16")
        self.assertDataTakeNoTime("n=16")
        for words in (("dims=3", "n=32"), ("dims=2", "n=128"), ("dims=1", "n=128")):
            found = [self.outcome(*words, f"grain={grain}", "--timing-only")["cycles"] for grain in ("wavelet", "stream")]
            self.assertAlmostEqual(found[1] / found[0], 1, delta=0.01)
        found = [self.outcome("n=32", f"grain={grain}", "--timing-only", "--set", "fabric.hop_cycles=2")["cycles"]
                 for grain in ("wavelet", "stream")]
        self.assertAlmostEqual(found[1] / found[0], 1, delta=0.01)

    def test_a_transpose_is_bound_by_the_words_that_a_pe_moves(self):
        """Twice the numbers are four times the words; the rest is a fixed part of each step."""
        small, large = self.metrics_of([("n=64",), ("n=128",)], "dims=2", "--timing-only")
        for found, n in ((small, 64), (large, 128)):
            self.assertEqual(found["transpose_issue_cycles"], n * n)
            self.assertEqual(found["transpose_link_cycles"], n * n // 2)
            self.assertGreater(found["transpose_cycles"], found["transpose_issue_cycles"])
        rest = [found["transpose_cycles"] - found["transpose_issue_cycles"] for found in (small, large)]
        self.assertLess(rest[1], 2.5 * rest[0])

    def test_lines_have_a_stage_for_each_factor_of_two(self):
        """Four products and six sums for half the numbers of a stage, but no product in the last."""
        found = [of["lines_cycles"] / 2 for of in self.metrics_of([("n=16",), ("n=64",), ("n=128",)], "dims=2", "--timing-only")]
        self.assertLess(found[0], found[1])
        for cycles, n, stages in zip(found, (16, 64, 128), (4, 6, 7)):
            self.assertGreater(cycles, (stages - 1) * n // 2 * (4 + 6 / 2))
            self.assertLess(cycles, stages * (n // 2 * (10 + 4) + 10 * 36))

    def test_what_does_not_fit(self):
        for words, says in (
                (("n=12",), ["n = 12", "power of two", "8", "16"]),
                (("n=1024",), ["n = 1024", "memory", "12800"]),
                (("n=512", "--set", "fabric.bare_column_count=500"), ["512 x 512", "500"]),
                (("dims=4",), ["dims", "1, 2, 3"]),
                (("n=1",), ["n", "2.."])):
            self.assertRefused(words, *says)
        self.assertFails(INPUT, ["wormhole_n300"], "run", self.SCRIPT, "--chip", "wormhole_n300")


if __name__ == "__main__":
    unittest.main()
