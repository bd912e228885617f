"""The Python package: runs, arrays, tables, traces, pages and errors, in a process of its own."""
import ast
import glob
import json
import os
import re
import subprocess
import sys
import unittest

from gridloom import PATIENCE, SOURCE, Scenario

PACKAGE = os.path.join(SOURCE, "tools/python")
PLAIN = "import sys; sys.modules['numpy'] = None\n"
SMALL = "'pcg', chip='wse2', nx=4, ny=3, nz=5, iterations=3"


class Python(Scenario):
    def python(self, text, interpreter=sys.executable):
        """What a program that imports the package prints, as JSON."""
        done = subprocess.run(
            [interpreter, "-B", "-c", PLAIN * (interpreter == sys.executable) + "import gridloom, json\n" + text], cwd=self.folder,
            env={**self.environment, "PYTHONPATH": PACKAGE}, capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), text)
        return json.loads(done.stdout)

    def test_a_run_has_the_result(self):
        self.succeed("run", "pcg", "--chip", "wse2", "nx=4", "ny=3", "nz=5", "iterations=3", "--json", "r.json")
        expected = json.loads(self.read("r.json"))

        cycles, status, history, printed = self.python(
            f"run = gridloom.run({SMALL})\n"
            "print(json.dumps([run.cycles, run['check']['status'], run.metrics['residual_history'], repr(run)]))")

        self.assertEqual((cycles, status), (expected["cycles"], "pass"))
        self.assertEqual(history, expected["metrics"]["residual_history"])
        self.assertRegex(printed, r"<pcg on wse2: [0-9,]+ cycles, \S+ s, check pass>")

    def test_settings_options_and_truths_are_words(self):
        slow, fast, parameters = self.python(
            f"one, other = gridloom.run({SMALL}, settings={{'fabric.hop_cycles': 3}}), "
            f"gridloom.run({SMALL}, options={{'threads': 2, 'timing_only': True, 'seed': None}}, extrapolate=False)\n"
            "print(json.dumps([one.cycles, other.cycles, other.parameters]))")

        self.assertGreater(slow, fast)
        self.assertEqual(parameters["extrapolate"], "off")

    def test_arrays_go_in_and_out(self):
        """Both ways: as lists without NumPy, which the host's own arithmetic reads back."""
        x, rows, names = self.python(
            "b = [[[float(i + 2 * j - k) for k in range(5)] for j in range(3)] for i in range(4)]\n"
            f"run = gridloom.run({SMALL}, inputs={{'rhs': b}}, save=['x'], out='kept')\n"
            "again = gridloom.run('pcg', chip='wse2', nx=4, ny=3, nz=5, iterations=1, tolerance=1000, "
            "inputs={'rhs': 'kept/in_rhs.npy', 'start': run.arrays['x']}, save='x')\n"
            "print(json.dumps([[run.arrays['x'], again.arrays['x']], run.tables['residual'], sorted(run.arrays)]))")

        self.assertEqual((len(x[0]), len(x[0][0]), len(x[0][0][0])), (4, 3, 5))
        self.assertEqual(x[0], x[1])
        self.assertEqual([row["iteration"] for row in rows], [0, 1, 2, 3])
        self.assertEqual(names, ["x"])
        self.assertTrue(os.path.exists(self.path("kept/result.json")))

    def test_numpys_arrays_are_numpys(self):
        interpreter = "/usr/bin/python3"
        if subprocess.run([interpreter, "-c", "import numpy"], capture_output=True, check=False).returncode:
            self.skipTest("no python3-numpy")
        kind, shape = self.python(
            "import numpy\nb = numpy.asfortranarray(numpy.ones((4, 3, 5), 'f4'))\n"
            f"x = gridloom.run({SMALL}, inputs={{'rhs': b}}, save=['x']).arrays['x']\n"
            "print(json.dumps([str(x.dtype), x.shape]))", interpreter)

        self.assertEqual((kind, shape), ("float32", [4, 3, 5]))

    def test_chips_solve_what_numpy_solves(self):
        """The example with a right-hand side from NumPy: columns of norms, and a picture."""
        interpreter = "/usr/bin/python3"
        if subprocess.run([interpreter, "-c", "import numpy"], capture_output=True, check=False).returncode:
            self.skipTest("no python3-numpy")
        done = subprocess.run([interpreter, "-B", os.path.join(PACKAGE, "examples/residuals.py"), "64", "16", "3", "8"], cwd=self.folder,
                              env={**self.environment, "PYTHONPATH": PACKAGE}, capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        head, *lines = done.stdout.splitlines()
        names = re.findall(r"\w[\w-]* (?:fp|bf)\d\d", head)
        columns = dict(zip(names, zip(*([float(word) for word in line.split()[-8:]] for line in lines)), strict=True))
        exact = columns["NumPy fp64"]

        self.assertEqual(len(exact), 10)
        self.assertLess(exact[8], exact[0] / 5)
        for name, error in (("NumPy fp32", 1e-4), ("Wormhole fp32", 1e-4), ("WSE-2 fp32", 1e-4), ("NumPy fp16", 0.02),
                            ("WSE-2 fp16", 0.02), ("NumPy bf16", 0.2), ("Wormhole bf16", 0.4)):
            for here, there in zip(columns[name][:9], exact):
                self.assertLess(abs(here - there), error * there, name)
        drawn = self.read("residuals.svg")
        self.assertEqual(drawn.count("<polyline"), 8)
        self.assertEqual(len(re.findall(r">(?:NumPy|Wormhole|WSE-2) \w+: [\d.]+<", drawn)), 8)

    def test_traces_are_tables_and_pages_stand_in_notebooks(self):
        names, busy, page, plain = self.python(
            f"run, other = gridloom.run({SMALL}, report=True), gridloom.run({SMALL})\n"
            "print(json.dumps([sorted({row['name'] for row in run.trace.slices}), run.trace.busy_cycles(), "
            "run._repr_html_(), other._repr_html_()]))")

        self.assertIn("fmacs", names)
        self.assertEqual(sum(lane.endswith(".ce") for lane in busy), 12)
        self.assertRegex(page, "^<iframe srcdoc=\"&lt;!(DOCTYPE|doctype) html&gt;")
        self.assertIn("<pre>pcg fp32", plain)

    def test_the_package_needs_nothing_but_python(self):
        """Every import is Python's own, the package's, or NumPy's, which may be missing."""
        names = set()
        for path in glob.glob(os.path.join(PACKAGE, "gridloom/*.py")):
            with open(path, encoding="utf-8") as file:
                for node in ast.walk(ast.parse(file.read())):
                    if isinstance(node, ast.Import):
                        names |= {alias.name.split(".")[0] for alias in node.names}
                    elif isinstance(node, ast.ImportFrom):
                        names.add(node.module.split(".")[0])

        self.assertEqual(names - sys.stdlib_module_names, {"gridloom", "numpy"})

    def test_folders_of_before_are_read(self):
        self.succeed("run", "vecadd", "tiles=1", "--out", "before", "-q")

        self.assertEqual(self.python("print(json.dumps(gridloom.load('before').workload))"), "vecadd")

    def test_errors_have_types_and_the_commands_line(self):
        for words, name, code, line in (
                ("'pcg', chip='wafer'", "WrongInput", 1, "wafer: no such chip"),
                ("'pcg', chip='wse2', nz=-1", "WrongInput", 1, "nz"),
                ("'pcg', chip='wse2', inputs={'rhs': [[1, 2], [3]]}", "WrongInput", 1, "rows must be of the same length"),
                ("'pcg', chip='wse2', inputs={'rhs': [1, 'two']}", "WrongInput", 1, "no number"),
                ("'pcg', chip='wse2', options={'limit_cycles': 10}", "Stuck", 3, "limit"),
                ("'pcg', chip='wse2', nx=2, ny=2, nz=2, rhs=3, start=1", "CheckFailed", 4, "norms of the residual")):
            with self.subTest(words):
                got = self.python(
                    f"try:\n    gridloom.run({words})\n"
                    "except gridloom.Error as e:\n"
                    "    print(json.dumps([type(e).__name__, getattr(e, 'code', None), str(e), getattr(e, 'run', None) and e.run.check['status']]))")

                self.assertEqual(got[:2], [name, code])
                self.assertIn(line, got[2])
                self.assertEqual(got[3], "fail" if code == 4 else None)

    def test_files_of_an_earlier_run_are_not_this_runs(self):
        names = self.python(
            f"gridloom.run({SMALL}, save='x', out='o')\nrun = gridloom.run('dot', chip='wse2', nx=3, ny=3, nz=4, out='o')\n"
            "print(json.dumps([sorted(run.arrays), 'residual' in run.tables]))")

        self.assertEqual(names, [[], False])

    def test_a_folder_without_a_result_is_refused(self):
        self.write("other/result.json", "[1]")
        self.write("wrong/result.json", '{ "schema_version": 1, "workload": "pcg", "cycles": "many" }')
        for folder, says in (("nowhere", "nowhere: no result"), ("other", "other/result.json: no result of gridloom"),
                             ("wrong", 'wrong/result.json: /cycles: "many", allowed is a whole number')):
            self.assertIn(says, self.python(
                f"try:\n    gridloom.load({folder!r})\nexcept gridloom.WrongInput as e:\n    print(json.dumps(str(e)))"))

    def test_a_run_without_a_timeline_says_how_to_get_one(self):
        for question in ("slices", "query('waits')"):
            self.assertIn("trace.pftrace: no trace is there; gridloom.run(..., report=True) makes one", self.python(
                f"try:\n    gridloom.run({SMALL}).trace.{question}\nexcept gridloom.WrongInput as e:\n    print(json.dumps(str(e)))"))

    def test_without_the_command_it_says_how_to_get_it(self):
        self.environment["GRIDLOOM"] = self.path("nowhere")

        self.assertIn("nowhere: No such file", self.python(
            "try:\n    gridloom.version()\nexcept gridloom.WrongInput as e:\n    print(json.dumps(str(e)))"))

    def test_what_lasts_as_long_as_the_run_is_gone_then(self):
        is_there, remains = self.python(
            f"import gc, os\nrun = gridloom.run({SMALL})\nfolder = str(run.folder)\nis_there = os.path.isdir(folder)\n"
            "del run\ngc.collect()\nprint(json.dumps([is_there, os.path.isdir(folder)]))")

        self.assertEqual((is_there, remains), (True, False))


if __name__ == "__main__":
    unittest.main()
