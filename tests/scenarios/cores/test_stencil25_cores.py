"""The 25-point stencil on cores: right to the bit, its time, and its refusals."""
import unittest

from gridloom import CHECK, DONE
from workload_runs import WorkloadRuns, script_of

# Products per tile: 8 numbers along y, 17 along x and z, and the level before.
TERMS = 26
UNPACK_TWO = 62     # cycles of two operands into Src, tensix-mechanisms 1.1


class Stencil25Cores(WorkloadRuns):
    SCRIPT = script_of("stencil25")
    CHANGED = ("nx=70", "ny=20", "nz=5")

    def cycles_per_tile(self, *words):
        return self.outcome(*words, "--timing-only")["metrics"]["cycles_per_tile"]

    # Numbers.

    def test_every_shape_is_right_to_the_bit(self):
        self.assertAllRight([(f"rows={rows}", f"cols={cols}", f"tiles={tiles}", f"dtype={dtype}")
                             for rows, cols, tiles in ((1, 1, 1), (1, 2, 2), (2, 1, 3), (2, 2, 9))
                             for dtype in ("bf16", "fp32")])

    def test_sizes_that_do_not_fill_cores(self):
        cases = [(size, dtype) for dtype in ("bf16", "fp32") for size in ((1, 1, 1), (3, 2, 5), (66, 17, 3), (127, 31, 2))]
        found = self.assertAllRight([(f"nx={nx}", f"ny={ny}", f"nz={nz}", f"dtype={dtype}")
                                     for (nx, ny, nz), dtype in cases], "steps=4")
        self.assertEqual([(metrics["grid"], metrics["is_padded"]) for metrics in found],
                         [(list(size), True) for size, _ in cases])

    def test_a_pulse_goes_through_all_cores(self):
        """Starts from zeros; numbers that the pulse has not reached are tiny, or 0."""
        for metrics in self.assertAllRight([("dtype=bf16",), ("dtype=fp32",)], "nx=130", "ny=34", "nz=3", "steps=19",
                                           "start=zero"):
            self.assertGreater(metrics["largest"], 0.1)
            self.assertLess(metrics["largest"], 10)

    def test_the_source_is_where_it_is_on_a_wafer(self):
        """The largest number is the same as there, all in double precision, rounded to single."""
        words = ("nx=5", "ny=4", "nz=6", "steps=5", "start=zero")
        largest = [self.outcome(*words, *more)["metrics"]["largest"]
                   for more in ((), ("dtype=fp32",), ("--chip", "wse2"))]

        self.assertGreater(largest[0], 0)
        self.assertEqual(len(set(largest)), 1)

    def test_without_source_zeros_stay(self):
        result = self.assertRight("rows=1", "cols=1", "tiles=3", "start=zero", "source=off")

        self.assertEqual(result["metrics"]["largest"], 0)

    def test_the_check_finds_what_is_wrong(self):
        for library, right, wrong in (
                ("wave25.lua", "-1 / 560", "-1 / 561"),
                ("wave25.lua", "-205 / 72", "-204 / 72"),
                ("cores/wave25.lua", "at = { -d, d } }", "at = { -d, -d } }"),
                ("cores/wave25.lua", "{ 0, -d }, { 0, d }", "{ 0, d }, { 0, d }"),
                ("cores/wave25.lua", "has_before = true", "has_before = false"),
                ("cores/stencil.lua", "s.pulse.k == k", "s.pulse.k == k + 1"),
                ("cores/stencil.lua", "shift = at[1] * s.line_bytes",
                 "shift = -at[1] * s.line_bytes + (at[1] == 4 and s.line_bytes or 0)"),
                ("cores/stencil.lua", "unit.group(s.minus_one, made.x", "unit.group(s.minus_one, present.x"),
                ("cores/stencil_run.lua", "it.is_turned and turned(number) or number", "number"),
                ("cores/shifted_tiles.lua", "(lines - s.reach) * s.line_bytes", "0"),
                ("cores/shifted_tiles.lua", "+ shift * s.line_bytes", "- shift * (s.line_bytes // 2)"),
                ("cores/shifted_tiles.lua", "(side.is_turned or s.has_lines)", "side.is_turned")):
            self.assertEqual(self.run_with(library, right, wrong), CHECK, (library, wrong))

    def test_masks_of_fp32(self):
        self.assertEqual(self.run_with("cores/stencil_units.lua", "if s.is_masked then", "if false then",
                                       "dtype=fp32"), CHECK)

    def test_a_core_that_lags_gets_its_edges(self):
        for place in ("function shifted.publish(s, field, k)\n",
                      "function shifted.gather(s, field, k, count)\n"):
            lagging = place + "    if my_x() == 0 and my_y() == 0 then delay(9000) end\n"
            for words in ((), ("dtype=fp32",)):
                self.assertEqual(self.run_with("cores/shifted_tiles.lua", place, lagging, *words),
                                 DONE)

    def test_threads_do_not_matter(self):
        self.assertThreadsDoNotMatter("rows=2", "cols=3", "tiles=4")

    def test_timing_does_not_depend_on_numbers(self):
        self.assertDataTakeNoTime("rows=2", "cols=2", "tiles=4")

    # Time.

    def test_unpackers_are_what_bf16_waits_for(self):
        """Two operands per term; the rest is transposing, starting and packing."""
        least = TERMS * UNPACK_TWO
        tile = self.cycles_per_tile("rows=3", "cols=3", "tiles=32", "source=off")

        self.assertGreater(tile, least)
        self.assertLess(tile, 1.6 * least)

    def test_fp32_takes_its_copies_and_sums(self):
        """tensix-mechanisms 3 and 4: a copy takes 195, a sum 235; nearly 26 of each."""
        tile = self.cycles_per_tile("rows=1", "cols=1", "tiles=32", "dtype=fp32", "source=off")

        self.assertAlmostEqual(tile, TERMS * (195 + 235) + 10 * 200, delta=0.15 * 13200)

    def test_weak_scaling_is_flat(self):
        """Without the start, because a single core has no edges to send."""
        times = []
        for rows, cols in ((1, 1), (3, 3), (7, 8)):
            few, more = (self.outcome(f"rows={rows}", f"cols={cols}", "tiles=8", f"steps={n}",
                                      "--timing-only")["cycles"] for n in (2, 4))
            times.append(more - few)

        self.assertLess(max(times) / min(times), 1.03)

    def test_steps_after_the_first_take_alike(self):
        few, more, most = (self.outcome("rows=2", "cols=2", "tiles=8", f"steps={n}",
                                        "--timing-only")["cycles"] for n in (2, 4, 6))

        self.assertAlmostEqual((most - more) / (more - few), 1, delta=0.01)

    def test_the_result_says_what_the_rates_are(self):
        result = self.outcome("rows=2", "cols=2", "tiles=8", "steps=4", "--timing-only")
        metrics = result["metrics"]

        self.assertAlmostEqual(metrics["cycles_per_step"], result["cycles"] / 4)
        self.assertAlmostEqual(metrics["gcells_per_second"],
                               4 * 8 * 1024 / metrics["cycles_per_step"])
        self.assertAlmostEqual(metrics["tflops"], metrics["gcells_per_second"] * 51 / 1000)
        roofs = {roof["name"]: roof for roof in result["roofs"]}
        self.assertAlmostEqual(roofs["FPU multiply-add"]["value"], 4 * 64 / 1000)
        self.assertAlmostEqual(roofs["L1 to unpackers"]["value"],
                               4 * 51 * 1024 * 64 / (54 * 2048) / 1000)
        for name in ("FPU multiply-add", "L1 to unpackers"):
            self.assertLess(roofs[name]["achieved"], roofs[name]["value"])

    # Refusals.

    def test_a_problem_too_large_for_l1_says_how_many_layers_fit(self):
        """Two fields of (64 + 8) lines and 4 squares of (16 + 8), beside 32 or 21 tiles."""
        for dtype, fit in (("bf16", 130), ("fp32", 64)):
            for word in ("tiles", "nz"):
                size = ("nx=64", "ny=16") if word == "nz" else ("rows=1", "cols=1")
                self.assertRefused((*size, f"dtype={dtype}", f"{word}={fit + 1}", "--timing-only"),
                                   f"{word} = {fit + 1}, {fit} fit", "L1", dtype)
                self.outcome(*size, f"dtype={dtype}", f"{word}={fit}", "steps=1", "--timing-only")

    def test_what_is_refused(self):
        for words, says in ((("nx=513", "ny=16", "nz=1"), "nx is up to 512"),
                            (("rows=8",), "7 rows and 8 columns"),
                            (("nx=5",), "give all three"),
                            (("dtype=fp16",), "bf16"),
                            (("steps=0",), "1.."),
                            (("block=4",), "block"),
                            (("directions=e",), "directions")):
            self.assertRefused(words, says)


if __name__ == "__main__":
    unittest.main()
