"""2D stencils on wafers: right to the bit for every shape and radius, their time and limits."""
import unittest

from gridloom import CHECK
from workload_runs import WaferRuns, script_of

SHAPES = [(shape, radius) for shape in ("star", "box") for radius in (1, 2, 3)]


class Stencil2dWafer(WaferRuns):
    SCRIPT = script_of("stencil2d")
    CHANGED = ("nx=5", "ny=6", "nz=8", "radius=2")

    # Numbers.

    def test_every_grid_is_right_to_the_bit(self):
        """Fewer PEs than the radius, exactly as many, the ends of several groups."""
        self.assertAllRight([(f"shape={shape}", f"radius={radius}", f"nx={nx}", f"ny={ny}") for shape, radius in SHAPES
                             for nx, ny in ((1, 1), (1, 5), (4, 1), (3, 2), (7, 9))], "nz=6", "iterations=3")

    def test_halves_in_odd_and_even_columns(self):
        self.assertAllRight([(f"shape={shape}", f"radius={radius}", f"nz={nz}") for shape, radius in SHAPES
                             for nz in (1, 7, 8)], "dtype=fp16", "nx=6", "ny=5", "iterations=2")

    def test_the_check_finds_what_is_wrong(self):
        self.assertAllRight([("shape=star",), ("shape=box",)], *self.CHANGED)
        stencil, groups = "wafer/stencil2d.lua", "wafer/localized_broadcast.lua"
        for library, right, wrong, shape in (
                (stencil, "weight[0][0], part.columns", "weight[0][1], part.columns", "star"),
                (stencil, "return weight[each.distance][distance] end",
                 "return weight[distance][each.distance] end", "box"),
                (stencil, "+ (distance - 1) * pitch(settings, settings.layers),", ",", "box"),
                (stencil, "math.abs(point.dx), math.abs(point.dy)", "math.abs(point.dy), math.abs(point.dx)", "star"),
                (stencil, "math.abs(point.dx), math.abs(point.dy)", "math.abs(point.dy), math.abs(point.dx)", "box"),
                (stencil, 'side = "east", x = distance', 'side = "west", x = -distance', "star"),
                (stencil, 'side = "south", x = 0, y = distance', 'side = "north", x = 0, y = -distance', "box"),
                (groups, "(index - turn) % self.period", "turn", "star"),
                (groups, "(index - turn) % self.period", "turn", "box")):
            self.assertEqual(self.run_with(library, right, wrong, f"shape={shape}"), CHECK, wrong)

    # Time.

    def test_threads_and_data_do_not_change_time(self):
        words = ("nx=13", "ny=12", "nz=10", "shape=box", "radius=2")
        self.assertThreadsDoNotMatter(*words)
        self.assertDataTakeNoTime(*words)

    def test_both_grains_agree(self):
        """In numbers to the bit, in time within 2 %."""
        self.assertGrainsAgree("cycles_per_iteration_steady", [
            (f"shape={shape}", f"radius={radius}") for shape, radius in SHAPES], "nx=13", "ny=12", "nz=40", "iterations=4")

    def test_counts(self):
        """A star's own stream comes back from two PEs on; a box sends one sum per distance."""
        counts = (("star", 1, 5, 4), ("star", 2, 9, 12), ("box", 1, 9, 4), ("box", 2, 25, 18))
        found = self.metrics_of([(f"shape={shape}", f"radius={radius}") for shape, radius, _, _ in counts],
                                "nx=9", "ny=9", "nz=16", "--timing-only")
        for metrics, (shape, radius, points, ramp) in zip(found, counts, strict=True):
            self.assertEqual(metrics["required_flop"], 2 * points - 1)
            self.assertEqual(metrics["executed_ramp_words"], ramp, (shape, radius))
            self.assertEqual(metrics["interior_memory_idle_cycles_per_iteration"], 0)

    # Refusals.

    def most(self, *words):
        """The largest nz, as the refusal names it."""
        text = self.assertRefused((*words, "nz=32766")).stderr
        return int(text.split("at most ")[1].split()[0])

    def test_as_much_as_fits(self):
        fit = []
        for shape, radius in SHAPES:
            for dtype in ("fp32", "fp16"):
                words = (f"shape={shape}", f"radius={radius}", f"dtype={dtype}", "nx=7", "ny=7",
                         "iterations=1", "--timing-only")
                nz = self.most(*words)
                self.assertRefused((*words, f"nz={nz + 1}"), f"nz = {nz + 1}", f"at most {nz}")
                fit.append((*words[:-1], f"nz={nz}"))
        self.several(fit, "--timing-only")

    def test_what_is_refused(self):
        for words, says in (
                (("nx=756",), ["nx = 756", "755 x 994"]),
                (("radius=4",), ["radius", "1..3"]),
                (("shape=ring",), ["shape", "star", "box"]),
                (("dtype=bf16",), ["dtype", "fp32", "fp16"])):
            self.assertRefused(words, *says)


if __name__ == "__main__":
    unittest.main()
