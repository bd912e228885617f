"""gridloom validate: suites of published figures, judged row by row."""
import json
import os
import unittest

import gridloom
from gridloom import CHECK, DONE, INPUT

HEADER = ("source,case,quantity,unit,published,tolerance,kind,pace,run,base_run,field,scale,"
          "combine,note\n")
# A workload that takes a set time and counts its runs.
TIMED = gridloom.workload(
    'host.measure(function() host.sleep(p.us * 1e-6) end, 2)\n'
    '        host.metric("parts", { a = 1, b = 2.5 })\n'
    '        if p.is_wrong then host.check { error = 2, tolerance = 1, reference = "a test" } end',
    parameters='{ name = "us", type = "integer", default = 1, min = 1, max = 100, help = "h" },'
               '{ name = "is_wrong", type = "switch", default = false, help = "h" }')
GOOD = ("paper Table 1,two,time per iteration,us,10.5,10 %,calibrated,quick,timed.lua us=20,,"
        "seconds_per_iteration,1e6,value,\n"
        "paper Table 1,\"ratio, of two\",time,x,2,0.1,predicted,quick,timed.lua us=20,timed.lua us=10,"
        "seconds,,ratio,\n"
        "paper Fig. 2,gain,speedup,%,103,5,predicted,quick,timed.lua us=10,timed.lua us=20,"
        "seconds,,gain,\n"
        "paper Fig. 2,sum,sum,1,3.5,0,predicted,quick,timed.lua us=10,,"
        "metrics.parts.a+metrics.parts.b,,value,\n"
        "paper Fig. 2,seen,time,us,99,-,predicted,quick,timed.lua us=10,,seconds,1e6,value,\n"
        "paper Fig. 3,slow,time,us,50,1 %,predicted,long,timed.lua us=50,,seconds,1e6,value,\n"
        "paper Fig. 3,gpu,time,us,7,-,context,quick,,,,,value,another machine\n")

# Rows that run on a part of their case unless all of it is asked for.
FULL_HEADER = HEADER.replace("note\n", "note,extent,full_run,full_base_run,full_extent\n")
FULL = ("paper Table 4,grid,time,us,42,5 %,predicted,quick,timed.lua us=10,,seconds*40/parameters.us,1e6,"
        "value,,on a slice,timed.lua us=50,,as a whole\n"
        "paper Table 4,other grid,time,us,32,25 %,predicted,quick,timed.lua us=10,,4*seconds,1e6,"
        "value,,on a slice,,,\n"
        "paper Table 4,both,time,%,0,15,predicted,quick,,,,,mean_error,,,,,\n"
        "paper Fig. 4,efficiency,rate,%,98,3,predicted,quick,timed.lua us=10,timed.lua us=10,1/seconds,"
        "100,ratio,,on slices,timed.lua us=50,timed.lua us=49,as a whole\n")
# The wafer's stencil, as far as its suite reads it: it takes 1 % longer than the paper says.
STENCIL = gridloom.workload(
    """assert(not host.is_functional and p.nx % 5 == 0 and (p.ny % 5 == 0 or p.ny % 5 == 4))
        local is_slice = p.grain == "wavelet" and p.nx == 25 and p.ny < 30 and p.steps == 6
        assert(is_slice or p.grain == "auto" and p.nx >= 200 and p.steps == 3)
        local us = { [100] = 8.637, [200] = 16.133, [300] = 23.716, [400] = 31.223, [500] = 38.342,
            [700] = 53.143, [1000] = 75.524 }
        host.measure(function() host.sleep(1e-3) end)
        host.metric("cycles_per_step_steady", 850 * us[p.nz] * 1.01)
        local blocks = (p.nz + 399) // 400
        host.metric("block", (p.nz + blocks - 1) // blocks)
        host.metric("idle_watts", 16100)
        host.metric("interior_busy_cycles_per_step", 595 * us[p.nz])
        host.metric("interior_memory_idle_cycles_per_step", 102 * us[p.nz])
        for kind, counts in pairs { executed = { 20, 20, 8, 1, 57, 20 }, required = { 17, 17, 8, 1, 51, 17 } } do
            for i, name in ipairs { "fmul", "fadd", "fma", "fsub", "flop", "ramp_words" } do
                host.metric(kind .. "_" .. name, counts[i])
            end
        end
        host.metric("busy_deviation", 0.009)
        host.metric("corner_busy_cycles_per_step", 0)
        host.metric("executed_memory_words", 112)""",
    parameters='{ name = "corners", type = "text", default = "work", help = "h" },' + ",".join(f'{{ name = "{name}", type = "integer", default = 1, help = "h" }}'
                        for name in ("nx", "ny", "nz", "steps"))).replace("tensix", "wse")


class Validate(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.write("timed.lua", TIMED)

    def suite(self, rows, name="tiny.csv"):
        return self.write(name, HEADER + rows)

    def rows(self, *words, status=DONE):
        done = self.gridloom("validate", *words, "--json", "-")
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        result = json.loads(done.stdout)
        return {row["case"]: row for row in result["rows"]}, result

    def test_a_quick_validation_judges_every_row_but_the_long_ones(self):
        rows, result = self.rows(self.suite(GOOD), "--quick")

        self.assertEqual([row["status"] for row in rows.values()],
                         ["pass", "pass", "pass", "pass", "skipped", "skipped"])
        self.assertAlmostEqual(rows["two"]["simulated"], 10)
        self.assertAlmostEqual(rows["two"]["error"], 100 * (10 / 10.5 - 1))
        self.assertEqual(rows["two"]["tolerance"], 10)
        self.assertEqual((rows["two"]["kind"], rows["gain"]["kind"]), ("calibrated", "predicted"))
        self.assertAlmostEqual(rows["ratio, of two"]["simulated"], 2)
        self.assertAlmostEqual(rows["gain"]["error"], -3)
        self.assertEqual(rows["sum"]["simulated"], 3.5)
        self.assertIsNone(rows["slow"]["simulated"])
        self.assertEqual(rows["slow"]["why"], "left out by --quick")
        self.assertAlmostEqual(rows["seen"]["simulated"], 10)
        self.assertIsNone(rows["seen"]["tolerance"])
        self.assertEqual(result["metrics"]["context"][0]["published"], 7)
        self.assertEqual((result["workload"], result["chip"], result["schema_version"]),
                         ("validate", "wormhole_n300", 1))
        self.assertEqual(result["check"]["status"], "pass")

    def test_a_whole_validation_runs_the_long_rows_too(self):
        rows, _ = self.rows(self.suite(GOOD))

        self.assertEqual(rows["slow"]["status"], "pass")

    def test_the_table_shows_both_values_and_the_kind(self):
        text = self.succeed("validate", self.suite(GOOD), "--quick").stdout

        self.assertRegex(text, r"two +time per iteration +10.5 us +10 us +-4.76 % +10 % +calibrated +pass")
        self.assertRegex(text, r"gain +speedup +103 % +100 % +-3.00 points +5 points +predicted +pass")
        self.assertRegex(text, r"seen .* not judged +predicted +skipped")
        self.assertIn("for comparison: paper Fig. 3, gpu: time 7 us; another machine", text)
        self.assertIn("4 rows within their tolerance, 0 not, 1 not judged, 1 not run "
                      "(--quick leaves out the long ones)", text)
        self.assertNotRegex(text, r": \n")  # a row without a note has no line for it
        alone = self.suite(GOOD.split("\n")[0] + "\n", "alone.csv")
        self.assertRegex(self.succeed("validate", alone).stdout, r"10 % +calibrated +pass")

    def test_a_row_outside_its_tolerance_fails(self):
        bad = GOOD.replace("us,10.5,10 %", "us,11.2,10 %")

        rows, result = self.rows(self.suite(bad), "--quick", status=CHECK)

        self.assertEqual(rows["two"]["status"], "fail")
        self.assertEqual(rows["gain"]["status"], "pass")
        self.assertEqual(result["check"]["status"], "fail")
        self.assertEqual(result["metrics"]["failed"], 1)

    def test_a_run_that_fails_fails_its_rows_alone(self):
        cases = (("timed.lua us=20", "nosuch", "no such script"),
                 ("timed.lua us=20", "timed.lua us=2000", "us"),
                 ("timed.lua us=20", "timed.lua is_wrong=on", "check failed"),
                 ("seconds_per_iteration", "metrics.nothing", "no number metrics.nothing"))
        for old, new, why in cases:
            rows, _ = self.rows(self.suite(GOOD.replace(old, new, 1)), "--quick", status=CHECK)

            self.assertEqual(rows["two"]["status"], "fail")
            self.assertIsNone(rows["two"]["simulated"])
            self.assertIn(why, rows["two"]["why"])
            self.assertEqual(rows["sum"]["status"], "pass")

    def test_a_suite_that_validates_itself_ends(self):
        path = self.write("again.csv", HEADER + 2 * (
            "paper,again,time,us,1,-,predicted,quick,gridloom validate again.csv,,seconds,,value,\n"))
        done = self.gridloom("validate", path)

        self.assertEqual((done.returncode, done.stderr), (CHECK, ""))
        self.assertIn("failed: again: gridloom validate again.csv: a validation runs no validations", done.stdout)

    def test_a_row_may_be_a_whole_command_line(self):
        row = 's,{0},q,1,{1},{2},predicted,quick,"{3}",,{4},,value,\n'
        line = "gridloom noc transfer --op write --to L:1,1 --bytes 64"
        suite = self.suite(row.format("time", 1, "-", line, "cycles") +
                           row.format("bytes", 64, 0, line, "metrics.bytes") +
                           row.format("place", 1, 0, line, "metrics.core_cycles.0.core.1") +
                           row.format("run", 2.5, 0, "gridloom run timed.lua us=3", "metrics.parts.b"))

        rows, result = self.rows(suite, "--threads", "2")

        self.assertEqual([row["status"] for row in rows.values()], ["skipped"] + ["pass"] * 3)
        self.assertGreater(rows["time"]["simulated"], 100)
        self.assertEqual(result["metrics"]["runs"], 2)
        for line in ("gridloom", "gridloom nosuch"):
            suite = self.suite(row.format("time", 1, 0, line, "cycles"))
            self.assertFails(gridloom.INPUT, [line, "no command for a line of a file"], "validate", suite)
        for line, why in (("gridloom noc transfer", "no --op"), ("'", "quot")):
            rows, _ = self.rows(self.suite(row.format("time", 1, 0, line, "cycles")), status=CHECK)
            self.assertEqual(rows["time"]["status"], "fail")
            self.assertIn(why, rows["time"]["why"])

    def test_a_word_passes_where_it_is_the_same(self):
        self.write("says.lua", gridloom.workload(
            'host.metric("bound", "memory") host.metric("is_good", true) '
            'host.metric("parts", { { bound = "none" }, { bound = "compute" } }) host.metric("n", 2)'))
        row = "paper Table 3,{0},bottleneck,class,{1},{2},predicted,quick,says.lua,,{0},,value,\n"
        suite = self.suite(row.format("metrics.bound", "memory", 0) +
                           row.format("metrics.is_good", "true", 0) +
                           row.format("metrics.parts.1.bound", "compute", 0) +
                           row.format("workload", "says", 0) +
                           row.format("chip", "other", "-"))

        rows, result = self.rows(suite)

        self.assertEqual([row["status"] for row in rows.values()], ["pass"] * 4 + ["skipped"])
        self.assertEqual((rows["metrics.bound"]["published"], rows["metrics.bound"]["simulated"]),
                         ("memory", "memory"))
        self.assertIsNone(rows["metrics.bound"]["error"])
        self.assertEqual(rows["metrics.bound"]["tolerance"], 0)
        self.assertEqual(rows["chip"]["simulated"], "wormhole_n300")
        self.assertEqual(result["check"]["max_abs_error"], 0)
        self.assertRegex(self.succeed("validate", suite).stdout,
                         r"metrics.bound +bottleneck +memory +memory +- +the same +predicted +pass")
        for field, word, why in (("metrics.bound", "Memory", None), ("metrics.n", "2", "no text metrics.n"),
                                 ("metrics.parts.2.bound", "x", "no text metrics.parts.2.bound"),
                                 ("metrics", "x", "no text metrics"), ("nothing", "x", "no text nothing")):
            rows, result = self.rows(self.suite(row.format(field, word, 0)), status=CHECK)
            self.assertEqual(rows[field]["status"], "fail")
            if why is None:
                self.assertEqual(rows[field]["simulated"], "memory")
            else:
                self.assertIn(why, rows[field]["why"])

    def test_the_summary_has_kinds_and_suites_apart(self):
        first = self.suite(GOOD, "first.csv")
        second = self.suite(GOOD.replace("us,10.5,10 %", "us,8,30 %").replace("calibrated", "predicted"), "second.csv")

        _, result = self.rows(first, second, "--quick")
        summary = result["metrics"]["summary"]

        self.assertEqual(list(summary), ["first", "second", "all"])
        fitted = summary["first"]["calibrated"]
        self.assertEqual((fitted["rows"], fitted["passed"], fitted["errors"]), (1, 1, 1))
        self.assertAlmostEqual(fitted["mean_error"], 100 - 1000 / 10.5)
        self.assertAlmostEqual(fitted["worst_error"], 1000 / 10.5 - 100)
        self.assertEqual((fitted["worst_source"], fitted["worst_case"]), ("paper Table 1", "two"))
        others = summary["first"]["predicted"]
        self.assertEqual((others["rows"], others["passed"], others["failed"], others["not_judged"], others["not_run"]),
                         (5, 3, 0, 1, 1))
        self.assertEqual((others["errors"], others["mean_error"]), (0, None))  # in units of their own
        self.assertEqual(summary["second"]["calibrated"]["rows"], 0)
        self.assertAlmostEqual(summary["second"]["predicted"]["mean_error"], 25)
        self.assertEqual(summary["all"]["predicted"]["rows"], 11)
        self.assertAlmostEqual(summary["all"]["predicted"]["worst_error"], 25)
        self.assertEqual((result["metrics"]["skipped"], result["metrics"]["not_judged"],
                          len(result["metrics"]["context"])), (4, 2, 2))
        self.assertEqual({row["suite"] for row in result["rows"]}, {"first", "second"})

    def test_pages_and_pictures_are_written(self):
        suite = self.suite(GOOD)

        self.succeed("validate", suite, "--quick", "-q", "--html", "a.html", "-o", "a.svg")
        self.succeed("validate", suite, "--quick", "-q", "-o", "b.html", "--json", "b.json")
        self.succeed("validate", suite, "--quick", "-q", "-o", "b.png")
        self.succeed("report", "b.json", "-q", "-o", "c.html")

        for name in ("a.html", "b.html", "c.html"):
            with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                page = file.read()
            self.assertIn("gridloom.validation", page)
            self.assertIn("paper Table 1", page)
            self.assertNotRegex(page, r"<(script|link|img)[^>]* (src|href)=.?http")
        with open(os.path.join(self.folder, "a.svg"), encoding="utf-8") as file:
            picture = file.read()
        for text in ("published", "simulated", "tiny, calibrated", "tiny, predicted", "the same", "10 % more"):
            self.assertIn(text, picture)
        self.assertGreater(os.path.getsize(os.path.join(self.folder, "b.png")), 1000)

    def test_wrong_outputs_are_known_before_any_run(self):
        suite = self.suite(GOOD.replace("timed.lua us=20", "nosuch"))
        self.assertFails(INPUT, ["no/such"], "validate", suite, "--html", "no/such/x.html")
        self.assertFails(INPUT, ["x.txt", ".svg"], "validate", suite, "-o", "x.txt")
        self.assertFails(INPUT, ["at most one page is written"], "validate", suite, "-o", "x.html", "--html", "y.html")

    def test_jobs_change_nothing_but_the_speed(self):
        def told(*words):
            rows, result = self.rows(self.suite(GOOD), *words)
            return list(rows.items()), result["metrics"]

        self.assertEqual(told("--jobs", "1"), told("--jobs", "4"))
        self.assertFails(INPUT, ["--jobs = 0, allowed is a whole number in 1..256"], "validate",
                         self.suite(GOOD), "--jobs", "0")

    def test_a_slice_says_so_and_the_whole_case_is_run_when_asked_for(self):
        suite = self.write("tiny.csv", FULL_HEADER + FULL)

        part, result = self.rows(suite)
        whole, full = self.rows(suite, "--full", "--threads", "2")

        self.assertAlmostEqual(part["grid on a slice"]["simulated"], 40)
        self.assertEqual(part["grid on a slice"]["run"], "timed.lua us=10")
        self.assertAlmostEqual(part["efficiency on slices"]["simulated"], 100)
        self.assertEqual((result["metrics"]["runs"], result["metrics"]["is_full"]), (1, False))
        self.assertAlmostEqual(whole["grid as a whole"]["simulated"], 40)
        self.assertEqual(whole["grid as a whole"]["run"], "timed.lua us=50")
        self.assertAlmostEqual(whole["efficiency as a whole"]["simulated"], 98)
        self.assertEqual(whole["efficiency as a whole"]["base_run"], "timed.lua us=49")
        self.assertEqual(whole["other grid on a slice"]["run"], "timed.lua us=10")
        self.assertEqual((full["metrics"]["runs"], full["metrics"]["is_full"]), (3, True))
        self.assertIn("grid on a slice", self.succeed("validate", suite).stdout)
        self.assertIn("; 1 runs in ", self.succeed("validate", suite).stdout)

    def test_the_mean_of_errors_is_a_row(self):
        rows, _ = self.rows(self.write("tiny.csv", FULL_HEADER + FULL))
        strict, _ = self.rows(self.write("tiny.csv", FULL_HEADER + FULL.replace("%,0,15", "%,0,14")),
                              status=CHECK)

        self.assertAlmostEqual(rows["both"]["simulated"], (100 - 100 * 40 / 42 + 25) / 2)
        self.assertEqual(rows["both"]["status"], "pass")
        self.assertEqual(strict["both"]["status"], "fail")

    def test_a_mean_lacks_what_its_rows_lack(self):
        long = FULL_HEADER + FULL.replace("5 %,predicted,quick", "5 %,predicted,long", 1)
        broken = FULL_HEADER + FULL.replace("seconds*40", "nothing*40")

        rows, _ = self.rows(self.write("tiny.csv", long), "--quick")
        without, _ = self.rows(self.write("tiny.csv", broken), status=CHECK)

        self.assertEqual(rows["both"]["status"], "skipped")
        self.assertEqual(rows["both"]["why"], "grid: left out by --quick")
        self.assertEqual(without["both"]["status"], "fail")
        self.assertIn("no number nothing", without["both"]["why"])
        self.assertEqual(without["efficiency on slices"]["status"], "pass")

    def test_options_that_contradict_are_refused(self):
        self.assertFails(INPUT, ["--quick and --full"], "validate", self.suite(GOOD), "--quick",
                         "--full")
        self.assertFails(INPUT, ["--threads = 0, allowed is a whole number in 1..256"], "validate", self.suite(GOOD),
                         "--threads", "0")

    def test_suites_are_found_by_name_and_without_one_all_run(self):
        self.suite(GOOD, "traces/reference/first.csv")
        self.environment["GRIDLOOM_PATH"] = self.folder

        rows, result = self.rows("first", "--quick")

        self.assertEqual(result["metrics"]["suites"], ["first"])
        self.assertIn("two", rows)

    def test_an_unknown_suite_lists_the_known_ones(self):
        self.assertFails(INPUT, ["nosuch: no such suite; known are", "wormhole"],
                         "validate", "nosuch")

    def test_a_malformed_suite_is_one_line(self):
        cases = ((HEADER + "a,b\n", "tiny.csv:2: 2 fields, expected 14 as in the first line"),
                 (HEADER + GOOD.replace("calibrated", "guessed"), "tiny.csv:2: kind = 'guessed'"),
                 ("x,y\n", "tiny.csv: no column source"),
                 ("", "tiny.csv:1: the file is empty"),
                 (b"\xff\xfe", "tiny.csv:1: not UTF-8 text"))
        for text, says in cases:
            self.assertFails(INPUT, [says], "validate", self.write("tiny.csv", text))

    def test_a_target_that_cannot_be_written_is_known_before_any_run(self):
        self.assertFails(INPUT, ["no/such/folder"], "validate", self.suite(GOOD), "--json",
                         "no/such/folder/x.json")

    def test_the_shipped_suites_can_be_read(self):
        self.assertIn("wormhole", self.succeed("validate", "--help").stdout)
        done = self.gridloom("validate", "wormhole", "--quick", "--json", "-")
        rows = json.loads(done.stdout)["rows"]

        self.assertIn(done.returncode, (DONE, CHECK))
        self.assertTrue(all(row["source"].startswith("2603.23343") for row in rows))
        totals = [row for row in rows if row["case"].startswith("PCG") and row["unit"] == "ms"]
        self.assertEqual(sum("mechanism alone" in row["case"] for row in totals), 2)
        for row in totals:
            if "mechanism alone" in row["case"]:
                self.assertEqual((row["kind"], row["tolerance"]), ("predicted", 10))
        self.assertEqual(sum("incl. unattributed constant" in row["case"] for row in totals), 2)

    def wafer(self, *words, status=CHECK):
        """The wafer's rows by source, case without extent, and quantity, with a stencil that is not
        simulated: rows that need a simulation fail."""
        self.write("workloads/stencil25.lua", STENCIL)
        self.environment["GRIDLOOM_PATH"] = self.folder
        done = self.gridloom("validate", "wse2", *words, "--json", "-")
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        result = json.loads(done.stdout)
        return {(row["source"].split(" ", 1)[1], row["case"].split(" ")[0], row["quantity"]): row
                for row in result["rows"]}, result["metrics"]

    def assertWafer(self, rows):
        """Values follow from times 1 % above those of Table III."""
        step = 1.01 * 75.524e-6
        expected = {("Table III", "755x994x700", "time of 100000 steps"): 5.3143 * 1.01,
                    ("Table III", "755x994x1000", "block size"): 334,
                    ("Table III", "755x994x500", "block size"): 250,
                    ("Table II", "200x200x1000", "time of 1000 steps"): step * 1000,
                    ("Table II", "755x900x1000", "throughput"): 755 * 900 * 1e-6 / step,
                    ("abstract", "755x994x1000", "performance"): 51 * 755 * 994 * 1e-9 / step,
                    ("Fig. 8", "600x600x1000", "speedup over an A100"): 8 / (1000 * step),
                    ("Fig. 9", "755x994x1000", "weak-scaling efficiency"): 100,
                    ("sec. V.C", "755x994x1000", "time of 10^7 steps"): step * 1e7,
                    ("sec. V.C", "600x600x1000", "busy cycles"): 70 / 1.01,
                    ("sec. V.C", "600x600x1000", "idle for memory"): 12 / 1.01,
                    ("sec. V.C", "600x600x1000", "idle otherwise"): 100 - 82 / 1.01,
                    ("sec. V.C", "600x600x1000", "standard deviation of busy cycles"): 0.9,
                    ("sec. V.C", "600x600x1000", "busy cycles of PEs in the corners"): 0,
                    ("sec. VI", "755x994x100", "executed FMUL"): 20,
                    ("Table IV", "755x994x100", "required FADD"): 17,
                    ("sec. VI", "755x994x100", "executed FLOP"): 57,
                    ("sec. VI", "755x994x100", "required words from the fabric"): 17}
        for key, value in expected.items():
            self.assertAlmostEqual(rows[key]["simulated"], value, delta=1e-9 * value, msg=key)
            self.assertEqual(rows[key]["status"], "pass", key)
        calibrated = {key for key, row in rows.items() if row["kind"] == "calibrated"}
        self.assertEqual({key[0] + " " + key[2] for key in calibrated if key[1] != "755x994x1000"}, {
            "Table III time of 100000 steps", "Table III block size", "sec. V.C busy cycles",
            "sec. V.C idle for memory", "sec. V.C idle otherwise"})
        # The largest grid is Table III's last row, which was fitted to.
        self.assertEqual({key for key in rows if key[1] == "755x994x1000"} - calibrated, set())
        self.assertEqual({key[2] for key, row in rows.items() if row["status"] == "fail"}, {
            "mean power", "efficiency", "energy of 10^7 steps"})

    def test_the_wafers_rows_run_on_slices_that_they_share(self):
        rows, metrics = self.wafer()

        self.assertWafer(rows)
        self.assertEqual(metrics["runs"], 9)
        self.assertEqual(rows["Table II", "755x994x1000", "throughput"]["case"],
                         "755x994x1000 on a 25x29 slice, steps 2-6")
        self.assertEqual(rows["Table II", "8", "time of 1000 steps"]["status"], "pass")

    def test_the_wafers_whole_grids_run_when_asked_for(self):
        rows, metrics = self.wafer("--full")

        self.assertWafer(rows)
        self.assertEqual(metrics["runs"], 15)
        for (_, case, _), row in rows.items():
            if row["run"]:
                nx, ny, nz = case.split("x")
                self.assertIn(f"nx={nx} ny={ny} nz={nz} steps=3 grain=auto", row["run"])
                self.assertRegex(row["case"], f"^{case} as a whole, steps [12]-3$")

    def test_the_wafers_quick_rows_are_some_of_all(self):
        rows, metrics = self.wafer("--quick", status=DONE)

        self.assertEqual(metrics["runs"], 3)
        self.assertEqual({row["status"] for row in rows.values()}, {"pass", "skipped"})


if __name__ == "__main__":
    unittest.main()
