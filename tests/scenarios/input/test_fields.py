"""Right-hand sides and starts of solvers and stencils: from files and from expressions."""
import json
import math
import unittest

import gridloom
import npy
from gridloom import INPUT

SMALL, LARGE = (6, 5, 4), (70, 18, 3)  # a wafer's grid, and one that fills no core's tile


def cells(shape):
    return [(i, j, k) for i in range(shape[0]) for j in range(shape[1]) for k in range(shape[2])]


def words(shape):
    return [f"n{axis}={length}" for axis, length in zip("xyz", shape)]


def laplacian(x, shape, diagonal=None):
    """6, or the diagonal, times each cell minus its neighbours; 0 beyond the grid."""
    at = dict(zip(cells(shape), x))
    centre = dict(zip(cells(shape), diagonal or [6] * len(x)))
    steps = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    return [centre[c] * at[c] - sum(at.get((c[0] + a, c[1] + b, c[2] + d), 0) for a, b, d in steps)
            for c in cells(shape)]


def waves(shape, start, factors, source, samples, steps):
    """The acoustic wave equation, 8th order in space, cell by cell; 0 beyond the grid."""
    second = (-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560)
    ways = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    now = dict(zip(cells(shape), start))
    before = dict(now)
    for step in range(steps):
        new = {}
        for c in cells(shape):
            total = 3 * second[0] * now[c]
            for a, b, d in ways:
                for m in range(-4, 5):
                    total += second[abs(m)] * now.get((c[0] + m * a, c[1] + m * b, c[2] + m * d), 0) if m else 0
            new[c] = 2 * now[c] + factors[c] * total - before[c]
        new[source] += samples[step] if step < len(samples) else 0
        now, before = new, now
    return [now[c] for c in cells(shape)]


def norm(x):
    return math.sqrt(sum(number * number for number in x))


def sample(i, j, k):
    """A number that no two places share, and that bf16 has."""
    return (i * 7 + j * 3 + k * 5) % 32 - 15.5


class Fields(gridloom.Scenario):
    def result(self, *given, **options):
        """The JSON object of a run whose script prints."""
        self.succeed("run", *given, "--json", "result.json", **options)
        return json.loads(self.read("result.json"))

    def field(self, shape, of=sample, name="b.npy", descr="<f4"):
        """Writes a field and returns its numbers."""
        numbers = [[[of(i, j, k) for k in range(shape[2])] for j in range(shape[1])]
                   for i in range(shape[0])]
        self.write(name, npy.dump(numbers, descr))
        return npy.flat(numbers)

    def load(self, name):
        with open(self.path(name), "rb") as file:
            return npy.load(file.read())

    def assertSolves(self, tolerance, shape, *options, workload="pcg"):
        """The saved solution solves the system of the file, worked out here again."""
        b = self.field(shape)

        result = self.result(workload, *words(shape), *options, "--in", "rhs=b.npy", "--save", "x=x.npy")

        kind, saved, x = self.load("x.npy")
        self.assertEqual((kind, saved), ("<f4", shape))
        self.assertEqual(result["parameters"]["rhs"], "file")
        self.assertEqual(result["check"]["status"], "pass")
        self.assertEqual(result["metrics"]["inputs"]["rhs"]["shape"], list(shape))
        residual = norm(p - q for p, q in zip(b, laplacian(x, shape)))
        self.assertLess(residual / norm(b), tolerance)
        self.assertAlmostEqual(residual, result["metrics"]["true_residual_norm"], delta=1e-6 * norm(b))

    def test_pcg_solves_the_users_system_on_cores(self):
        self.assertSolves(1e-5, LARGE, "variant=split", "iterations=60")
        self.assertSolves(0.1, LARGE, "variant=fused", "iterations=30")

    def test_pcg_solves_the_users_system_on_cores_with_several_tiles_in_a_layer(self):
        self.assertSolves(1e-5, (70, 34, 3), "variant=split", "iterations=60", "tiles_x=2", "tiles_y=3")

    def test_pcg_solves_the_users_system_on_several_chips(self):
        self.assertSolves(1e-5, LARGE, "variant=split", "iterations=60", "--system", "n300", "chips=2")

    def test_pcg_solves_the_users_system_on_wafers(self):
        self.assertSolves(1e-5, SMALL, "iterations=30", "--chip", "wse2")
        self.assertSolves(1e-5, SMALL, "iterations=30", "chips=2", "--system", "wse2x2")

    def test_both_chips_find_the_same_solution(self):
        self.field(SMALL, descr="<f8")
        solutions = []
        for options in (["variant=split"], ["--chip", "wse2"]):
            self.succeed("run", "pcg", *words(SMALL), "iterations=30", *options, "--in", "rhs=b.npy",
                         "--save", "x=x.npy", "-q")
            solutions.append(self.load("x.npy")[2])

        apart = max(abs(p - q) for p, q in zip(*solutions))
        self.assertLess(apart, 1e-4 * max(map(abs, solutions[0])))

    def test_a_start_near_the_solution_saves_iterations(self):
        for shape, options in ((LARGE, ["variant=split"]), (SMALL, ["--chip", "wse2"]),
                               (SMALL, ["chips=2", "--system", "wse2x2"])):
            b = self.field(shape)
            common = ["pcg", *words(shape), *options, "--in", "rhs=b.npy"]
            tolerance = f"tolerance={1e-3 * norm(b)}"
            first = self.result(*common, "iterations=60", tolerance, "--save", "x=x.npy")

            again = self.result(*common, "iterations=60", tolerance, "--in", "start=x.npy", "--save", "x=again.npy")
            more = self.result(*common, "iterations=5", "--in", "start=x.npy", "--save", "x=more.npy")

            start = self.load("x.npy")[2]
            residual = norm(p - q for p, q in zip(b, laplacian(start, shape)))
            self.assertGreater(first["iterations"], 5, options)
            self.assertEqual(len(again["metrics"]["residual_history"]), 1, options)
            self.assertEqual(self.load("again.npy")[2], start, options)
            self.assertEqual(more["parameters"]["start"], "file")
            self.assertEqual(more["check"]["status"], "pass", options)
            self.assertAlmostEqual(more["metrics"]["residual_history"][0], residual, delta=1e-6 * norm(b))
            better = norm(p - q for p, q in zip(b, laplacian(self.load("more.npy")[2], shape)))
            self.assertLess(better, 0.5 * residual, options)
            self.assertAlmostEqual(better, more["metrics"]["true_residual_norm"], delta=1e-6 * norm(b))

    def test_the_matrix_may_have_a_diagonal_of_the_users(self):
        for shape, tolerance, *options in (
                (LARGE, 1e-5, "variant=split"), (LARGE, 1e-5, "variant=fused", "dtype=fp32"),
                (LARGE, 1e-5, "variant=split", "structure=batched"), (LARGE, 0.1, "variant=fused"),
                (LARGE, 1e-5, "variant=split", "--system", "n300", "chips=2"),
                (SMALL, 1e-5, "--chip", "wse2"), (SMALL, 1e-5, "chips=2", "--system", "wse2x2")):
            b = self.field(shape)
            diagonal = self.field(shape, lambda i, j, k: 6 + (i + 2 * j + 3 * k) % 4, name="d.npy")

            result = self.result("pcg", *words(shape), "iterations=25", *options, "--in", "rhs=b.npy",
                                 "--in", "diagonal=d.npy", "start=1", "--save", "x=x.npy")

            residual = norm(p - q for p, q in zip(b, laplacian(self.load("x.npy")[2], shape, diagonal)))
            self.assertEqual(result["check"]["status"], "pass", options)
            self.assertEqual(result["parameters"]["diagonal"], "file")
            self.assertLess(residual / norm(b), tolerance, options)
            self.assertAlmostEqual(residual, result["metrics"]["true_residual_norm"], delta=1e-6 * norm(b))

    def test_products_may_have_a_diagonal_of_the_users(self):
        for shape, *options in ((LARGE, "dtype=fp32"), (LARGE, "dtype=bf16"),
                                (LARGE, "dtype=fp32", "--system", "n300", "chips=2"),
                                (SMALL, "--chip", "wse2"), (SMALL, "--chip", "wse2", "dtype=mixed"),
                                (SMALL, "chips=2", "--system", "wse2x2")):
            diagonal = [6 + 2 * (i % 3) + k for i, _, k in cells(shape)]
            expected = laplacian(self.field(shape, lambda i, j, k: (i + j + k) % 3), shape, diagonal)

            result = self.result("stencil7", *words(shape), *options, "--in", "start=b.npy",
                                 "diagonal=6 + 2*(i%3) + k", "--save", "y=y.npy")

            self.assertEqual(result["check"]["status"], "pass", options)
            self.assertEqual(self.load("y.npy")[2], expected, options)

    def test_a_small_diagonal_is_told(self):
        for chip in ("wormhole_n300", "wse2"):
            told = self.succeed("run", "pcg", *words(SMALL), "iterations=1", "diagonal=7-2*(i%2)", "--chip", chip)

            self.assertIn("diagonal: 5 is below 6, the neighbours' sum", told.stdout)

    def test_a_diagonal_of_6_is_the_laplacian(self):
        for options in (["variant=split"], ["--chip", "wse2"]):
            histories = [self.result("pcg", *words(SMALL), "iterations=3", *options, *more)
                         ["metrics"]["residual_history"] for more in ([], ["diagonal=5 + 1"])]

            self.assertEqual(*histories)

    def test_a_start_is_an_expression_too(self):
        for options in ([], ["--chip", "wse2"]):
            self.field(SMALL, lambda i, j, k: laplacian([1] * 120, SMALL)[(i * 5 + j) * 4 + k])

            result = self.result("pcg", *words(SMALL), *options, "start=1", "--in", "rhs=b.npy",
                                 "tolerance=1e-6", "--save", "x=x.npy")

            self.assertEqual(result["metrics"]["residual_history"], [0], options)
            self.assertEqual(self.load("x.npy")[2], [1] * 120, options)

    def test_bicgstab_takes_a_right_hand_side(self):
        self.field(SMALL)

        result = self.result("bicgstab", *words(SMALL), "--in", "rhs=b.npy", "start=x*y", "--save", "x=x.npy")

        self.assertEqual(result["check"]["status"], "pass")
        self.assertEqual(self.load("x.npy")[1], SMALL)

    def test_chips_are_compared_on_the_users_system(self):
        b = self.field(SMALL)

        self.succeed("compare", "pcg", "--chips", "wormhole_n300,wse2", *words(SMALL), "iterations=20",
                     "wormhole_n300:variant=split", "--in", "rhs=b.npy",
                     "--quantity", "metrics.true_residual_norm", "--json", "c.json", "-q")

        rows = json.loads(self.read("c.json"))["metrics"]["chips"]
        self.assertEqual([row["check"]["status"] for row in rows], ["pass", "pass"])
        for row in rows:
            self.assertLess(row["quantity"], 1e-5 * norm(b))
            self.assertEqual(row["parameters"]["rhs"], "file")

    def test_an_expression_is_the_field_of_its_values(self):
        def of(i, j, k):
            return math.sin(math.pi * (i + 1) / (SMALL[0] + 1)) * (j + 1) / (SMALL[1] + 1) + k

        self.field(SMALL, of, descr="<f8")
        for options in (["variant=split"], ["--chip", "wse2"]):
            histories = [self.result("pcg", *words(SMALL), "iterations=3", *options, *given)
                         ["metrics"]["residual_history"]
                         for given in (["--in", "rhs=b.npy"], ["rhs=sin(pi*x)*y + k"])]

            self.assertEqual(*histories)

    def test_all_cells_at_once_have_the_values_of_each(self):
        """A condition makes scripts go from cell to cell."""
        for text in ("sin(pi*x)*cos(y)+exp(z)", "2", "k", "x^3-y%0.3/log(2+i)", "sqrt(abs(x-y))+floor(z*4)", "-(i%3)-0.5*(-k%2)",
                     "max(x,y)+i//2+(j&1)", "-x*0"):
            saved = []
            for given in (text, f"true and ({text})"):
                self.succeed("run", "stencil7", *words(SMALL), f"start={given}", "--chip", "wse2", "--save", "y=y.npy", "-q")
                saved.append(self.load("y.npy"))

            self.assertEqual(*saved, text)

    def test_large_expressions_take_few_steps(self):
        self.write("script.lua", """local field = require("field")
            return { summary = "s", chips = { "tensix" }, parameters = { field.parameter("start", { "zero" }, "h") },
                run = function(host, p)
                    local b = field.given(host, p, "start", { nx = 100, ny = 100, nz = 100 }, "fp32", { "zero" })
                    host.metric("sum", b:numbers("fp32"):sum())
                end }""")

        result = self.result("script.lua", "start=i+100*j-k", "--limit-steps", "20000")

        self.assertEqual(result["metrics"]["sum"], 100 ** 3 * 100 * 49.5)
        self.assertFails(gridloom.STOPPED, ["steps"], "run", "script.lua", "start=k<0 and 1 or 2", "--limit-steps", "20000", traceback=None)

    def test_one_is_an_expression(self):
        result = self.result("pcg", *words(SMALL), "rhs=1", "iterations=1", "--chip", "wse2")

        self.assertAlmostEqual(result["metrics"]["residual_history"][0], math.sqrt(6 * 5 * 4), places=5)
        self.assertEqual(result["parameters"]["rhs"], "1")

    def test_stencil7_multiplies_the_users_numbers(self):
        for shape, options in ((LARGE, ["dtype=fp32"]), (LARGE, ["dtype=fp32", "--system", "n300", "chips=2"]),
                               (SMALL, ["--chip", "wse2"]), (SMALL, ["chips=2", "--system", "wse2x2"])):
            expected = laplacian(self.field(shape), shape)

            result = self.result("stencil7", *words(shape), *options, "--in", "start=b.npy",
                                 "--save", "y=y.npy")

            self.assertEqual(result["check"]["status"], "pass", options)
            self.assertEqual(self.load("y.npy"), ("<f4", shape, expected), options)

    def test_stencil7_takes_an_expression(self):
        for options in ([], ["--chip", "wse2"]):
            self.succeed("run", "stencil7", *words(SMALL), "start=i", *options, "--save", "y=y.npy", "-q")

            self.assertEqual(self.load("y.npy")[2], laplacian([i for i, _, _ in cells(SMALL)], SMALL))

    def test_waves_start_as_the_user_says(self):
        self.field(SMALL)
        self.field(SMALL, lambda i, j, k: sample(k, i, j), name="before.npy")
        for given in (["--in", "start=b.npy"], ["--in", "start=b.npy", "--in", "before=before.npy"],
                      ["start=x*y*z"]):
            ends = []
            for options in (["dtype=fp32"], ["--chip", "wse2"]):
                result = self.result("stencil25", *words(SMALL), *options, *given, "source=off",
                                     "--save", "u=u.npy")
                self.assertEqual(result["check"]["status"], "pass", given)
                ends.append(self.load("u.npy")[2])

            apart = max(abs(p - q) for p, q in zip(*ends))
            self.assertLess(apart, 1e-5 * max(map(abs, ends[0])), given)

    def test_a_wave_without_a_level_before_is_at_rest(self):
        self.field(SMALL)
        ends = []
        for more in ([], ["--in", "before=b.npy"]):
            self.succeed("run", "stencil25", *words(SMALL), "--chip", "wse2", "--in", "start=b.npy", *more,
                         "--save", "u=u.npy", "-q")
            ends.append(self.load("u.npy"))

        self.assertEqual(*ends)

    def assertWaves(self, result, expected):
        self.assertEqual(result["check"]["status"], "pass")
        apart = max(abs(p - q) for p, q in zip(self.load("u.npy")[2], expected))
        self.assertLess(apart, 2e-5 * max(map(abs, expected)))

    def test_sources_and_velocities_of_the_user(self):
        """In every cell as worked out here; one velocity on cores, too."""
        start = self.field(SMALL)
        self.field(SMALL, lambda i, j, k: 0.5 + 0.125 * ((i + j * k) % 7), name="v.npy")
        self.write("w.npy", npy.dump([1.0, -20.0, 3.5], "<f4"))
        speeds = {c: 0.5 + 0.125 * ((c[0] + c[1] * c[2]) % 7) for c in cells(SMALL)}
        given = ["steps=5", "--in", "start=b.npy", "--in", "wavelet=w.npy", "source_at=5,0,2", "time_step=0.25", "spacing=0.8",
                 "--save", "u=u.npy"]
        some = {c: (0.25 * speed / 0.8) ** 2 for c, speed in speeds.items()}
        one = {c: (0.25 * 1.2 / 0.8) ** 2 for c in speeds}

        expected = waves(SMALL, start, some, (5, 0, 2), [1, -20, 3.5], 5)
        self.assertWaves(self.result("stencil25", *words(SMALL), *given, "--chip", "wse2", "--in", "velocity=v.npy"), expected)
        self.assertWaves(self.result("stencil25", *words(SMALL), *given, "--system", "wse2x2", "--in", "velocity=v.npy"), expected)
        self.assertWaves(self.result("stencil25", *words(SMALL), *given, "--chip", "wse2",
                                     "velocity=0.5+0.125*((i+j*k)%7)"), expected)
        for options in (["--chip", "wse2"], ["dtype=fp32"]):
            self.assertWaves(self.result("stencil25", *words(SMALL), *given, *options, "velocity=1.2"),
                             waves(SMALL, start, one, (5, 0, 2), [1, -20, 3.5], 5))

    def test_wavelets_of_the_user(self):
        """An expression of the step, and Ricker's of a frequency, which is largest after a period."""
        factors = {c: 0.1 for c in cells(SMALL)}
        zeros = [0] * len(factors)
        for given, samples in (
                (["wavelet=sin(t+1)", "source_steps=3"], [math.sin(1), math.sin(2), math.sin(3)]),
                (["frequency=0.5"], [(1 - 2 * a) * math.exp(-a) for a in ((math.pi * (t / 2 - 1)) ** 2 for t in range(5))])):
            for options in (["--chip", "wse2"], ["dtype=fp32"]):
                result = self.result("stencil25", *words(SMALL), *options, *given, "steps=7", "start=zero", "--save", "u=u.npy")
                self.assertWaves(result, waves(SMALL, zeros, factors, (3, 2, 2), samples, 7))

    def test_bad_sources_and_velocities_are_refused(self):
        self.write("w.npy", npy.dump([1.0, 2.0], "<f4"))
        self.field((4, 5, 6), name="v.npy")
        for given, says in (
                (["source_at=6,0,0"], "source_at=6,0,0, expected centre or i,j,k below 6,5,4"),
                (["source_at=1,2"], "source_at=1,2, expected centre or i,j,k"),
                (["wavelet=x"], "wavelet=x: no name 'x'; expected ricker or an expression of t"),
                (["wavelet=1/t"], "wavelet=1/t: the value of step 0 is inf"),
                (["wavelet=t", "--in", "wavelet=w.npy"], "wavelet=t and --in wavelet: give one of them"),
                (["source_steps=4", "--in", "wavelet=w.npy"], "source_steps=4 and --in wavelet: give one of them"),
                (["--in", "wavelet=v.npy"], "--in wavelet: the array has 3 dimensions"),
                (["velocity=0"], "velocity=0: expected a number other than 0"),
                (["frequency=0"], "frequency = 0"),
                (["--chip", "wse2", "velocity=v"], "velocity=v: no name 'v'; expected a number or an expression"),
                (["--chip", "wse2", "--in", "velocity=v.npy"], "v.npy: shape (4, 5, 6), expected (6, 5, 4)"),
                (["velocity=1+x"], "velocity: cores take one number for all cells")):
            self.assertFails(INPUT, [says], "run", "stencil25", *words(SMALL), *given, "--json", "r.json")

    def test_waves_that_grow_are_told(self):
        found = self.succeed("run", "stencil25", *words(SMALL), "--chip", "wse2", "velocity=1.5")

        self.assertIn("above 0.205 waves grow without bounds", found.stdout)

    def test_bad_fields_are_refused(self):
        self.field((4, 5, 6))
        for options, says in (
                (["pcg", "--in", "rhs=b.npy"], "b.npy: shape (4, 5, 6), expected (6, 5, 4)"),
                (["pcg", "--in", "rhs=b.npy", "--chip", "wse2"], "b.npy: shape (4, 5, 6), expected (6, 5, 4)"),
                (["stencil7", "--in", "start=b.npy"], "b.npy: shape (4, 5, 6), expected (6, 5, 4)"),
                (["pcg", "rhs=radnom"], "rhs=radnom: no name 'radnom'; expected random or an expression"),
                (["pcg", "rhs=x+"], "rhs=x+: unexpected symbol"),
                (["pcg", "rhs=x < 1"], "rhs=x < 1: the value of cell (0, 0, 0) is true, expected a number"),
                (["pcg", "rhs=1/(i-2)"], "the value of cell (2, 0, 0) is inf, expected a number that bf16 has"),
                (["pcg", "rhs=0*x"], "rhs: all of it is 0, and so is the solution"),
                (["bicgstab", "rhs=0", "--chip", "wse2"], "rhs: all of it is 0, and so is the solution"),
                (["pcg", "diagonal=7", "tiles_x=2"], "a diagonal of your own is for one tile of a core"),
                (["pcg", "diagonal=seven"], "diagonal=seven: no name 'seven'; expected 6 or an expression"),
                (["stencil25", "start=up"], "start=up: no name 'up'; expected noise, zero or an expression"),
                (["stencil25", "start=zero", "--in", "before=c.npy"], "start=zero, --in before")):
            self.field(SMALL, name="c.npy")

            self.assertFails(INPUT, [says], "run", options[0], *words(SMALL), *options[1:], "--json", "r.json")

    def test_a_word_and_a_file_are_one_too_many(self):
        self.field(SMALL)

        self.assertFails(INPUT, ["rhs=1 and --in rhs: give one of them"], "run", "pcg", *words(SMALL), "rhs=1",
                         "--in", "rhs=b.npy", "--json", "r.json")

    def test_without_data_a_field_is_not_needed(self):
        cycles = [self.result("pcg", *words(SMALL), "iterations=2", *options)["cycles"]
                  for options in (["--timing-only", "rhs=x"], ["rhs=x"])]

        self.assertEqual(*cycles)


if __name__ == "__main__":
    unittest.main()
