"""Stencils on GPUs: the host's part of the program, and the committed results."""
import functools
import glob
import json
import os
import shutil
import subprocess
import tempfile
import unittest

SOURCE = os.environ["GRIDLOOM_SOURCE"]
COMPILER = shutil.which("c++")
PARTS = ["case", "reference", "strips", "weights"]


@unittest.skipUnless(COMPILER, "no C++ compiler")
class Host(unittest.TestCase):
    def build_and_run(self, sources, *flags):
        """A program of the host, which says nothing where all is well."""
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            subprocess.run([COMPILER, "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", *flags,
                            "-I.", *sources, "-lpthread", "-o", program], cwd=SOURCE, check=True)
            done = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_cases_weights_strips_and_reference(self):
        self.build_and_run(["tests/tools/gpu_stencil.cpp"] +
                           [f"tools/gpu/stencil/{part}.cpp" for part in PARTS])

    def test_tiles_compute_what_steps_do(self):
        """Kernels of hexagons, slanted tiles and alignments, with threads of the host."""
        self.build_and_run(["tests/tools/gpu_tiles.cpp"], "-Itests/tools/cuda")


def results():
    """Results by the part of their name after the chip: box2d1r-double-t3-cuda."""
    start = os.path.join(SOURCE, "traces/gpu/h200-stencil-")
    out = {}
    for path in glob.glob(glob.escape(start) + "*.json"):
        with open(path, encoding="utf-8") as file:
            out[path[len(start):-len(".json")]] = json.load(file)
    return out


def points(parameters):
    """K of one step."""
    side, dimension = 2 * parameters["radius"] + 1, parameters["dim"]
    if parameters["shape"] == "box":
        return side ** dimension
    return 2 * parameters["radius"] * dimension + 1


RESULTS = results()


def of_each(test):
    """A test that is called with each result, its parameters and its metrics."""
    @functools.wraps(test)
    def run(self):
        for name, result in sorted(RESULTS.items()):
            with self.subTest(name):
                test(self, result, result["parameters"], result["metrics"])
    return run


@unittest.skipUnless(RESULTS, "no results are there")
class Results(unittest.TestCase):
    @of_each
    def test_envelope_and_check(self, result, parameters, metrics):
        self.assertEqual(result["schema_version"], 1)
        self.assertEqual((result["workload"], result["chip"]), ("stencil", "h200"))
        self.assertEqual(result["check"]["status"], "pass")
        self.assertLessEqual(result["check"]["max_abs_error"], result["check"]["tolerance"])
        self.assertGreater(result["check"]["tolerance"], 0)
        self.assertIs(metrics["measured"], True)
        self.assertGreaterEqual(metrics["repeats"], 10)
        self.assertGreaterEqual(metrics["warmups"], 1)
        self.assertEqual(result["iterations"], parameters["fusion"])
        self.assertEqual(metrics["boundary"], "periodic")

    def test_names_tell_the_parameters(self):
        for name, result in RESULTS.items():
            p = result["parameters"]
            other = "-m16n8k8" if (p["dtype"], p["mma"]) == ("double", "m16n8k8") else ""
            self.assertEqual(name, f"{p['shape']}{p['dim']}d{p['radius']}r-{p['dtype']}-"
                                   f"t{p['fusion']}-{p['unit']}{other}")

    @of_each
    def test_useful_flops_and_compulsory_bytes(self, result, p, metrics):
        cells, counters = p["size"] ** p["dim"], result["counters"]
        self.assertEqual(metrics["points"], points(p))
        self.assertEqual(counters["flops"], p["fusion"] * 2 * points(p) * cells)
        self.assertEqual(counters["dram_bytes"],
                         2 * {"float": 4, "double": 8}[p["dtype"]] * cells)

    @of_each
    def test_executed_flops_are_of_the_unit(self, result, p, metrics):
        cells = p["size"] ** p["dim"]
        unit = {("cuda", "float"): "fp32_flops", ("cuda", "double"): "fp64_flops",
                ("sparse", "float"): "sparse_tf32_flops",
                ("tensor", "float"): "tensor_tf32_flops",
                ("tensor", "double"): "tensor_fp64_flops"}[p["unit"], p["dtype"]]
        self.assertEqual([key for key in result["counters"] if key.endswith("_flops")], [unit])
        executed = result["counters"][unit]
        self.assertEqual(executed, metrics["executed_flops"])
        self.assertAlmostEqual(metrics["useful_share"],
                               result["counters"]["flops"] / executed, 9)
        if p["unit"] == "cuda":
            # Each step is done once, and again by neighbours.
            self.assertGreaterEqual(executed, result["counters"]["flops"])
            self.assertLess(executed, 2 * result["counters"]["flops"])
        elif p["unit"] == "sparse":
            # Each row of the fused stencil is a matrix of 32 columns, half of them stored.
            side = 2 * p["radius"] * p["fusion"] + 1
            self.assertEqual(executed, 2 * side * 32 * cells)
        else:
            # Each row of the fused stencil is a band in a matrix of whole 8 x 8 tiles.
            side = 2 * p["radius"] * p["fusion"] + 1
            self.assertGreaterEqual(executed, 2 * side * (side + 7) * cells)
            self.assertLessEqual(executed, 2 * side * (side + 15) * cells)

    @of_each
    def test_rates_are_consistent(self, result, p, metrics):
        seconds, counters = result["seconds"], result["counters"]
        self.assertEqual(seconds, metrics["seconds_median"])
        self.assertLessEqual(metrics["seconds_minimum"], seconds)
        self.assertLessEqual(seconds, metrics["seconds_maximum"])
        rate = p["fusion"] * p["size"] ** p["dim"] / seconds / 1e9
        self.assertAlmostEqual(metrics["gstencils_per_second"] / rate, 1, 6)
        self.assertAlmostEqual(metrics["gcells_per_second"] / rate, 1, 6)
        share = counters["dram_bytes"] / seconds / metrics["copy_bytes_per_second"]
        self.assertAlmostEqual(metrics["share_of_copy"] / share, 1, 6)
        dram, unit = result["roofs"]
        self.assertEqual(dram["name"], "DRAM")
        self.assertAlmostEqual(unit["achieved"] / unit["value"] / metrics["share_of_peak"], 1, 6)
        # Nothing is faster than the machine.
        self.assertLess(max(share, metrics["share_of_peak"]), 1.02)
        self.assertLess(metrics["share_of_measured_peak"], 1.02)
        reached = metrics["measured_peak_flops_per_second"]
        self.assertLess(reached, 1.02 * unit["value"])
        self.assertAlmostEqual(unit["achieved"] / reached / metrics["share_of_measured_peak"],
                               1, 6)
        self.assertRegex(metrics["variant"], "^kernel [0-3], strips ")
        bound = "memory" if share >= metrics["share_of_peak"] else "compute"
        self.assertEqual(metrics["model_bound"], bound)
        self.assertAlmostEqual(
            metrics["share_of_model"] / max(share, metrics["share_of_peak"]), 1, 6)

    def test_all_cases_are_there(self):
        for dtype in ("float", "double"):
            for shape in ("box", "star"):
                for fusion in range(1, 9):
                    self.assertIn(f"{shape}2d1r-{dtype}-t{fusion}-cuda", RESULTS)
                for radius in (3, 7):
                    self.assertIn(f"{shape}2d{radius}r-{dtype}-t1-cuda", RESULTS)
                for fusion in (1, 2, 3):
                    self.assertIn(f"{shape}3d1r-{dtype}-t{fusion}-cuda", RESULTS)
        for name in ("box2d1r-double-t1", "box2d1r-double-t3", "box2d3r-double-t1",
                     "box2d1r-float-t1", "box2d1r-float-t3", "box2d1r-float-t7",
                     "box2d7r-float-t1"):
            self.assertIn(f"{name}-tensor", RESULTS)

    def test_fusion_saves_memory_traffic(self):
        """More steps per pass give more updates per second until arithmetic limits them."""
        for dtype in ("float", "double"):
            for shape in ("box", "star"):
                rates = [RESULTS[f"{shape}2d1r-{dtype}-t{fusion}-cuda"]["metrics"]
                         ["gstencils_per_second"] for fusion in (1, 2, 3)]
                self.assertEqual(rates, sorted(rates))


if __name__ == "__main__":
    unittest.main()
