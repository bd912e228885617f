"""Vectors in DRAM that pass through L1: products and solutions to the bit, bytes, time, refusals."""
import unittest

from gridloom import CHECK, DONE
from workload_runs import WorkloadRuns, script_of

FORMATS = ("bf16", "fp32")
TILE_BYTES = {"bf16": 2048, "fp32": 4096}


class Stencil7(WorkloadRuns):
    SCRIPT = script_of("stencil7")
    CHANGED = ("rows=2", "cols=2", "tiles=9", "vectors=dram", "iterations=2")

    def test_every_shape_is_right_to_the_bit(self):
        """Also where tiles go round the end of their rings, and where some are masked."""
        for dtype in FORMATS:
            self.assertAllRight([("rows=1", "cols=1", "tiles=1"), ("rows=1", "cols=2", "tiles=41"), ("rows=3", "cols=2", "tiles=4"),
                                 ("rows=2", "cols=2", "tiles=5", "tiles_x=3", "tiles_y=3"),
                                 ("nx=200", "ny=50", "nz=3", "tiles_x=2", "tiles_y=2")], f"dtype={dtype}", "vectors=dram", "iterations=3")

    def test_the_check_finds_what_is_wrong(self):
        self.assertRight(*self.CHANGED)
        for library, right, wrong in [
                ("cores/laplacian7_plane.lua", "(before + tile) % s.x_pages", "tile % s.x_pages"),
                ("cores/laplacian7_plane.lua", "s.source.first + tile - first", "s.source.first"),
                ("cores/tile_stream.lua", "vector.first + tile, vector.buffer", "vector.first, vector.buffer")]:
            self.assertEqual(self.run_with(library, right, wrong), CHECK, wrong)

    def test_more_than_l1_holds_runs(self):
        words = ("rows=1", "cols=2", "tiles=360")
        self.assertRefused(words, "tiles = 360, 349 of x and of y fit", "vectors=dram has room for more")

        self.assertRight(*words, "vectors=dram")

    def test_each_vector_passes_once(self):
        for dtype in FORMATS:
            result = self.outcome("rows=2", "cols=2", "tiles=5", f"dtype={dtype}", "vectors=dram", "iterations=3")
            vector = 4 * 5 * TILE_BYTES[dtype]

            self.assertEqual(result["metrics"]["dram_bytes_per_iteration"], 2 * vector)
            # The host puts x there and takes y.
            self.assertEqual(result["counters"]["dram_bytes"], (3 * 2 + 2) * vector)

    def test_dram_is_hidden_behind_the_stencil(self):
        """A tile of BF16 takes more than 3000 cycles, and its way less than the tiles ahead do."""
        in_l1 = self.outcome("rows=2", "cols=2", "tiles=24", "tiles_x=2", "--timing-only")["cycles"]
        from_dram = self.outcome("rows=2", "cols=2", "tiles=24", "tiles_x=2", "vectors=dram", "--timing-only")["cycles"]

        self.assertGreater(from_dram, in_l1)
        self.assertLess(from_dram, 1.05 * in_l1)

    def test_threads_do_not_matter(self):
        self.assertThreadsDoNotMatter("rows=2", "cols=2", "tiles=4", "tiles_x=2", "vectors=dram")

    def test_timing_does_not_depend_on_numbers(self):
        self.assertDataTakeNoTime("rows=2", "cols=2", "tiles=4", "tiles_x=2", "vectors=dram")

    def test_nothing_is_read_while_it_is_written(self):
        for words in (("vectors=l1",), ("vectors=dram",)):
            self.succeed("run", self.SCRIPT, "rows=2", "cols=2", "tiles=3", "tiles_x=2", "tiles_y=2", *words, "--check=races", "-q")

    def test_what_cannot_be_is_refused_in_one_line(self):
        self.assertRefused(("vectors=dram", "halo=off"), "halo and zero_fill are on with vectors=dram")
        self.assertRefused(("vectors=sram",), "vectors = sram", "l1", "dram")
        self.assertRefused(("nx=9000", "ny=1600", "nz=1", "vectors=dram", "dtype=fp32", "--timing-only"),
                           "18 x 15 tiles of a core in each layer", "L1 has")
        self.CHIP = ("--system", "n300")
        self.assertRefused(("rows=1", "cols=1", "tiles=1", "vectors=dram"), "vectors=dram on 2 chips", "chips=1")


class Pcg(WorkloadRuns):
    SCRIPT = script_of("pcg")
    CHANGED = ("rows=1", "cols=1", "tiles=9", "vectors=dram", "iterations=2")

    def history(self, *words):
        return self.assertRight(*words)["metrics"]["residual_history"]

    def test_norms_and_solutions_are_the_references_bit_for_bit(self):
        result = self.several([(f"variant={variant}", f"dtype={dtype}", *words) for variant in ("fused", "split") for dtype in FORMATS
                               for words in (("rows=2", "cols=3", "tiles=4"), ("rows=1", "cols=1", "tiles=1"),
                                             ("rows=1", "cols=2", "tiles=19", "dots=3", "granularity=scalar"),
                                             ("nx=200", "ny=50", "nz=2", "tiles_x=2", "tiles_y=3"))],
                              "iterations=3", "vectors=dram")

        self.assertEqual((result["check"]["status"], result["check"]["max_abs_error"]), ("pass", 0))
        self.assertIn("bit for bit", result["check"]["reference"])

    def test_norms_are_those_of_vectors_in_l1(self):
        for variant in ("fused", "split"):
            words = ("rows=2", "cols=2", "tiles=3", "tiles_x=2", "iterations=4", f"variant={variant}")

            self.assertEqual(self.history(*words, "vectors=dram"), self.history(*words, "vectors=l1"))

    def test_a_start_of_the_users_is_in_dram_too(self):
        for variant in ("fused", "split"):
            result = self.assertRight("rows=2", "cols=1", "tiles=3", "tiles_x=2", "iterations=2", "rhs=x", "start=x*y", "vectors=dram",
                                      f"variant={variant}")
            self.assertEqual(result["check"]["max_abs_error"], 0)

    def test_more_than_l1_holds_runs(self):
        words = ("rows=1", "cols=2", "tiles=180", "iterations=1")
        self.assertRefused(words, "tiles=180", "170 tiles of each do; vectors=dram has room for more")

        result = self.assertRight(*words, "vectors=dram")
        self.assertEqual(result["check"]["max_abs_error"], 0)
        self.assertNotIn("tiles_that_fit", result["metrics"])

    def test_a_tolerance_ends_all_cores(self):
        for variant in ("fused", "split"):
            result = self.assertRight("rows=2", "cols=2", "tiles=2", "iterations=50", "tolerance=5", "vectors=dram", f"variant={variant}")
            norms = result["metrics"]["residual_history"]

            self.assertEqual(result["iterations"], len(norms) - 1)
            self.assertTrue(norms[-1] <= 5 < norms[-2])
            self.assertNotIn("dram_bytes_per_iteration", result["metrics"])

    def test_vectors_pass_as_often_as_worked_out(self):
        """Fused: A p 2, x and r 6, p 3, delta 1. Split: each operation's operands and result."""
        vector = 4 * 5 * TILE_BYTES["bf16"]
        for variant, dots, each, first in (("fused", 3, 11, 2), ("fused", 4, 12, 2), ("split", 3, 18, 0), ("split", 4, 20, 0)):
            result = self.outcome("rows=2", "cols=2", "tiles=5", "iterations=4", f"variant={variant}", "dtype=bf16", f"dots={dots}",
                                  "vectors=dram")
            # Before it is measured, split has z, p, r z and r r; the norm is written and read
            # five times. The host puts r and x there and takes x.
            outside = 3 * vector + (7 * vector + 5 * 2 * 32 if variant == "split" else 0)

            self.assertEqual(result["metrics"]["dram_bytes_per_iteration"] * 4, (4 * each + first) * vector)
            self.assertEqual(result["counters"]["dram_bytes"], (4 * each + first) * vector + outside)

    def test_a_pass_reads_what_the_pass_before_has_stored(self):
        """The last tile may be late, unless the writer has said that it is there."""
        write, count = "        stream.write(list, args.tiles)\n", "        count()\n"
        late = """
        for tile = 0, args.tiles - 1 do
            if tile == args.tiles - 1 then delay(100000) end
            for _, vector in ipairs(list) do stream.store(vector, tile) end
        end
        noc_async_write_barrier()
"""

        self.assertEqual(self.run_with("cores/pcg_streamed.lua", write + count, late + count), DONE)
        self.assertEqual(self.run_with("cores/pcg_streamed.lua", write + count, count + late), CHECK)

    def test_threads_do_not_matter(self):
        self.assertThreadsDoNotMatter("rows=2", "cols=2", "tiles=2", "tiles_x=2", "iterations=2", "vectors=dram")

    def test_timing_does_not_depend_on_numbers(self):
        self.assertDataTakeNoTime("rows=2", "cols=2", "tiles=2", "tiles_x=2", "iterations=2", "vectors=dram")

    def test_nothing_is_read_while_it_is_written(self):
        for words in (("vectors=l1",), ("vectors=dram",)):
            self.succeed("run", self.SCRIPT, "rows=2", "cols=2", "tiles=2", "tiles_x=2", "iterations=2", *words, "--check=races", "-q")

    def test_what_cannot_be_is_refused_in_one_line(self):
        self.assertRefused(("vectors=dram", "diagonal=7"), "a diagonal of your own is for", "not vectors=dram")
        self.assertRefused(("vectors=dram", "structure=batched"), "structure=batched is for", "vectors=l1, not 1 x 1 and dram")
        self.assertRefused(("nx=5632", "ny=896", "nz=1", "vectors=dram", "dtype=fp32", "--timing-only"),
                           "11 x 8 tiles of a core in each layer in fp32: buffers do not fit into L1", "bytes are missing")


if __name__ == "__main__":
    unittest.main()
