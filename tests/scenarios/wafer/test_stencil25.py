"""The 25-point stencil: right to the bit on every grid, its counts, and its refusals."""
import unittest

from gridloom import CHECK
from workload_runs import WaferRuns, script_of


class Stencil25(WaferRuns):
    SCRIPT = script_of("stencil25")
    CHANGED = ("nx=7", "ny=11", "nz=8")

    # Numbers.

    def test_every_grid_is_right_to_the_bit(self):
        """Fewer PEs than a broadcast reaches, exactly as many, the ends of several groups."""
        self.assertAllRight([(f"nx={nx}", f"ny={ny}") for nx, ny in ((1, 1), (3, 2), (1, 12), (4, 5), (5, 6), (7, 9), (13, 11))],
                            "nz=12", "steps=22")

    def test_columns_in_several_blocks(self):
        self.assertAllRight([(f"nz={nz}", f"block={block}") for nz, block in ((12, 4), (13, 4), (9, 1), (3, 2), (1, 1))],
                            "nx=7", "ny=6", "steps=5")

    def test_waves_of_the_source_alone(self):
        self.assertAllRight([("steps=24", "start=zero"), ("steps=3", "source=off")], "nx=9", "ny=10", "nz=20")

    def test_corners_without_work(self):
        """As arXiv:2204.03775 says of its profile: their PEs are never busy; beside them lines are
        one PE shorter at each end."""
        self.assertAllRight([(f"nx={nx}", f"ny={ny}", *more) for nx, ny, more in (
            (3, 3, ()), (4, 9, ()), (5, 6, ("velocity=1+x/4",)), (12, 13, ("source_at=0,1,0",)), (11, 10, ("directions=es",)))],
            "nz=9", "block=4", "steps=7", "corners=idle")
        self.assertGrainsAgree("cycles_per_step_steady", [()], "nx=12", "ny=11", "nz=50", "steps=3", "corners=idle", within=0.01)
        metrics = self.outcome("nx=12", "ny=11", "nz=50", "corners=idle", "--timing-only")["metrics"]
        self.assertEqual(metrics["corner_busy_cycles_per_step"], 0)
        self.assertGreater(self.outcome("nx=12", "ny=11", "nz=50", "--timing-only")["metrics"]["corner_busy_cycles_per_step"], 0)

    def test_corners_that_are_needed(self):
        for words, says in ((("nx=2",), "2 x 20 PEs, expected at least 3 x 3"),
                            (("source_at=19,0,4",), "the source at 19,0,4 is in a corner")):
            self.assertRefused((*words, "corners=idle"), "corners=idle", says)

    def test_directions_left_out_count_as_zero(self):
        self.assertAllRight([(f"directions={directions}",) for directions in ("e", "n", "es", "ew", "swe")],
                            "nx=10", "ny=11", "nz=10", "steps=4")

    def test_both_grains_agree_for_any_directions(self):
        """In numbers to the bit, in time within the 1 % that a slice may differ by."""
        self.assertGrainsAgree("cycles_per_step_steady", [
            (f"directions={directions}",) for directions in ("e", "es", "ew", "ews", "ewns")],
            "nx=12", "ny=11", "nz=50", "steps=3", within=0.01)

    def test_the_check_finds_what_is_wrong(self):
        self.assertRight(*self.CHANGED)
        for library, right, wrong in (
                ("wafer/localized_broadcast.lua", "(index - turn) % self.period", "turn"),
                ("wafer/acoustic25.lua", "or d == 1 and", "or d == 2 and"),
                ("wafer/acoustic25.lua", "SECOND[math.abs(offset - GHOSTS)]",
                 "SECOND[math.abs(offset - GHOSTS - 1) % 5]"),
                ("wafer/acoustic25.lua", "pe:fsubs(m.old, m.sums, m.old)",
                 "pe:fsubs(m.old, m.old, m.sums)"),
                ("wafer/acoustic25.lua", "offset = GHOSTS + source.z", "offset = GHOSTS"),
                ("wafer/acoustic25.lua", "        pe:fmovs(m.sums, 0)\n", "")):
            self.assertEqual(self.run_with(library, right, wrong), CHECK, wrong)

    def test_threads_and_data_do_not_change_time(self):
        words = ("nx=11", "ny=12", "nz=20", "block=10")
        self.assertThreadsDoNotMatter(*words)
        self.assertDataTakeNoTime(*words)

    # Counts.

    def test_work_of_a_cell(self):
        """Table IV of Jacquelin et al. 2022: 17, 17, 8 and 1 of 51; 57 are executed."""
        metrics = self.outcome("nz=20", "block=10", "--timing-only")["metrics"]
        required = {"fmul": 17, "fadd": 17, "fma": 8, "fsub": 1, "flop": 51, "ramp_words": 17}
        executed = {"fmul": 20, "fadd": 20, "fma": 8, "fsub": 1, "flop": 57, "ramp_words": 20,
                    "memory_words": 112}

        for name, count in required.items():
            self.assertEqual(metrics["required_" + name], count, name)
        for name, count in executed.items():
            self.assertEqual(metrics["executed_" + name], count, name)

    def test_a_grid_without_an_interior_has_no_such_counts(self):
        metrics = self.outcome("nx=8", "nz=20", "--timing-only")["metrics"]

        self.assertIn("required_fmul", metrics)
        self.assertNotIn("executed_fmul", metrics)

    def test_blocks_are_as_large_as_memory_allows(self):
        """Table III of Jacquelin et al. 2022."""
        table = ((100, 100, 1), (200, 200, 1), (300, 300, 1), (400, 400, 1), (500, 250, 2), (700, 350, 2), (1000, 334, 3))
        found = self.metrics_of([(f"nz={nz}",) for nz, _, _ in table], "nx=1", "ny=1", "steps=1", "--timing-only")
        self.assertEqual([(metrics["block"], metrics["blocks_per_column"]) for metrics in found],
                         [(block, blocks) for _, block, blocks in table])

    def test_operands_lie_so_that_memory_stalls_as_measured(self):
        """Collisions occur in half of the sums along z, in the difference, and in rows of products
        that begin at 16 bytes as the sum does: all of them for blocks of 100, half of them for 250."""
        for nz, stalls in ((100, 4 * 100 + 0.6 * (50 + 20 * 50)),
                           (500, 4 * 500 + 0.6 * (250 + 2 * 10 * 125))):
            result = self.outcome("nx=1", "ny=1", f"nz={nz}", "steps=2", "source=off",
                                  "--timing-only")
            cycles = 2 * result["metrics"]["cycles_per_step"]
            self.assertAlmostEqual(cycles * result["busy"]["memory_idle"], 2 * stalls, 3, msg=nz)

    def test_the_interior_is_busier_than_the_edges(self):
        """It stalls as every PE does."""
        result = self.outcome("nz=100", "source=off", "--timing-only")
        metrics = result["metrics"]

        self.assertEqual(metrics["interior_memory_idle_cycles_per_step"],
                         4 * 100 + 0.6 * (50 + 20 * 50))
        self.assertGreater(metrics["interior_busy_cycles_per_step"],
                           result["busy"]["busy"] * metrics["cycles_per_step"])

    def test_rates_follow_from_cycles(self):
        result = self.outcome("nx=10", "ny=10", "nz=20", "--timing-only")
        metrics = result["metrics"]
        cell = metrics["cycles_per_step_steady"] / 20

        self.assertAlmostEqual(metrics["cycles_per_cell"], cell)
        self.assertAlmostEqual(metrics["gcells_per_second"], 100 * 0.85 / cell)
        self.assertAlmostEqual(metrics["tflops"], 51e-3 * metrics["gcells_per_second"])
        self.assertEqual(metrics["idle_watts"], 16100)
        self.assertGreater(metrics["power_watts"], 16100)
        self.assertAlmostEqual(sum(result["busy"].values()), 1)
        for roof in result["roofs"]:
            if roof["unit"] == "TFLOP/s":
                self.assertGreater(roof["value"], metrics["tflops"], roof["name"])

    # Refusals.

    def test_a_column_too_long_says_how_long_it_may_be(self):
        self.assertRefused(("nz=3721", "--timing-only"), "nz = 3721", "at most 3720", "44976 bytes")
        self.outcome("nx=1", "ny=1", "nz=3720", "steps=1", "--timing-only")

    def test_blocks_that_do_not_fit(self):
        for words, says in ((("block=0",), ["block = 0", "auto", "1..100"]),
                            (("block=101",), ["block = 101", "1..100"]),
                            (("block=half",), ["block = half", "auto"]),
                            (("block=600", "nz=800"), ["block = 600", "a block of 400 fits"]),
                            (("block=3", "nz=5000"), ["nz = 5000", "at most 3720"])):
            self.assertRefused(words, *says)

    def test_settings_out_of_range(self):
        for word, says in (("nz=0", "1.."), ("nx=0", "1.."), ("steps=0", "1.."),
                           ("directions=", "ewns"), ("directions=eew", "ewns"),
                           ("directions=x", "ewns"), ("start=up", "noise")):
            self.assertRefused((word,), word.split("=", maxsplit=1)[0], says)

    def test_numbers_of_the_chip_change_cycles_or_are_refused(self):
        """Wavelets have 32 bits, a step stores once, and what it reads at a time is simulated."""
        for key, only in (("fabric.wavelet_bytes", 4), ("memory.writes_per_cycle", 1)):
            self.assertRefused(("--set", f"{key}={2 * only}"), f"{key} = {2 * only}", f"{only}..{only}")
        usual, single = (self.outcome("nx=6", "ny=6", "nz=12", "--timing-only", *words)["metrics"]["cycles_per_step"]
                         for words in ((), ("--set", "memory.reads_per_cycle=1")))
        self.assertGreater(single, usual)

    def test_a_grid_larger_than_the_wafer(self):
        self.assertRefused(("nx=758", "nz=10", "--timing-only"), "758")

    def test_words_of_another_kind_of_chip(self):
        for word in ("dtype=bf16", "dtype=fp16", "rows=2", "tiles=2"):
            self.assertRefused((word,), word.split("=")[0], "wse")


if __name__ == "__main__":
    unittest.main()
