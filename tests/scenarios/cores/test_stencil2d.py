"""2D stencils on layers: right to the bit, their time, and their refusals."""
import itertools
import json
import unittest

from gridloom import CHECK, DONE
from workload_runs import WorkloadRuns, script_of

SHAPES, RADII, DTYPES = ("star", "box"), (1, 2, 3), ("bf16", "fp32")

# All weights of a shape, as a script sees them.
WEIGHTS = """
local weights = require("stencil2d_weights")
return { summary = "weights", chips = { "tensix" },
parameters = {
    { name = "shape", type = "text", default = "star", help = "which" },
    { name = "radius", type = "integer", default = 1, help = "how far" },
},
run = function(host, p)
    local rows = {}
    for i, point in ipairs(weights.of(p.shape, p.radius)) do
        rows[i] = { point.dx, point.dy, point.weight }
    end
    host.table { name = "weights", columns = { "dx", "dy", "weight" }, rows = rows }
    host.metric("flop", weights.flop(p.shape, p.radius))
end }
"""


class Stencil2d(WorkloadRuns):
    SCRIPT = script_of("stencil2d")
    CHANGED = ("nx=70", "ny=20", "nz=4", "radius=2")

    # Numbers.

    def test_every_stencil_is_right_to_the_bit(self):
        self.assertAllRight([(f"shape={shape}", f"radius={radius}", f"dtype={dtype}")
                             for shape, radius, dtype in itertools.product(SHAPES, RADII, DTYPES)],
                            "rows=2", "cols=2", "tiles=4")

    def test_every_grid_of_cores(self):
        self.assertAllRight([(f"rows={rows}", f"cols={cols}", f"tiles={tiles}", f"shape={shape}")
                             for rows, cols, tiles in ((1, 1, 1), (1, 2, 2), (2, 1, 1), (3, 3, 3)) for shape in SHAPES],
                            "radius=2", "iterations=4")

    def test_sizes_that_do_not_fill_cores(self):
        cases = list(itertools.product(((1, 1, 1), (2, 3, 4), (65, 18, 2), (126, 30, 3)), SHAPES, DTYPES))
        found = self.assertAllRight([(f"nx={nx}", f"ny={ny}", f"nz={nz}", f"shape={shape}", f"dtype={dtype}")
                                     for (nx, ny, nz), shape, dtype in cases], "radius=3")
        self.assertEqual([metrics["grid"] for metrics in found], [list(size) for size, _, _ in cases])

    def test_weights(self):
        self.write("weights.lua", WEIGHTS)
        for shape, radius in itertools.product(SHAPES, RADII):
            self.succeed("run", "weights.lua", f"shape={shape}", f"radius={radius}", "--out", "o",
                         "--json", "r.json", "-q")
            lines = self.read("o/weights.csv").splitlines()[1:]
            found = {(int(x), int(y)): float(w) for x, y, w in (line.split(",") for line in lines)}
            reach = range(-radius, radius + 1)
            expected = {(x, y): 1 / (1 + x * x + 2 * y * y) for x in reach for y in reach
                        if shape == "box" or x == 0 or y == 0}
            total = sum(expected.values())
            self.assertEqual(found.keys(), expected.keys())
            for point, weight in expected.items():
                self.assertAlmostEqual(found[point], weight / total, places=12)
            self.assertEqual(json.loads(self.read("r.json"))["metrics"]["flop"],
                             2 * len(expected) - 1)

    def test_the_check_finds_what_is_wrong(self):
        for library, right, wrong, shape in (
                ("cores/stencil2d.lua", "at = { { -dx, 0 }, { dx, 0 } }",
                 "at = { { -dx, 0 }, { -dx, 0 } }", "star"),
                ("cores/stencil2d.lua", "at = { -dx, dx }", "at = { dx, dx }", "box"),
                ("cores/stencil2d.lua", "math.abs(point.dy) + 1", "math.min(math.abs(point.dy), 1) + 1", "box"),
                ("cores/stencil.lua", "local first = dx > 0 and 0 or shifted.lines + dx",
                 "local first = 0", "box"),
                ("cores/stencil.lua", "local first = dx > 0 and shifted.lines or dx",
                 "local first = dx > 0 and shifted.lines - 1 or dx", "box"),
                ("cores/stencil.lua", "shift = dx * s.line_bytes", "shift = 0", "box"),
                ("cores/stencil.lua", "kept = kept + math.abs(dx) * s.line_bytes", "kept = kept", "box")):
            self.assertEqual(self.run_with(library, right, wrong, f"shape={shape}"), CHECK,
                             (library, wrong))

    def test_a_core_that_lags_gets_its_edges(self):
        for place in ("local function send_slanted(s, turn)\n",
                      "local function fill_slanted(s, turn)\n"):
            lagging = place + "    if my_x() == 0 and my_y() == 0 then delay(9000) end\n"
            for layers in ("1", "2", "4"):
                size = ("nx=70", "ny=20", f"nz={layers}", "radius=2")
                self.assertEqual(self.run_with("cores/stencil.lua", place, lagging, "shape=box",
                                               size=size), DONE, (place, layers))

    def test_threads_do_not_matter(self):
        self.assertThreadsDoNotMatter("rows=2", "cols=3", "tiles=4", cases=[(f"shape={shape}",) for shape in SHAPES])

    def test_timing_does_not_depend_on_numbers(self):
        self.assertDataTakeNoTime("rows=2", "cols=2", "tiles=4", "shape=box")

    # Time.

    def test_the_result_says_what_the_rates_are(self):
        for shape, radius, flop in (("star", 2, 17), ("box", 2, 49)):
            result = self.outcome("rows=2", "cols=2", "tiles=8", "iterations=4", f"shape={shape}",
                                  f"radius={radius}", "--timing-only")
            metrics = result["metrics"]
            self.assertEqual(metrics["required_flop"], flop)
            self.assertAlmostEqual(metrics["gcells_per_second"],
                                   4 * 8 * 1024 * 4 / result["cycles"])
            self.assertAlmostEqual(metrics["tflops"], metrics["gcells_per_second"] * flop / 1000)
            for roof in result["roofs"]:
                if roof["unit"] == "TFLOP/s":
                    self.assertLess(roof["achieved"], roof["value"], roof)

    def test_a_sum_along_y_serves_two_distances_along_x(self):
        """Boxes need fewer products than they have points: 28 and 6 sums instead of 49."""
        metrics = self.outcome("rows=1", "cols=1", "tiles=3", "shape=box", "radius=3",
                               "--timing-only")["metrics"]

        self.assertEqual(metrics["terms_per_tile"], 4 * 7 + 6)
        self.assertEqual(metrics["turns_per_tile"], 1 + 4)

    def test_wider_takes_longer(self):
        for shape in SHAPES:
            times = [self.outcome("rows=2", "cols=2", "tiles=8", f"shape={shape}",
                                  f"radius={radius}", "--timing-only")["cycles"]
                     for radius in RADII]
            self.assertEqual(times, sorted(times))
            self.assertGreater(times[2], 1.4 * times[0])

    # Refusals.

    def test_what_is_refused(self):
        for words, says in ((("radius=0",), "1..3"), (("radius=4",), "1..3"),
                            (("shape=cross",), "box"), (("dtype=fp16",), "bf16"),
                            (("iterations=0",), "1.."),
                            (("nx=64", "ny=16"), "give all three"),
                            (("nx=513", "ny=16", "nz=1"), "nx is up to 512"),
                            (("nx=64", "ny=113", "nz=1"), "ny up to 112"),
                            (("rows=8",), "7 rows and 8 columns"),
                            (("cols=9",), "7 rows and 8 columns")):
            self.assertRefused(words, says)

    def test_a_problem_too_large_for_l1_says_how_many_layers_fit(self):
        for shape, dtype in itertools.product(SHAPES, DTYPES):
            words = ("rows=1", "cols=1", f"shape={shape}", f"dtype={dtype}", "radius=3",
                     "iterations=1", "--timing-only")
            says = self.assertRefused((*words, "tiles=4096"), "tiles = 4096",
                                      "fit into a core's L1").stderr
            fit = int(says.split("tiles = 4096, ")[1].split()[0])
            self.outcome(*words, f"tiles={fit}")
            self.assertRefused((*words, f"tiles={fit + 1}"), f"tiles = {fit + 1}, {fit} fit")


if __name__ == "__main__":
    unittest.main()
