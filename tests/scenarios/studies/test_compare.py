"""gridloom compare: one problem on several chips, side by side."""
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import unittest
import xml.etree.ElementTree as xml

import gridloom
from gridloom import CHECK, DONE, INPUT, STOPPED

# Takes a set time, which differs by chip, and fails on request.
TIMED = gridloom.workload(
    """local us = p.us * (host.number("chip.clock_hz") == 1000000000 and 1 or 2)
        if p.mode == "refuse" then host.refuse("not today") end
        if p.mode == "endless" then while true do end end
        host.measure(function() host.sleep(us * 1e-6) end, 2)
        host.metric("words", p.us * 3)
        if p.mode == "wrong" then host.check { error = 2, tolerance = 1, reference = "a test" } end
        if p.mode == "right" then host.check { error = 0, tolerance = 1, reference = "a test" } end""",
    parameters='{ name = "us", type = "integer", default = 10, min = 1, max = 100, help = "h" },'
               '{ name = "mode", type = "choice", default = "right", help = "h",'
               '  choices = { "right", "wrong", "refuse", "endless" } }'
    ).replace('{ "tensix" }', '{ "tensix", "wse" }')
BOTH = "wormhole_n300,wse2"
SVG = "{http://www.w3.org/2000/svg}"


class Compare(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.write("timed.lua", TIMED)

    def compare(self, *words, status=DONE, says=""):
        """Standard output; `says` is in its complaints."""
        done = self.gridloom("compare", *words)
        self.assertEqual((done.returncode, done.stderr), (status, says))
        return done.stdout

    def rows(self, *words, **options):
        """The rows of the JSON object, and all of it."""
        result = json.loads(self.compare(*words, "--json", "-", **options))
        return result["metrics"]["chips"], result

    def test_the_table_has_a_row_for_each_chip(self):
        text = self.compare("timed.lua", "--chips", BOTH)

        lines = text.splitlines()
        self.assertRegex(lines[0], r"^chip +used +iterations +iteration with launches +times faster"
                                   r" +without launches +times faster +joules +fullest roof +check$")
        self.assertRegex(lines[1], r"^wormhole_n300 +- +2 +5 us +1 +5 us +1 +0.0003 +- +pass$")
        self.assertRegex(lines[2], r"^wse2 +- +2 +10 us +0\.5 +10 us +0\.5 +0 +- +pass$")
        self.assertRegex(lines[-1], r"^2 runs in ")

    def test_launches_are_treated_alike_on_every_row(self):
        """On cores a dot product is measured with its launch of 30 us, on a wafer without that of 200 us."""
        rows, _ = self.rows("dot", "--chips", BOTH, "nx=64", "ny=16", "nz=2")

        for row, launch, is_measured in zip(rows, (30e-6, 200e-6), (True, False)):
            both = row["seconds_with_launches"], row["seconds_without_launches"]
            self.assertAlmostEqual(both[0] - both[1], launch, delta=1e-12)
            self.assertAlmostEqual(row["seconds"], both[0 if is_measured else 1], delta=1e-12)
        for how in ("with_launches", "without_launches"):
            self.assertAlmostEqual(rows[1][f"times_faster_{how}"], rows[0][f"seconds_{how}"] / rows[1][f"seconds_{how}"],
                                   delta=1e-9)

    def test_rows_say_how_much_of_the_chip_was_used_and_what_was_solved(self):
        rows, _ = self.rows("dot", "--chips", BOTH, "nx=64", "ny=32", "nz=2")
        text = self.compare("dot", "--chips", BOTH, "nx=64", "ny=32", "nz=2")

        self.assertEqual([row["chip_used"] for row in rows], [{"what": "cores", "used": 2, "of": 56},
                                                              {"what": "PEs", "used": 2048, "of": 750470}])
        self.assertEqual([rows[0]["parameters"][name] for name in ("rows", "cols", "tiles")], [2, 1, 2])
        self.assertIn(" cores 2 of 56 ", text)
        self.assertIn(" PEs 2,048 of 750,470 ", text)

    def test_a_row_with_the_constant_that_nobody_explains_says_so(self):
        words = ("pcg", "--chips", "wormhole_n300", "rows=1", "cols=1", "tiles=1", "iterations=1")
        mark = "incl. unattributed constant"

        self.assertNotIn(mark, self.compare(*words))
        self.assertIn(f"wormhole_n300, {mark} ", self.compare(*words, "unattributed=on", "--svg", "bars.svg"))
        self.assertIn(mark, pathlib.Path(self.folder, "bars.svg").read_text(encoding="utf-8"))
        rows, _ = self.rows(*words, "unattributed=on")
        self.assertEqual(rows[0]["includes"], mark)

    def test_the_demonstration_compares_one_problem_that_fills_a_wormhole(self):
        with open(f"{gridloom.SOURCE}/tools/run", encoding="utf-8") as file:
            script = file.read()
        words = {name: int(value) for name, value in re.findall(r"\b(nx|ny|nz|iterations)=(\d+)", script)}
        beside = re.findall(r"--beside (\S+)", script)

        self.assertEqual((words["nx"] // 64, words["ny"] // 16), (8, 7))    # columns and rows of cores
        self.assertIn(f"{words['nx']} x {words['ny']} x {words['nz']} cells", script)
        self.assertGreater(len(beside), 0)
        for name in beside:
            measured = json.loads(pathlib.Path(gridloom.SOURCE, f"traces/gpu/{name}.json").read_text(encoding="utf-8"))
            self.assertEqual({each: measured["parameters"][each] for each in words}, words, name)

    def test_a_measured_gpu_has_launches_by_the_clock_of_its_host(self):
        rows, _ = self.rows("pcg", "--chips", "wse2", "nx=4", "ny=4", "nz=4", "iterations=3",
                            "--beside", "h200-pcg-matrix-free-demo", "--beside", "h200-pcg-stored-demo")
        fused, stored = rows[1:]

        measured = json.loads(pathlib.Path(gridloom.SOURCE, "traces/gpu/h200-pcg-matrix-free-demo.json")
                              .read_text(encoding="utf-8"))["metrics"]

        self.assertAlmostEqual(fused["seconds_with_launches"], measured["seconds_host_clock"] / 3, delta=1e-12)
        self.assertAlmostEqual(fused["seconds_without_launches"], measured["seconds_graph"] / 3, delta=1e-12)
        self.assertGreater(fused["seconds_with_launches"], 1.05 * fused["seconds_without_launches"])
        self.assertIsNone(stored["seconds_without_launches"])
        self.assertIsNone(stored["chip_used"])

    def test_the_json_is_the_envelope_with_rows(self):
        rows, result = self.rows("timed.lua", "--chips", BOTH, "us=20", "--seed", "3")

        self.assertEqual([row["chip"] for row in rows], ["wormhole_n300", "wse2"])
        self.assertEqual((result["workload"], result["schema_version"], result["seed"]),
                         ("compare", 1, 3))
        self.assertEqual(result["check"]["status"], "pass")
        self.assertEqual(result["metrics"]["script"], "timed")
        for row, microseconds, faster in zip(rows, (20, 40), (1, 0.5)):
            self.assertAlmostEqual(row["seconds"], microseconds * 1e-6, delta=1e-12)
            self.assertAlmostEqual(row["seconds_per_iteration"], microseconds / 2 * 1e-6, delta=1e-12)
            self.assertAlmostEqual(row["times_faster"], faster, delta=1e-9)
            self.assertEqual((row["code"], row["why"], row["case"]), (0, None, {}))
            self.assertEqual(row["check"]["status"], "pass")
            self.assertEqual(row["parameters"]["us"], 20)
            self.assertIn("energy_joules", row)
            self.assertRegex(row["chip_digest"], "^[0-9a-f]{64}$")

    def test_words_and_numbers_go_to_all_chips_or_to_one(self):
        rows, _ = self.rows("timed.lua", "--chips", BOTH, "wse2:us=7", "us=9",
                            "--set", "wse2:chip.clock_hz=1000000000")

        self.assertEqual([row["parameters"]["us"] for row in rows], [9, 7])
        self.assertEqual([row["overrides"] for row in rows],
                         [{}, {"chip.clock_hz": "1000000000"}])
        self.assertAlmostEqual(rows[1]["seconds"], 7e-6, delta=1e-12)

    def test_chips_may_be_files(self):
        with open(f"{gridloom.SOURCE}/arch/chips/wse2.ini", encoding="utf-8") as file:
            text = file.read()
        self.write("mine.ini", text.replace("clock_hz = 850000000", "clock_hz = 1000000000"))

        rows, _ = self.rows("timed.lua", "--chips", "mine.ini,wse2", "mine.ini:us=3", "wse2:us=4")

        self.assertEqual([row["chip"] for row in rows], ["mine", "wse2"])
        self.assertEqual([row["parameters"]["us"] for row in rows], [3, 4])
        self.assertAlmostEqual(rows[1]["times_faster"], 3 / 8, delta=1e-9)

    def test_any_number_of_a_result_can_be_compared(self):
        rows, _ = self.rows("timed.lua", "--chips", BOTH, "wse2:us=4", "--quantity", "metrics.words/2")

        self.assertEqual([row["quantity"] for row in rows], [15, 6])
        self.assertAlmostEqual(rows[1]["times_faster"], 2.5, delta=1e-12)

    def test_a_quantity_that_is_not_there_fails_the_run(self):
        text = "--quantity: the result: no number metrics.nonsense"

        rows, _ = self.rows("timed.lua", "--chips", "wse2", "--quantity", "metrics.nonsense",
                            status=INPUT, says=f"gridloom: wse2: {text}\n")

        self.assertEqual((rows[0]["code"], rows[0]["why"], rows[0]["quantity"]), (INPUT, text, None))
        self.assertGreater(rows[0]["seconds"], 0)

    def test_csv_has_the_same_rows(self):
        rows = list(csv.DictReader(io.StringIO(
            self.compare("timed.lua", "--chips", BOTH, "--over", "us=10,20", "--csv", "-"))))

        self.assertEqual([(row["us"], row["chip"]) for row in rows],
                         [("10", "wormhole_n300"), ("10", "wse2"), ("20", "wormhole_n300"), ("20", "wse2")])
        self.assertEqual([round(float(row["seconds"]) * 1e6) for row in rows], [10, 20, 20, 40])
        self.assertEqual([round(float(row["times_faster"]), 9) for row in rows], [1, 0.5, 1, 0.5])
        self.assertEqual([float(row["energy_joules"]) for row in rows[::2]], [3e-4, 6e-4])  # idle

    def test_bars_show_times_and_roofs(self):
        self.compare("stencil25", "--chips", "wse1,wse2", "nx=4", "ny=4", "nz=8", "-q", "-o", "x.svg")

        root = xml.fromstring(self.read("x.svg"))
        texts = [text.text for text in root.iter(SVG + "text")]
        self.assertEqual(texts[:2], ["stencil25 on several chips", "iteration with launches"])
        self.assertIn("iteration without launches", texts)
        self.assertEqual(texts.count("SRAM"), 2)
        self.assertIn("wse2: percent of its roofs", texts)
        self.assertEqual(len([text for text in texts if re.fullmatch(r"[0-9.]+ %", text)]), 2 * (4 + 3))

    def test_curves_show_a_sweep(self):
        self.compare("timed.lua", "--chips", BOTH, "--over", "us=10,20,40", "-q", "--svg", "x.svg")

        root = xml.fromstring(self.read("x.svg"))
        texts = [text.text for text in root.iter(SVG + "text")]
        self.assertIn("us", texts)
        self.assertIn("iteration without launches (us)", texts)
        self.assertIn("wse2", texts)
        self.assertIn("timed on several chips", texts)
        self.assertEqual(len(list(root.iter(SVG + "polyline"))), 2)

    def test_curves_of_what_is_no_number_count_the_cases(self):
        self.compare("timed.lua", "--chips", "wse2", "--over", "mode=right,wrong", "-q", "-o", "x.svg",
                     status=CHECK, says="gridloom: wse2, mode=wrong: timed.lua: check failed, max error 2 above "
                                        "tolerance 1, against a test\n")

        texts = [text.text for text in xml.fromstring(self.read("x.svg")).iter(SVG + "text")]
        self.assertIn("case of mode = right, wrong", texts)

    def test_a_run_that_fails_has_a_row_that_says_so(self):
        line = "timed.lua:8: not today"
        rows, result = self.rows("timed.lua", "--chips", BOTH, "wse2:mode=refuse", status=INPUT,
                                 says=f"gridloom: wse2: {line}\n")

        self.assertEqual([row["code"] for row in rows], [DONE, INPUT])
        self.assertEqual(rows[1]["why"], line)
        self.assertIsNone(rows[1]["seconds"])
        self.assertIsNone(rows[1]["limit"])
        self.assertEqual(rows[1]["roofs"], [])
        self.assertEqual(result["check"], {"status": "fail", "max_abs_error": 1, "tolerance": 0,
                                           "reference": "runs that failed, or whose own check did"})
        self.assertIn(f"\nwse2\n  failed  {line}\n", self.compare(
            "timed.lua", "--chips", BOTH, "wse2:mode=refuse", status=INPUT, says=f"gridloom: wse2: {line}\n"))

    def test_the_exit_code_is_the_worst(self):
        done = self.gridloom("compare", "timed.lua", "--chips", "wse1,wormhole_n300,wse2", "wormhole_n300:mode=wrong",
                             "wse2:mode=refuse", "-q", "--csv", "x.csv")

        self.assertEqual(done.returncode, CHECK)
        rows = list(csv.DictReader(io.StringIO(self.read("x.csv"))))
        self.assertEqual([row["code"] for row in rows], ["0", str(CHECK), str(INPUT)])
        self.assertEqual([row["seconds"] != "" for row in rows], [True, True, False])

    def test_a_script_of_one_family_runs_there_only(self):
        rows, _ = self.rows("vecadd", "--chips", BOTH, "tiles=1", status=INPUT,
                            says=f"gridloom: wse2: {gridloom.SOURCE}/workloads/vecadd.lua: runs on chips of family "
                                 "tensix, wse2 is of family wse\n")

        self.assertEqual([row["code"] for row in rows], [DONE, INPUT])
        self.assertIsNone(rows[1]["times_faster"])

    def test_the_first_chip_may_fail(self):
        rows, _ = self.rows("timed.lua", "--chips", BOTH, "wormhole_n300:mode=refuse", status=INPUT,
                            says="gridloom: wormhole_n300: timed.lua:8: not today\n")

        self.assertEqual([row["code"] for row in rows], [INPUT, DONE])
        self.assertIsNone(rows[1]["times_faster"])

    def test_a_limit_holds_for_each_run(self):
        def attempt(seconds):
            done = self.gridloom("compare", "timed.lua", "--chips", BOTH, "wormhole_n300:mode=endless",
                                 "--limit-seconds", seconds, "-q")

            self.assertEqual(done.returncode, STOPPED)
            self.assertRegex(done.stderr, rf"\Agridloom: wormhole_n300: [^\n]*{seconds} s[^\n]*\n\Z")
        self.try_each(("0.2", "2", "20", "200"), attempt)  # the other chip is done by then

    def test_no_run_is_beyond_a_roof(self):
        for words in (("vecadd", "tiles=64", "unit=fpu"), ("vecadd", "tiles=16", "unit=sfpu", "dtype=fp32"),
                      ("vecadd", "tiles=16", "from=l1", "rows=2", "cols=2"), ("matmul",), ("dot", "tiles=8"),
                      ("stencil7", "tiles=8", "rows=2", "cols=3")):
            with self.subTest(words):
                result = json.loads(self.gridloom("run", *words, "--json", "-").stdout)
                roofs = {roof["name"]: roof for roof in result["roofs"] if roof["achieved"] is not None}
                self.assertGreaterEqual(len(roofs), 5)
                for name, roof in roofs.items():
                    self.assertLessEqual(roof["achieved"], roof["value"], name)
                self.assertGreater(roofs["L1"]["achieved"], 0)
                self.assertGreater(roofs["NoC links"]["achieved"] + roofs["L1"]["achieved"], 0)

    def test_roofs_count_what_programs_moved(self):
        result = json.loads(self.gridloom("run", "vecadd", "tiles=8", "rows=2", "cols=3", "--json", "-").stdout)

        seconds = result["metrics"]["device_seconds"]
        moved = {roof["name"]: roof["achieved"] * seconds for roof in result["roofs"]
                 if roof["achieved"] is not None}
        tiles = 6 * 8
        self.assertAlmostEqual(moved["FPU"], tiles * 1024, delta=1)
        self.assertAlmostEqual(moved["L1"], tiles * 3 * 2048, delta=1)
        self.assertAlmostEqual(moved["NoC into cores"], tiles * 2 * 2048, delta=1)
        self.assertAlmostEqual(moved["DRAM"], tiles * 3 * 2048, delta=1)
        self.assertEqual(result["counters"]["dram_bytes"], 2 * tiles * 3 * 2048)

    def test_threads_change_nothing(self):
        words = ["stencil25", "--chips", "wse2", "nx=5", "ny=5", "nz=10"]

        one, two = (self.rows(*words, "--threads", threads)[0] for threads in ("1", "2"))

        self.assertEqual(one, two)
        self.assertGreater(one[0]["energy_joules"], 0)

    def test_timing_only_checks_nothing(self):
        rows, result = self.rows("timed.lua", "--chips", BOTH, "mode=wrong", "--timing-only")

        self.assertEqual([row["check"]["status"] for row in rows], ["skipped", "skipped"])
        self.assertEqual(result["check"]["status"], "skipped")

    def over(self, name, **members):
        """Writes the result of an earlier run of timed.lua, and returns its place."""
        result = json.loads(self.gridloom("run", "timed.lua", "--json", "-", "-q").stdout)
        for member, value in members.items():
            result[member] = value
        return self.write(name, json.dumps(result))

    def test_runs_that_are_over_stand_beside(self):
        self.over("slow.json", chip="h200", seconds=40e-6, seconds_per_iteration=20e-6,
                  metrics={"measured": True, "device_seconds": 40e-6})
        self.over("paper.json", chip="h100", seconds_per_iteration=50e-6,
                  metrics={"published": True, "measured": True})
        self.over("before.json")

        words = ["timed.lua", "--chips", BOTH, "--beside", "slow.json",
                 "--beside", "paper.json", "--beside", "before.json"]
        rows, result = self.rows(*words)
        text = self.compare(*words)

        self.assertEqual([(row["chip"], row["run"], row["origin"]) for row in rows],
                         [("wormhole_n300", "wormhole_n300", "simulated"),
                          ("wse2", "wse2", "simulated"),
                          ("h200", "slow", "measured"), ("h100", "paper", "published"),
                          ("wormhole_n300", "before", "earlier")])
        self.assertEqual([round(row["times_faster"], 9) for row in rows],
                         [1, 0.5, 0.25, 0.1, 1])
        self.assertEqual(result["check"]["status"], "pass")
        self.assertRegex(text, r"\nslow \(measured\) +- +2 +- +- +20 us +0\.25 ")
        self.assertRegex(text, r"\npaper \(published\) +- +2 +- +- +50 us +0\.1 ")

    def test_another_size_of_a_run_that_is_over_is_told(self):
        run = json.loads(self.gridloom(
            "run", "dot", "nx=64", "ny=16", "nz=2", "--json", "-", "-q").stdout)
        run["parameters"]["nz"] = 5
        run["metrics"].update(measured=True, note="all of it fits into L2")
        self.write("five.json", json.dumps(run))

        text = self.compare("dot", "--chips", "wormhole_n300", "nx=64", "ny=16", "nz=2",
                            "--beside", "five.json")

        self.assertEqual(re.findall(r"differs (.*)", text),
                         ["nz 5, not 2: another problem than above"])
        self.assertEqual(re.findall(r"note    (.*)", text), ["all of it fits into L2"])

    def test_a_gpu_is_beside_with_its_result_for_the_same_problem(self):
        words = ["nx=64", "ny=16", "nz=2"]
        run = json.loads(self.gridloom("run", "dot", *words, "--json", "-", "-q").stdout)
        for name, seconds, members in (
                ("slow", 4e-6, {}), ("fast", 2e-6, {}), ("longer", 1e-6, {"iterations": 7}),
                ("other", 1e-9, {"dtype": "bf16"}), ("larger", 1e-9, {"nz": 3})):
            made = json.loads(json.dumps(run))
            made.update(chip="h200", seconds_per_iteration=seconds, iterations=members.pop("iterations", 1))
            made["parameters"].update(members)
            made["metrics"]["measured"] = True
            self.write(f"tree/traces/gpu/h200-{name}.json", json.dumps(made))
        self.environment["GRIDLOOM_PATH"] = self.path("tree")

        def row(*more):
            done = self.gridloom("compare", "dot", "--chips", "wormhole_n300", *words[:2],
                                 *(more or words[2:]), "--beside", "h200", "--json", "-", "-q")
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)["metrics"]["chips"][1], done.stderr

        found, said = row()
        self.assertEqual((found["chip"], found["run"], found["origin"], found["differs"], said),
                         ("h200", "h200-fast", "measured", None, ""))
        found, said = row("nz=2", "dtype=bf16")
        self.assertEqual((found["run"], said), ("h200-other", ""))
        os.remove(self.path("tree/traces/gpu/h200-other.json"))
        found, said = row("nz=2", "dtype=bf16")
        self.assertEqual((found["run"], found["differs"]), ("h200-fast", "dtype fp32, not bf16"))
        self.assertEqual(said, "gridloom: h200-fast: dtype fp32, not bf16: another problem than on "
                               "wormhole_n300\n")
        found, said = row("nz=4")
        self.assertEqual((found["run"], found["origin"], found["code"], found["seconds"]),
                         ("h200", "none", 0, None))
        self.assertRegex(said, r"\Agridloom: h200: traces/gpu has no result for dot of 64x16x4 in fp32; "
                               r"tools/gpu/measure --like measures it, [^\n]*\n\Z")
        done = self.gridloom("compare", "dot", "--chips", "wormhole_n300", *words, "--beside", "h200",
                             "--beside", "h200")
        self.assertEqual((done.returncode, done.stderr), (INPUT, "gridloom: --beside: h200 is there twice\n"))

    def test_out_has_everything(self):
        self.over("over.json", chip="h200", metrics={"measured": True})
        self.compare("timed.lua", "--chips", BOTH, "--beside", "over.json", "--out", "all")

        folder = pathlib.Path(self.path("all"))
        names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.*"))
        self.assertEqual(names, ["compare.csv", "compare.json", "compare.svg", "report.html",
                                 "wormhole_n300/report.html", "wormhole_n300/result.json",
                                 "wormhole_n300/trace.pftrace", "wse2/report.html",
                                 "wse2/result.json", "wse2/trace.pftrace"])
        page = (folder / "report.html").read_text()
        for chip in ("wormhole_n300", "wse2", "h200"):
            self.assertIn(f'"chip":"{chip}"', page)
        self.assertEqual(len(json.loads((folder / "compare.json").read_text())
                             ["metrics"]["chips"]), 3)

    def test_out_of_cases_has_a_folder_for_each(self):
        self.compare("timed.lua", "--chips", "wse2", "--over", "us=1,2", "--out", "all")

        self.assertEqual([json.loads(self.read(f"all/wse2-{i}/result.json"))
                          ["parameters"]["us"] for i in (1, 2)], [1, 2])

    def test_runs_that_cannot_stand_beside_are_refused(self):
        self.over("other.json", workload="dot")
        self.over("same.json")
        self.over("newer.json", schema_version=2)
        self.write("file", "")
        for words, says in [
                (["--beside", "other.json"], "--beside other.json: a run of 'dot', not of 'timed'"),
                (["--beside", "same.json", "--beside", "same.json"], "--beside: same is there twice"),
                (["--beside", "newer.json"], "newer.json: a result of a newer gridloom than this one"),
                (["--beside", "same.json", "--over", "us=1,2"],
                 "--beside: a run that is over does not go with --over"),
                (["--out", "file/x"], "--out file/x: Not a directory")]:
            with self.subTest(words=words):
                self.compare("timed.lua", "--chips", BOTH, *words, status=INPUT,
                             says=f"gridloom: {says}\n")
        done = self.gridloom("compare", "timed.lua", "--chips", BOTH, "--beside", "h201-pcg")
        self.assertEqual(done.returncode, INPUT)
        self.assertRegex(done.stderr, r"^gridloom: h201-pcg: no such run; known are .*h100-published-pcg")

    def test_bad_input_is_refused_before_anything_runs(self):
        for says, words in (
                (["no script"], []),
                (["no chips", "--chips A,B", "wse2"], ["timed.lua"]),
                (["nonsense.lua", "no such script"], ["nonsense.lua", "--chips", BOTH]),
                (["wse9", "no such chip", "wse2"], ["timed.lua", "--chips", "wse2,wse9"]),
                (["--chips", "wse2 is there twice"], ["timed.lua", "--chips", "wse2,wse2"]),
                (["wse3:us=1", "no such chip", BOTH.replace(",", ", ")], ["timed.lua", "--chips", BOTH, "wse3:us=1"]),
                (["us=1", "--over varies us"], ["timed.lua", "--chips", BOTH, "us=1", "--over", "us=1,2"]),
                (["at most one", "standard output"], ["timed.lua", "--chips", BOTH, "--csv", "-", "--json", "-"]),
                (["x.png", ".svg"], ["timed.lua", "--chips", BOTH, "-o", "x.png"]),
                (["no/x.csv"], ["timed.lua", "--chips", BOTH, "--csv", "no/x.csv"]),
                (["--nonsense", "--help"], ["timed.lua", "--chips", BOTH, "--nonsense"])):
            with self.subTest(words):
                self.assertFails(INPUT, says, "compare", *words)

    def test_pcg_on_both_chips_is_one_command(self):
        sizes = {"NX": "64,128", "NY": "16,16", "NZ": "2", "ITERATIONS": "2", "GRIDLOOM": gridloom.PROGRAM}
        done = subprocess.run([f"{gridloom.SOURCE}/workloads/experiments/pcg_chips.sh", "out"], cwd=self.folder,
                              env={**self.environment, **sizes}, capture_output=True, encoding="utf-8", check=False)

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        rows = list(csv.DictReader(io.StringIO(self.read("out/pcg_chips.csv"))))
        self.assertEqual([(row["nx"], row["ny"], row["chip"]) for row in rows],
                         [(nx, "16", chip) for nx in ("64", "128") for chip in BOTH.split(",")])
        for row in rows:
            self.assertAlmostEqual(float(row["quantity"]), float(row["device_seconds"]) / 2, delta=1e-12)
        texts = [text.text for text in xml.fromstring(self.read("out/pcg_chips.svg")).iter(SVG + "text")]
        self.assertIn("nx, with ny = 16, 16", texts)

    def test_help_states_the_rules(self):
        text = self.compare("--help")

        for words in ("--chips=A,B", "--over=NAME=VALUE", "from 50 % on", "the worst of the runs"):
            self.assertIn(words, text)


if __name__ == "__main__":
    unittest.main()
