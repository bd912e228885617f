"""Cores with several tiles in each layer: products and solutions to the bit, their time, refusals."""
import unittest

from gridloom import CHECK, DONE
from workload_runs import WorkloadRuns, script_of

PLANE = "cores/laplacian7_plane.lua"
FORMATS = ("bf16", "fp32")


class Stencil7(WorkloadRuns):
    SCRIPT = script_of("stencil7")
    CHANGED = ("rows=2", "cols=2", "tiles=3", "tiles_x=2", "tiles_y=2", "iterations=2")

    # Numbers.

    def test_every_shape_is_right_to_the_bit(self):
        self.assertAllRight([(f"rows={rows}", f"cols={cols}", f"tiles={tiles}", f"tiles_x={wide}", f"tiles_y={high}",
                              f"dtype={dtype}")
                             for rows, cols, tiles, wide, high in [(1, 1, 1, 2, 1), (1, 1, 1, 1, 2), (1, 2, 3, 2, 1),
                                                                   (2, 1, 3, 1, 3), (3, 3, 2, 3, 2)]
                             for dtype in FORMATS], "iterations=2")

    def test_sizes_beyond_a_tile_per_core_are_folded(self):
        found = self.assertAllRight([("nx=513", "ny=16", "nz=1"), ("nx=64", "ny=113", "nz=2"), ("nx=600", "ny=130", "nz=2")])

        self.assertEqual([metrics["grid"] for metrics in found], [[513, 16, 1], [64, 113, 2], [600, 130, 2]])
        parameters = self.assertRight("nx=600", "ny=130", "nz=1")["parameters"]
        effective = {"cols": 5, "rows": 5, "tiles": 1, "tiles_x": 2, "tiles_y": 2, "nx": 600, "ny": 130, "nz": 1}
        self.assertEqual(parameters, {**parameters, **effective})

    def test_tiles_that_are_not_full_or_outside_are_masked(self):
        """Of a core's six tiles, some are whole, some end along x, along y or both, and some lie outside."""
        for dtype in FORMATS:
            self.assertAllRight([("nx=70", "ny=20", "nz=2", "tiles_x=3", "tiles_y=3"), ("nx=200", "ny=50", "nz=3", "tiles_x=2", "tiles_y=2"),
                                 ("nx=64", "ny=17", "nz=1", "tiles_x=1", "tiles_y=2")], f"dtype={dtype}", "iterations=2")

    def test_a_plane_has_the_numbers_of_cores_with_a_tile_each(self):
        few = self.assertRight("nx=128", "ny=32", "nz=3", "tiles_x=2", "tiles_y=2")
        many = self.assertRight("nx=128", "ny=32", "nz=3")

        self.assertEqual(few["chip_used"]["used"], 1)
        self.assertEqual(many["chip_used"]["used"], 4)
        self.assertEqual(few["check"], many["check"])

    def test_the_check_finds_what_is_wrong(self):
        self.assertRight(*self.CHANGED)
        for right, wrong in [
                ("get_noc_addr(it.x, it.y, to + (i - 1) * s.line_bytes)", "get_noc_addr(it.x, it.y, to)"),
                ("fill_words(to + line * s.line_bytes", "fill_words(to"),
                ("turned_at(s, tile + it.step) or x_at(s, tile + it.step)", "turned_at(s, tile) or x_at(s, tile + it.step)"),
                ("turned_at(s, tile + it.step) or x_at(s, tile + it.step)", "turned_at(s, tile + it.step) or x_at(s, tile)"),
                ("with_x(tile - s.plane, 0", "with_x(tile - 1, 0"),
                ("local SLOTS = 8 ", "local SLOTS = 1 ")]:
            self.assertEqual(self.run_with(PLANE, right, wrong), CHECK, wrong)

    def test_a_core_that_lags_has_places_for_all_edges(self):
        """Others go on until they need its edges, layers ahead."""
        place = "local function fill_side(s, tile, place, it)\n"
        lagging = place + "    if my_x() == 0 and my_y() == 0 then delay(20000) end\n"

        for size in (("rows=2", "cols=2", "tiles=6", "tiles_x=2"), ("rows=1", "cols=3", "tiles=9", "tiles_y=2")):
            self.assertEqual(self.run_with(PLANE, place, lagging, size=size), DONE)

    def test_threads_do_not_matter(self):
        self.assertThreadsDoNotMatter("rows=2", "cols=2", "tiles=3", "tiles_x=2", "tiles_y=2")

    def test_timing_does_not_depend_on_numbers(self):
        self.assertDataTakeNoTime("rows=2", "cols=2", "tiles=3", "tiles_x=2", "tiles_y=2")

    # Time.

    def test_tiles_side_by_side_cost_no_more_than_layers(self):
        """Lines inside a core are copied, and nobody waits for another core in between."""
        beside = self.outcome("nx=1024", "ny=224", "nz=8", "--timing-only")["metrics"]["cycles_per_tile"]
        above = self.outcome("nx=512", "ny=112", "nz=32", "--timing-only")["metrics"]["cycles_per_tile"]

        self.assertLess(beside, above)
        self.assertGreater(beside, 0.8 * above)

    # Refusals.

    def test_what_does_not_fit_says_so(self):
        self.assertRefused(("nx=1024", "ny=224", "nz=100"), "nz = 100 with 4 tiles of a core in each layer, 86 of x and of y fit", "L1",
                           "vectors=dram has room for more")
        self.assertRefused(("nx=20000", "ny=2000", "nz=1", "--timing-only"), "40 x 18 tiles of a core in each layer",
                           "the stencil's buffers take", "L1 has")
        self.assertRefused(("rows=1", "cols=1", "tiles_x=2", "halo=off"), "halo and zero_fill are on with 2 x 1 tiles")
        self.assertRefused(("nx=1025", "ny=16", "nz=1", "tiles_x=2"), "nx is up to 1024")
        self.assertRefused(("tiles_x=1025",), "tiles_x = 1025", "0..1024")

    def test_several_chips_have_a_tile_of_a_core_in_each_layer(self):
        self.CHIP = ("--system", "n300")
        self.assertRefused(("nx=1200", "ny=16", "nz=1"), "cols=10 on each of 2 chips", "nx is up to 1024")
        self.assertRefused(("nx=1200", "ny=16", "nz=1", "tiles_x=2"), "2 x 1 tiles of a core in each layer on 2 chips", "chips=1")
        self.assertRight("nx=600", "ny=16", "nz=1", "chips=1")


class Pcg(WorkloadRuns):
    SCRIPT = script_of("pcg")

    def test_norms_and_solutions_are_the_references_bit_for_bit(self):
        result = self.several([(f"variant={variant}", f"dtype={dtype}", *words) for variant in ("fused", "split") for dtype in FORMATS
                               for words in (("rows=2", "cols=2", "tiles=2", "tiles_x=2", "tiles_y=2"),
                                             ("nx=200", "ny=50", "nz=2", "tiles_x=2", "tiles_y=3", "granularity=scalar"))],
                              "iterations=3")

        self.assertEqual((result["check"]["status"], result["check"]["max_abs_error"]), ("pass", 0))
        self.assertIn("bit for bit", result["check"]["reference"])

    def test_a_plane_of_1024_x_224_cells_runs_on_one_die(self):
        result = self.outcome("nx=1024", "ny=224", "nz=2", "iterations=2")

        self.assertEqual((result["check"]["status"], result["check"]["max_abs_error"]), ("pass", 0))
        self.assertEqual(result["metrics"]["grid"], [1024, 224, 2])
        self.assertEqual(result["chip_used"]["used"], 56)
        self.assertNotIn("tiles_that_fit_published", result["metrics"])

    def test_what_does_not_fit_says_so(self):
        self.assertRefused(("nx=1024", "ny=224", "nz=42", "--timing-only"), "nz=42 with 4 tiles of a core in each layer",
                           "4 vectors of bf16 do not fit into L1, 167 tiles of each do; vectors=dram has room for more")
        self.assertRefused(("tiles_x=2", "structure=batched"), "structure=batched is for one tile of a core in each layer",
                           "not 2 x 1 and l1")


if __name__ == "__main__":
    unittest.main()
