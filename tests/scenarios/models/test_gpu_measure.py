"""tools/gpu without a GPU: its messages, the computations on its host's side, and the results
measured with it."""
import glob
import json
import math
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import gridloom
from gridloom import SOURCE

MEASURE = os.path.join(SOURCE, "tools/gpu/measure")
NX, NY, NZ = 6, 5, 7
SECOND = (-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560)
# Bytes that each cell must move, by workload; and the smallest share of the copy bandwidth.
BYTES = {"stencil7": 8, "stencil25": 12}
SHARES = {"stencil7": 0.65, "stencil25": 0.5}
REPEATS = {"stencil": 15}
LARGE = 10**9  # bytes of an array from which on shares are checked


def lcg(seed, count):
    """The scripts' fill_random(), from -1 to 1."""
    state, numbers = seed, []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        numbers.append(-1 + (state >> 11) * 2.0**-53 * 2)
    return numbers


def at(grid, x, y, z, layout=(NX, NY, NZ)):
    """A number of a grid with x fastest, 0 outside."""
    nx, ny, nz = layout
    inside = 0 <= x < nx and 0 <= y < ny and 0 <= z < nz
    return grid[x + nx * (y + ny * z)] if inside else 0


def cells():
    return ((x, y, z) for z in range(NZ) for y in range(NY) for x in range(NX))


def wave_step(now, before, sample):
    """One step of the wave equation, cell by cell."""
    result = []
    for (x, y, z), old in zip(cells(), before):
        total = (2 + 0.3 * SECOND[0]) * at(now, x, y, z)
        for d in range(1, 5):
            total += 0.1 * SECOND[d] * sum(
                at(now, x + d * i, y + d * j, z + d * k)
                for i, j, k in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)))
        result.append(total - old)
    result[NX // 2 + NX * (NY // 2 + NY * (NZ // 2))] += sample
    return result


def ricker(step):
    a = (math.pi * (step + 1 - 9) / 8) ** 2
    return (1 - 2 * a) * math.exp(-a)


class Measure(gridloom.Scenario):
    def measure(self, *words, **options):
        return subprocess.run([MEASURE, *words], cwd=self.folder, encoding="utf-8",
                              capture_output=True, check=False, **options)

    def assertSays(self, done, code, text):
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")),
                         (code, "", 1), done.stderr)
        self.assertIn(text, done.stderr)

    def test_help_says_how_to_use_it(self):
        done = self.measure("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--out DIR", done.stdout)

    def test_without_nvcc_it_says_so_in_one_line(self):
        tools = self.path("bin")
        os.mkdir(tools)
        for name in ("bash", "dirname", "readlink", "grep", "sed", "paste", "mkdir", "nproc"):
            os.symlink(shutil.which(name), os.path.join(tools, name))
        self.assertSays(self.measure(env={"PATH": tools}), 2, "nvcc is not on the PATH")

    def test_without_a_gpu_it_says_so_in_one_line(self):
        if glob.glob("/dev/nvidia[0-9]*"):
            self.skipTest("there is a GPU")
        tools = self.path("bin")
        self.write("bin/nvcc", "#!/bin/sh\nexit 1\n")
        os.chmod(os.path.join(tools, "nvcc"), 0o755)
        self.write("bin/nvidia-smi", "#!/bin/sh\necho No devices were found\n")
        os.chmod(os.path.join(tools, "nvidia-smi"), 0o755)
        path = tools + os.pathsep + os.environ["PATH"]
        self.assertSays(self.measure(env={"PATH": path}), 2, "no NVIDIA GPU here")

    def test_programs_are_held_against_the_copy_of_this_gpu(self):
        """Uses programs that write down their words, in a folder with results of another GPU."""
        self.write("tools/gpu/copy.cu", "int main(\n")
        self.write("tools/gpu/dot.cu", "int main(\n")
        self.write("tools/gpu/json.cpp", "")
        self.write("CMakeLists.txt", "project(gridloom VERSION 1.2.3\n")
        shutil.copy(MEASURE, self.path("tools/gpu/measure"))
        self.write("bin/nvidia-smi", "#!/bin/sh\necho GPU 0\n")
        self.write("program", '#!/bin/sh\necho ${0##*/} "$@" >>said\n[ ${0##*/} != copy ] || cp copied out/z-copy.json\n')
        self.write("copied", '  "copy_bytes_per_second" : 4e12,\n')
        self.write("bin/nvcc", '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\ncp program "$2" && chmod +x "$2"\n')
        for name in ("nvcc", "nvidia-smi"):
            os.chmod(self.path("bin/" + name), 0o755)
        other = self.write("out/a-copy.json", '  "copy_bytes_per_second" : 1e12,\n')
        os.utime(os.path.join(self.folder, other), (1, 1))
        path = self.path("bin") + os.pathsep + os.environ["PATH"]
        done = subprocess.run([self.path("tools/gpu/measure"), "--out", "out", "dot"], cwd=self.folder,
                              env={"PATH": path}, capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        with open(self.path("said"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "copy --out out --seed 1\ndot --out out --seed 1 --copy 4e12\n")
        os.remove(self.path("said"))
        self.write("program", self.read("program") + 'echo $GRIDLOOM_COMMIT >>said\n')
        done = subprocess.run([self.path("tools/gpu/measure"), "--out", "out", "--problem", "dot 4x4x4 bf16 2"],
                              cwd=self.folder, env={"PATH": path, "GRIDLOOM_COMMIT": "abc"},
                              capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        with open(self.path("said"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "copy --out out --seed 1\nabc\ndot --out out --seed 1 --copy 4e12 "
                             "--size 4x4x4 --dtype bf16 --iterations 2\nabc\n")

    def printed(self, *words):
        done = self.measure("--print", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        first, *rest = done.stdout.splitlines()
        self.assertEqual(first, "copy")
        return rest

    def test_it_measures_the_problem_of_a_result(self):
        for words, line in (
                (["pcg", "--chip", "wormhole_n300", "nx=64", "ny=16", "nz=2", "iterations=2"],
                 "pcg --size 64x16x2 --dtype bf16 --iterations 2"),
                (["pcg", "--chip", "wse2", "nx=8", "ny=4", "nz=4", "dtype=mixed", "iterations=3"],
                 "pcg --size 8x4x4 --dtype mixed --iterations 3"),
                (["stencil25", "--chip", "wse2", "nx=9", "ny=9", "nz=12", "steps=2"],
                 "stencil25 --size 9x9x12 --dtype fp32 --iterations 2"),
                (["dot", "--chip", "wse2", "nx=8", "ny=4", "nz=4"],
                 "dot --size 8x4x4 --dtype fp32 --iterations 1"),
                (["vecadd", "--chip", "wormhole_n300", "tiles=2", "rows=1", "cols=2"],
                 "vecadd --size 2048x1x2 --dtype bf16 --iterations 1")):
            with self.subTest(line):
                self.gridloom("run", *words, "--out", "run", "-q")
                self.assertEqual(self.printed("--like", "run"), [line])
                self.assertEqual(self.printed("--like", "run/result.json", "--problem", "dot 4x4x4 fp64 1"),
                                 [line, "dot --size 4x4x4 --dtype fp64 --iterations 1"])

    def test_it_knows_the_problems_of_papers(self):
        lines = self.printed("--list", os.path.join(SOURCE, "tools/gpu/problems.txt"))
        for line in ("pcg --size 512x112x64 --dtype bf16 --iterations 3",
                     "stencil25 --size 755x994x1000 --dtype fp32 --iterations 10"):
            self.assertIn(line, lines)
        self.assertEqual(len(lines), len(set(lines)))

    def test_what_it_cannot_measure_it_says_in_one_line(self):
        self.write("cut.json", '{"workload": "pcg", "para')
        self.write("empty.json", "")
        self.write("foreign.json", "[1, 2]")
        self.write("list.txt", "# nothing\n\npcg 4x4 fp32 1\n")

        def result(workload, **parameters):
            self.write(workload + ".json", json.dumps({"workload": workload, "parameters": parameters}))
            return workload + ".json"

        for words, text in (
                (["--like", "none.json"], "none.json: No such file"),
                (["--like", "cut.json"], "cut.json: not JSON, or cut short"),
                (["--like", "empty.json"], "empty.json: not JSON, or cut short"),
                (["--like", "foreign.json"], "foreign.json: not a result"),
                (["--like", result("gemm", nx=4)], "gemm: no program measures it"),
                (["--like", result("dot", nx=4, ny=4, nz=4, dtype="fp16")],
                 "dot in fp16: it is measured in fp32, fp64, bf16, mixed"),
                (["--like", result("stencil25", nx=4, ny=4, nz=4, dtype="bf16")],
                 "stencil25 in bf16: it is measured in fp32"),
                (["--like", result("axpy", dtype="fp32")], "its parameters say no size"),
                (["--list", "list.txt"], "'pcg 4x4 fp32 1': expected PROGRAM NXxNYxNZ"),
                (["--list", "none.txt"], "none.txt: there is no such file"),
                (["--problem", "copy 4x4x4 fp32 1"], "no program copy takes sizes"),
                (["--problem", "pcg 4x4x4 fp8 1"], "expected PROGRAM")):
            with self.subTest(text):
                self.assertSays(self.measure(*words), 1, text)

    def test_wrong_words_are_refused(self):
        for words, text in ((["nope"], "there is no program nope; there are: axpy copy costs dot"),
                            (["--out"], "--out needs a value"),
                            (["--seed", "x"], "--seed x: expected a number"),
                            (["--no"], "there is no program --no")):
            self.assertSays(self.measure(*words), 1, text)


@unittest.skipUnless(shutil.which("c++"), "no C++ compiler")
class Host(gridloom.Scenario):
    """The host's computations for checks, against separate code for the same."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="gridloom.")
        cls.addClassCleanup(folder.cleanup)
        program = os.path.join(folder.name, "gpu_host")
        sources = [os.path.join(SOURCE, path) for path in (
            "tests/scenarios/models/gpu_host.cpp", "tools/gpu/json.cpp", "tools/gpu/result.cpp",
            "tools/gpu/device_chip.cpp", "tools/gpu/asked.cpp")]
        subprocess.run(["c++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-I", SOURCE,
                        *sources, "-pthread", "-o", program], check=True)
        done = subprocess.run([program, folder.name], encoding="utf-8", stdout=subprocess.PIPE,
                              check=True)
        cls.said = json.loads(done.stdout.partition("JSON ")[2])
        with open(os.path.join(folder.name, "h200-stencil7-large.json"), encoding="utf-8") as file:
            cls.written = json.load(file)

    def assertNear(self, values, expected, error=1e-12):
        self.assertEqual(len(values), len(expected))
        for value, right in zip(values, expected):
            self.assertAlmostEqual(value, right, delta=error)

    def test_it_computes_what_other_code_does(self):
        said = self.said
        with self.subTest("random numbers of the scripts"):
            self.assertEqual(said["random"], lcg(3, 100))
        column_first = lcg(1, NX * NY * NZ)
        with self.subTest("grids as scripts fill them on wafers"):
            self.assertNear(said["grid"], [column_first[z + NZ * (x + NX * y)] for x, y, z in cells()],
                            error=2.0**-24)
        grid = said["grid"]
        with self.subTest("the Laplacian, directly and stored"):
            product = [6 * at(grid, x, y, z) - at(grid, x - 1, y, z) - at(grid, x + 1, y, z)
                       - at(grid, x, y - 1, z) - at(grid, x, y + 1, z)
                       - at(grid, x, y, z - 1) - at(grid, x, y, z + 1) for x, y, z in cells()]
            for name in ("direct", "rows", "slices"):
                self.assertNear(said[name], product)
            self.assertEqual(said["nonzeros"], 7 * NX * NY * NZ
                             - 2 * (NX * NY + NY * NZ + NX * NZ))
        with self.subTest("the wave equation"):
            now, before = lcg(1, NX * NY * NZ), lcg(2, NX * NY * NZ)
            for step in range(3):
                now, before = wave_step(now, before, ricker(step)), now
            self.assertNear(said["wave"], now, error=1e-5)  # the start is FP32
        with self.subTest("PCG, which the wafer runs in FP32"):
            done = self.gridloom("run", os.path.join(SOURCE, "workloads/pcg.lua"), "--chip", "wse2",
                                 f"nx={NX}", f"ny={NY}", f"nz={NZ}", "iterations=8", "--json", "-")
            result = json.loads(done.stdout)
            self.assertNear(said["norms"], result["metrics"]["residual_history"], error=1e-5)
        with self.subTest("names of chips"):
            self.assertEqual(said["chips"], {
                "NVIDIA H200": "h200", "NVIDIA A100-SXM4-80GB": "a100_80gb",
                "NVIDIA A100-PCIE-40GB": "a100_40gb", "NVIDIA H100 PCIe": "h100",
                "Tesla V100": "tesla", "": "gpu"})
        with self.subTest("what programs are asked for"):
            self.assertTrue(said["turned"])
            bf16, fp32, *wrong = said["asked"]
            self.assertEqual(bf16.split()[:2], ["-512x112x64-bf16-3", "512"])
            self.assertEqual(fp32.split()[:2], ["-755x994x1000-fp32", "1000"])  # z is fastest
            self.assertEqual(json.loads(fp32.split(None, 2)[2]), {"nx": 755, "ny": 994, "nz": 1000})
            self.assertEqual(wrong, [""] * 12)
        with self.subTest("checks"):
            self.assertEqual((said["fails"], said["passes"]), (True, True))

    def test_its_results_have_the_schema(self):
        result = self.written
        other = self.result(gridloom.TRANSFER, *gridloom.SMALL, "-q")
        self.assertEqual(set(result), set(other) - {"chip_parameters", "given"})
        self.assertEqual(result["gridloom"], "unknown")  # measure prints it
        self.assertEqual((result["chip"], result["seconds"], result["cycles"]),
                         ("h200", 0.003, 6000000))
        self.assertAlmostEqual(result["seconds_per_iteration"], 0.0003, delta=1e-18)
        self.assertEqual(result["counters"], {
            "flops": 7 * 10**9, "sram_bytes": 0, "noc_bytes": 0, "dram_bytes": 6 * 10**9,
            "fp32_flops": 7 * 10**9})
        self.assertEqual(result["check"], {
            "status": "pass", "max_abs_error": 0.25, "tolerance": 0.5,
            "reference": "a \"quoted\" text\n"})
        self.assertIsNone(result["energy_joules"])
        self.assertEqual(result["metrics"]["share_of_copy"], 0.5)
        self.assertEqual({name: result["metrics"][name] for name in
                          ("date", "commit", "clock_hz", "clock_seen_hz")},
                         {"date": "2026-03-01T12:00:00Z", "commit": "0123456789ab",
                          "clock_hz": 2e9, "clock_seen_hz": 1.5e9})
        self.assertEqual(result["metrics"]["device_seconds"], 0.003)
        self.assertEqual(result["roofs"], [{
            "name": "DRAM", "unit": "bytes per second", "value": 4e12,
            "source": "h200-copy.json: measured copy", "achieved": 2e12}])


def measured():
    """The GPU results in this repository, by name."""
    results = {}
    for path in sorted(glob.glob(os.path.join(SOURCE, "traces/gpu/*.json"))):
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        if result["metrics"].get("measured"):
            results[os.path.basename(path)[:-len(".json")]] = result
    return results


class Measured(unittest.TestCase):
    def test_results_agree_with_themselves(self):
        for name, result in measured().items():
            with self.subTest(name):
                metrics = result["metrics"]
                self.assertEqual((result["schema_version"], result["check"]["status"]), (1, "pass"))
                self.assertLessEqual(result["check"]["max_abs_error"], result["check"]["tolerance"])
                self.assertTrue(name.startswith(result["chip"] + "-"))
                self.assertGreaterEqual(metrics["repeats"], REPEATS.get(result["workload"], 20))
                self.assertLessEqual(metrics["seconds_minimum"], result["seconds"])
                self.assertLessEqual(result["seconds"], metrics["seconds_maximum"])
                self.assertAlmostEqual(result["cycles"], result["seconds"] * metrics["clock_hz"],
                                       delta=1)
                rate = result["counters"]["dram_bytes"] / result["seconds"]
                roof = result["roofs"][0]
                self.assertEqual(roof["name"], "DRAM")
                self.assertAlmostEqual(roof["achieved"] / rate, 1, delta=1e-9)
                self.assertEqual(roof["value"], metrics["copy_bytes_per_second"])
                self.assertAlmostEqual(metrics["share_of_copy"], rate / roof["value"], delta=1e-9)

    def test_stencils_move_what_they_must_at_the_rate_that_is_asked_for(self):
        large = set()
        for name, result in measured().items():
            if result["workload"] not in BYTES:
                continue
            with self.subTest(name):
                p = result["parameters"]
                width = {"fp32": 1, "fp64": 2, "bf16": 0.5, "mixed": 0.5}[p["dtype"]]
                count = p["nx"] * p["ny"] * p["nz"]
                self.assertEqual(result["counters"]["dram_bytes"],
                                 width * BYTES[result["workload"]] * count * result["iterations"])
                # Kernels are made for FP32 and FP64; those of 16 bits convert their numbers.
                if 4 * width * count >= LARGE and width >= 1:
                    large.add((result["workload"], p["dtype"]))
                    self.assertGreaterEqual(result["metrics"]["share_of_copy"],
                                            SHARES[result["workload"]])
        if measured():
            self.assertLessEqual({("stencil7", "fp32"), ("stencil25", "fp32")}, large)

    def test_what_results_say_of_checks_and_methods_is_what_programs_do(self):
        programs = ""
        for path in glob.glob(os.path.join(SOURCE, "tools/gpu/**/*.cu*"), recursive=True):
            with open(path, encoding="utf-8") as file:
                programs += re.sub(r'"\s*"', "", file.read())
        for name, result in measured().items():
            with self.subTest(name):
                self.assertIn('"' + result["check"]["reference"] + '"', programs)
                self.assertIn(result["metrics"]["method"].lstrip("0123456789"), programs)

    def test_published_pcg_is_counted_as_the_measured_one(self):
        with open(os.path.join(SOURCE, "traces/gpu/h100-published-pcg.json"), encoding="utf-8") as file:
            published = json.load(file)
        result = measured()["h200-pcg-stored"]
        for counter, share in (("flops", 0), ("fp32_flops", 0), ("dram_bytes", 0.02)):
            one = result["counters"][counter] / result["iterations"]
            self.assertAlmostEqual(published["counters"][counter] / one, 1, delta=share)

    def test_pcg_says_where_its_time_goes(self):
        for name, result in measured().items():
            if result["workload"] != "pcg":
                continue
            with self.subTest(name):
                parts = result["metrics"]["components"]
                zones = {part + "_seconds": seconds for part, seconds in result["zones"].items()}
                self.assertEqual(zones, {k: v for k, v in parts.items()
                                         if k not in ("sum_seconds", "other_seconds")})
                self.assertAlmostEqual(sum(zones.values()), parts["sum_seconds"], delta=1e-9)
                if parts["sum_seconds"] > result["seconds"]:
                    self.assertIn("they may be more than the whole", result["metrics"]["method"])
                self.assertEqual(len(result["metrics"]["residual_history"]),
                                 result["iterations"] + 1)


if __name__ == "__main__":
    unittest.main()
