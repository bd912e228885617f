"""gridloom validate: suites of published figures, judged row by row."""
import json
import unittest

import gridloom
from gridloom import CHECK, DONE, INPUT

HEADER = ("source,case,quantity,unit,published,tolerance,kind,pace,run,base_run,field,scale,"
          "combine,note\n")
# A workload that takes a set time and counts how often it was run.
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
        self.assertIn("4 rows within their tolerance, 0 not, 2 not judged or left out "
                      "(--quick leaves out the long ones)", text)

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
        self.assertEqual(sum("declared constant" in row["case"] for row in totals), 2)


if __name__ == "__main__":
    unittest.main()
