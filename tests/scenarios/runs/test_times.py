"""Times that follow from the chip file, and checks of computed numbers."""
import json
import unittest

import gridloom
from gridloom import CHECK, SMALL

LATENCY_SECONDS = 1342e-9
UPLOAD_24_MB = 'host.metric("seconds", host.upload(host.buffer(24000000), 0))'
WRONG = """
        local sent, received = host.buffer(64), host.buffer(64)
        local here, there = host.allocate(64), host.allocate(64)
        sent:fill(1)
        host.upload(sent, here)
        host.download(there, received)
        host.check_equal(sent, received, "what was sent")"""


class Times(gridloom.Scenario):
    def assertSeconds(self, seconds, expected):
        self.assertAlmostEqual(seconds, expected, delta=1e-15)

    def test_24_megabytes_at_24_gigabytes_a_second_take_a_millisecond(self):
        metrics = self.metrics(UPLOAD_24_MB)

        self.assertSeconds(metrics["seconds"], LATENCY_SECONDS + 1e-3)
        self.assertSeconds(metrics["transfer_seconds"], LATENCY_SECONDS + 1e-3)

    def test_the_cycles_of_a_run_are_its_seconds_by_the_clock(self):
        result = self.result(self.script(UPLOAD_24_MB))

        self.assertEqual(result["cycles"], 1001342)
        self.assertSeconds(result["seconds"], LATENCY_SECONDS + 1e-3)

    def test_set_changes_the_time_exactly_and_is_on_record(self):
        script = self.script(UPLOAD_24_MB)
        key = "pcie.host_to_device_bytes_per_second"

        usual = self.result(script)
        slow = self.result(script, "--set", f"{key}=12000000000")

        self.assertSeconds(slow["metrics"]["seconds"], LATENCY_SECONDS + 2e-3)
        self.assertEqual(slow["overrides"], {key: "12000000000"})
        self.assertEqual(usual["overrides"], {})
        self.assertNotEqual(slow["chip_digest"], usual["chip_digest"])

    def test_measure_and_zones_take_their_part_of_the_time(self):
        result = self.result(self.script("""
        host.sleep(1e-3)
        host.measure(function()
            host.zone("a", function() host.sleep(2e-6) end)
            host.zone("b", function() host.sleep(1e-6) end)
            host.zone("a", function() host.sleep(1e-6) end)
        end, 4)"""))

        self.assertEqual((result["cycles"], result["iterations"]), (4000, 4))
        self.assertEqual(result["cycles_per_iteration"], 1000)
        self.assertSeconds(result["seconds_per_iteration"], 1e-6)
        self.assertSeconds(result["zones"]["a"], 3e-6)
        self.assertSeconds(result["zones"]["b"], 1e-6)

    def test_timing_only_gives_the_same_cycles_and_no_check(self):
        full = self.result("transfer", *SMALL)
        timed = self.result("transfer", *SMALL, "--timing-only")

        self.assertEqual((timed["check"]["status"], timed["check"]["reference"]),
                         ("skipped", "a timing-only run makes no check"))
        for part in ("cycles", "seconds", "counters", "zones", "metrics", "stalls"):
            self.assertEqual(timed[part], full[part], part)

    def test_timing_only_needs_no_memory_for_data(self):
        metrics = self.metrics(
            'host.metric("seconds", host.upload(host.buffer(12 << 30), 0))',
            "--timing-only")

        self.assertSeconds(metrics["seconds"], LATENCY_SECONDS + (12 << 30) / 24e9)

    def test_a_wrong_result_exits_with_4_and_says_so_in_one_line(self):
        script = self.script(WRONG)

        failed = self.gridloom("run", script, "--json", "r.json", "-q")

        self.assertEqual(failed.returncode, CHECK)
        self.assertEqual(failed.stdout, "")
        self.assertRegex(failed.stderr, r"\Agridloom: script.lua: check failed, max "
                         r"error \d+ above tolerance 0, against what was sent\n\Z")
        check = json.loads(self.read("r.json"))["check"]
        self.assertEqual((check["status"], check["reference"]),
                         ("fail", "what was sent"))
        self.assertGreater(check["max_abs_error"], 0)

    def test_the_worst_of_several_checks_counts(self):
        script = self.script("""
        host.check { error = 1, tolerance = 2, reference = "good" }
        host.check { error = 0 / 0, tolerance = 1e300, reference = "not a number" }
        host.check { error = 0, tolerance = 0, reference = "perfect" }""")

        failed = self.gridloom("run", script, "--json", "-")

        self.assertEqual(failed.returncode, CHECK)
        self.assertEqual(json.loads(failed.stdout)["check"],
                         {"status": "fail", "max_abs_error": None, "tolerance": 1e300,
                          "reference": "not a number"})

    def test_a_run_without_a_check_says_that_it_made_none(self):
        script = self.script("host.sleep(1)")

        check = self.result(script)["check"]
        shown = self.succeed("run", script).stdout

        self.assertEqual((check["status"], check["reference"]),
                         ("skipped", "the script made no check"))
        self.assertIn("  check      skipped: the script made no check\n", shown)


if __name__ == "__main__":
    unittest.main()
