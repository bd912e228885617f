"""libgridloom as it is installed: the example, what it exports, and Python by ctypes."""
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest

import gridloom
from gridloom import CHECK, DONE, INPUT, INTERRUPTED, PATIENCE, SOURCE

BUILD = os.environ["GRIDLOOM_BUILD"]
LIBRARY = os.path.join(SOURCE, "tools/library")
SCRIPT, METAL, CSL = 0, 1, 2
FLOAT32 = 1


class Installed(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        subprocess.run(["cmake", "--install", BUILD, "--prefix", self.path("prefix")],
                       check=True, stdout=subprocess.DEVNULL)
        del self.environment["GRIDLOOM"]
        for folder, _, names in os.walk(self.path("prefix")):
            if "gridloom.pc" in names:
                self.environment["PKG_CONFIG_PATH"] = folder
        self.library = self.words("pkg-config", "--variable=libdir", "gridloom")[0]

    def words(self, *command):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout.split()

    def compile(self, *words, compiler="cc"):
        """Compiles with the words of pkg-config, warnings being errors."""
        symbols = " ".join(self.words("nm", "-D", os.path.join(self.library, "libgridloom.so")))
        sanitizers = ["-fsanitize=address,undefined"] if "__asan_init" in symbols else []
        subprocess.run([compiler, *words, "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                        *self.words("pkg-config", "--cflags", "--libs", "gridloom"), *sanitizers],
                       cwd=self.folder, check=True)

    def example(self):
        self.environment["LD_LIBRARY_PATH"] = self.library
        return self.gridloom(program=self.path("example"))

    def test_the_example_compiles_and_runs(self):
        self.compile("-std=c99", os.path.join(LIBRARY, "example.c"), "-o", "example")
        done = self.example()

        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertRegex(done.stdout, r"\A[1-9][0-9]* cycles, x\[0, 0, 0\] = [0-9.]+\n\Z")

    def test_it_runs_the_program_of_its_own_installation(self):
        self.compile(os.path.join(LIBRARY, "example.c"), "-o", "example")
        os.rename(self.path("prefix"), self.path("moved"))
        self.library = self.library.replace("prefix/", "moved/")
        os.rename(self.path("moved/bin/gridloom"), self.path("moved/bin/true_gridloom"))
        self.write("moved/bin/gridloom", "#!/bin/sh\necho gridloom: it is me >&2\nexit 3\n")
        os.chmod(self.path("moved/bin/gridloom"), 0o755)
        done = self.example()

        self.assertEqual((done.returncode, done.stderr), (3, "it is me\n"))

    def test_the_header_is_plain_c_and_cpp(self):
        self.write("use.c", "#include <gridloom.h>\n#include <gridloom.h>\n"
                            "int main(void) { return gridloom_version()[0] == 0; }\n")
        for standard, compiler in (("-std=c99", "cc"), ("-std=c++11", "g++")):
            if shutil.which(compiler):
                self.compile("-x", standard[5:-2].replace("99", ""), standard, "use.c", "-x", "none",
                             "-o", "use", compiler=compiler)

    def test_only_what_the_header_has_is_exported(self):
        with open(os.path.join(LIBRARY, "gridloom.h"), encoding="utf-8") as file:
            declared = set(re.findall(r"\b(gridloom_[a-z]+)\(", re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)))
        lines = subprocess.run(["nm", "-D", "--defined-only", os.path.join(self.library, "libgridloom.so")],
                               capture_output=True, text=True, check=True).stdout.splitlines()
        exported = {line.split()[-1] for line in lines}

        self.assertEqual({name for name in exported if not name.startswith(("__asan", "__odr_asan"))}, declared)
        self.assertEqual(len(declared), 19)

    def test_the_name_has_the_number_of_its_interface(self):
        shown = subprocess.run(["objdump", "-p", os.path.join(self.library, "libgridloom.so")],
                               capture_output=True, text=True, check=True).stdout

        self.assertIn("libgridloom.so.0\n", shown)
        # No room is in it, nor what rooms need.
        for name in ("simgrid", "lua", "protobuf", "sqlite"):
            self.assertNotIn(name, shown)


class Progress(ctypes.Structure):
    _fields_ = [("cycles", ctypes.c_uint64), ("seconds", ctypes.c_double),
                ("wall_seconds", ctypes.c_double), ("fraction", ctypes.c_double)]


class Array(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("dimension_count", ctypes.c_int),
                ("shape", ctypes.POINTER(ctypes.c_uint64)), ("data", ctypes.c_void_p)]


Look = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Progress))


class Chip:
    """A Gridloom; every function is called by its name in the header."""

    library = None

    def __init__(self, chip):
        if Chip.library is None:
            Chip.library = ctypes.CDLL(os.path.join(os.path.dirname(gridloom.PROGRAM), "libgridloom.so"))
            for name in ("error", "chip", "result", "printed", "version"):
                getattr(Chip.library, "gridloom_" + name).restype = ctypes.c_char_p
        self.handle = ctypes.c_void_p()
        self.code = self.library.gridloom_open(ctypes.byref(self.handle), chip and chip.encode())

    def __getattr__(self, name):
        def call(*words):
            words = [word.encode() if isinstance(word, str) else word for word in words]
            return getattr(self.library, "gridloom_" + name)(self.handle, *words)
        return call

    def set_all(self, **words):
        return [self.param(name, str(value)) for name, value in words.items()]

    def input_numbers(self, name, numbers, shape):
        data = (ctypes.c_float * len(numbers))(*numbers)
        lengths = (ctypes.c_uint64 * len(shape))(*shape)
        return self.input(name, ctypes.byref(Array(FLOAT32, len(shape), lengths,
                                                   ctypes.cast(data, ctypes.c_void_p))))

    def output_numbers(self, name):
        array = Array()
        code = self.array(name, ctypes.byref(array))
        shape = [array.shape[i] for i in range(array.dimension_count)]
        count = 1
        for length in shape:
            count *= length
        return code, array.type, shape, list((ctypes.c_float * count).from_address(array.data))

    def member(self, pointer):
        value = ctypes.c_double()
        return self.number(pointer, ctypes.byref(value)), value.value


class Ctypes(gridloom.Scenario):
    def open(self, chip):
        opened = Chip(chip)
        self.addCleanup(opened.close)
        return opened

    def pcg(self, **words):
        chip = self.open("wse2")
        self.assertEqual((chip.code, chip.load(SCRIPT, "pcg")), (DONE, DONE), chip.error())
        chip.set_all(nx=4, ny=3, nz=5, iterations=3, **words)
        return chip

    def test_results_are_the_command_s_to_the_byte(self):
        self.succeed("run", "pcg", "--chip", "wse2", "nx=4", "ny=3", "nz=5", "iterations=3",
                     "--set", "fabric.hop_cycles=3", "--json", "r.json")
        chip = self.pcg()
        self.assertEqual(chip.set("fabric.hop_cycles", "3"), DONE)

        for _ in range(2):  # again, in the same process
            self.assertEqual(chip.run(None, None), DONE, chip.error())
            self.assertEqual(gridloom.without_host(chip.result().decode()),
                             gridloom.without_host(self.read("r.json")))

    def test_a_solution_is_a_start_that_needs_no_iteration(self):
        chip = self.pcg()
        self.assertEqual(chip.input_numbers("rhs", [float(i % 5) for i in range(60)], (4, 3, 5)), DONE)
        chip.output("x")
        chip.set_all(iterations=10)
        self.assertEqual(chip.run(None, None), DONE, chip.error())
        code, kind, shape, x = chip.output_numbers("x")
        self.assertEqual((code, kind, shape, len(x)), (DONE, FLOAT32, [4, 3, 5], 60))
        before = chip.member("/metrics/residual_history/0")[1]

        self.assertEqual(chip.input_numbers("start", x, shape), DONE)
        chip.set_all(iterations=1, tolerance=1000)
        self.assertEqual(chip.run(None, None), DONE, chip.error())
        self.assertLess(chip.member("/metrics/residual_history/0")[1], 1e-4 * before)
        self.assertEqual(chip.input_numbers("start", x, (60,)), DONE)
        self.assertEqual(chip.run(None, None), INPUT)
        self.assertIn(b"start.npy", chip.error())

    def test_a_run_is_stopped_by_its_progress_function(self):
        chip = self.open("wse2")
        chip.load(SCRIPT, "pcg")
        chip.set_all(nx=200, ny=200, nz=200, iterations=100)
        seen = []
        start = time.monotonic()
        code = chip.run(Look(lambda data, at: seen.append(at[0].wall_seconds) or len(seen) == 4), None)

        self.assertEqual((code, chip.error(), chip.result()), (INTERRUPTED, b"interrupted", None))
        self.assertEqual(len(seen), 4)
        self.assertLess(time.monotonic() - start, PATIENCE)

    def test_what_is_open_leaves_no_file_when_it_is_closed(self):
        self.environment = {**os.environ, "TMPDIR": self.folder}
        text = "import test_library as t; c = t.Chip('wse2'); c.load(0, 'pcg'); c.set_all(nx=2, ny=2, nz=2);" \
               "c.output('x'); assert c.run(None, None) == 0, c.error(); c.close()"
        subprocess.run([sys.executable, "-B", "-c", text], env={
            **self.environment, "PYTHONPATH": os.path.dirname(__file__) + ":" + os.environ["PYTHONPATH"]},
            check=True, timeout=PATIENCE)

        self.assertEqual(self.files(), {})

    def test_a_run_ends_with_the_program_that_wanted_it(self):
        text = "import test_library as t; c = t.Chip('wse2'); c.load(0, 'pcg');" \
               "c.set_all(nx=300, ny=300, nz=300, iterations=1000); c.run(None, None)"
        process = subprocess.Popen([sys.executable, "-B", "-c", text], cwd=self.folder, env={
            **os.environ, "TMPDIR": self.folder,
            "PYTHONPATH": os.path.dirname(__file__) + ":" + os.environ["PYTHONPATH"]})
        self.addCleanup(self.end, process)
        children = f"/proc/{process.pid}/task/{process.pid}/children"
        found = []
        while not any(b"--progress" in words for words in found):
            self.assertIsNone(process.poll(), "it ended before it ran anything")
            time.sleep(0.05)
            with open(children, encoding="ascii") as file:
                child = (file.read().split() or ["self"])[-1]
            with open(f"/proc/{child}/cmdline", "rb") as file:
                found = file.read().split(b"\0")
        process.kill()
        process.wait()
        until = time.monotonic() + 60
        while os.path.exists(f"/proc/{child}/fd"):
            self.assertLess(time.monotonic(), until, "the run goes on")
            time.sleep(0.05)
            with open(f"/proc/{child}/stat", encoding="ascii") as file:
                if " Z " in file.read():
                    break

    def test_a_csl_program_runs(self):
        shutil.copytree(os.path.join(SOURCE, "tests/programs/csl/host"), self.path("host"))
        chip = self.open(None)

        self.assertEqual(chip.load(CSL, self.path("host")), DONE, chip.error())
        self.assertEqual(chip.check(), 2)
        self.assertEqual(chip.run(None, None), DONE, chip.error())
        self.assertIn(b"SUCCESS", chip.printed())
        self.assertEqual(json.loads(chip.result())["chip"], "wse2")

    def test_a_metal_program_runs(self):
        if "GRIDLOOM_METAL_DOT" not in os.environ:
            self.skipTest("no C++ compiler was there")
        chip = self.open("wormhole_n300")

        self.assertEqual(chip.load(METAL, os.environ["GRIDLOOM_METAL_DOT"]), DONE, chip.error())
        self.assertEqual(chip.option("kernels", os.path.join(SOURCE, "workloads/metal/programs")), DONE)
        self.assertEqual(chip.run(None, None), DONE, chip.error())
        self.assertGreater(chip.member("/cycles")[1], 0)

    def test_a_failed_check_has_a_result(self):
        script = self.script("host.check { error = 2, tolerance = 1, reference = 'one' }")
        chip = self.open("wormhole_n300")
        chip.load(SCRIPT, self.path(script))

        self.assertEqual(chip.run(None, None), CHECK)
        self.assertIn(b"max error 2 above tolerance 1", chip.error())
        self.assertEqual(json.loads(chip.result())["check"]["status"], "fail")


if __name__ == "__main__":
    unittest.main()
