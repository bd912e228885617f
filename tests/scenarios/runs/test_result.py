"""gridloom run: the result object, its files, and the same bytes every time."""
import json
import os
import re
import unittest

import gridloom
from gridloom import SMALL, TRANSFER

EXPECTED = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "expected/transfer_small.json")
SCHEMA = {
    "schema_version": int, "gridloom": str, "workload": str, "chip": str,
    "parameters": dict, "overrides": dict, "seed": int, "chip_digest": str, "given": dict,
    "cycles": int, "seconds": float, "iterations": int, "cycles_per_iteration": float,
    "seconds_per_iteration": float, "counters": dict, "busy": dict, "stalls": dict,
    "zones": dict, "metrics": dict, "energy_joules": (type(None), float), "roofs": list,
    "check": dict, "chip_parameters": list, "host": dict}
PARTS = {
    "counters": dict.fromkeys(["flops", "sram_bytes", "noc_bytes", "dram_bytes"], int),
    "metrics": dict.fromkeys(
        ["host_seconds", "transfer_seconds", "launch_seconds", "device_seconds",
         "measured_launch_seconds"], float),
    "check": {"status": str, "max_abs_error": float, "tolerance": float,
              "reference": str},
    "host": {"wall_seconds": float, "events": int, "events_per_second": float,
             "peak_rss_bytes": int, "threads": int}}
ROOF = {"name": str, "unit": str, "value": float, "source": str}
PAIRS = """
        local t = { one = 1, two = {}, [3] = "drei", [print] = 4, [true] = 5, [1.5] = 6 }
        for i = 1, 40 do t["key" .. i * 7 % 41] = {} end
        for key, value in pairs(t) do print(key, value) end
        print(next(t), t, print, host)
        print(string.format("%s", t), tostring(function() end))"""


class Result(gridloom.Scenario):
    def assertMembers(self, members, value):
        for name, kind in members.items():
            self.assertIsInstance(value.get(name, "missing"), kind, name)

    def small(self, *words):
        """The bytes of a small run's result, without the host's part."""
        done = self.succeed("run", "transfer", *SMALL, "--json", "-", *words)
        return gridloom.without_host(done.stdout)

    def test_transfer_passes_with_its_defaults(self):
        done = self.succeed("run", "transfer")

        self.assertIn("transfer on wormhole_n300", done.stdout)
        self.assertRegex(done.stdout, r"check +pass: max error 0, tolerance 0, against ")
        self.assertRegex(done.stdout, r"host to device +67108864 ")
        self.assertRegex(done.stdout, r"device writes host +8192 ")

    def test_parameters_are_what_the_script_made_of_them(self):
        self.write("chooses.lua", gridloom.workload(
            """p.count, p.share, p.way, p.is_fast = 7, 0.5, "short", true
        p.other = {}
        print(host.is_given("count"), host.is_given("way"), host.is_given("nosuch"))""",
            parameters='{ name = "count", type = "integer", default = 0, help = "h" },'
                       '{ name = "share", type = "number", default = 0, help = "h" },'
                       '{ name = "way", type = "text", default = "auto", help = "h" },'
                       '{ name = "is_fast", type = "switch", default = false, help = "h" },'
                       '{ name = "other", type = "integer", default = 3, help = "h" }'))
        done = self.succeed("run", "chooses.lua", "count=2", "--json", "r.json")

        self.assertIn("true\tfalse\tfalse\n", done.stdout)
        self.assertEqual({name: value for name, value in json.loads(self.read("r.json"))["parameters"].items()
                          if name in ("count", "share", "way", "is_fast", "other")},
                         {"count": 7, "share": 0.5, "way": "short", "is_fast": "on", "other": 3})

    def test_a_run_says_whether_its_measured_region_contains_launches(self):
        launch = 'host.wait(host.launch {{ name = "k", kernel = function(core) core.delay(9) end }})'
        for body, words, seconds in ((f"host.measure(function() {launch} end)", "launches included", 30e-6),
                                     (f"{launch} host.measure(function() host.sleep(1e-6) end)", "launches left out", 0)):
            self.write("launches.lua", gridloom.workload(body))
            done = self.succeed("run", "launches.lua", "--json", "r.json")

            self.assertRegex(done.stdout, rf"measured .*, {words}\n")
            self.assertAlmostEqual(json.loads(self.read("r.json"))["metrics"]["measured_launch_seconds"], seconds, delta=1e-12)

    def test_the_json_has_every_member_of_the_schema(self):
        result = self.result("transfer", *SMALL)

        self.assertEqual(list(result), list(SCHEMA))
        self.assertMembers(SCHEMA, result)
        for name, members in PARTS.items():
            self.assertMembers(members, result[name])
        self.assertMembers(ROOF, result["roofs"][0])
        self.assertMembers(dict.fromkeys(result["busy"], float), result["busy"])
        self.assertMembers(dict.fromkeys(result["stalls"], int), result["stalls"])
        self.assertEqual(result["schema_version"], 1)
        self.assertEqual(result["check"]["status"], "pass")
        self.assertRegex(result["chip_digest"], "^[0-9a-f]{64}$")
        self.assertEqual(result["parameters"]["max_bytes"], 512)

    def test_host_transfer_launch_and_device_sum_up_to_the_whole(self):
        metrics = self.metrics("""
        host.sleep(1e-3)
        host.upload(host.buffer(1000), 0)
        host.wait(host.launch {{ name = "k", kernel = function(core) core.delay(500) end }})
        host.metric("total", host.now())""")

        parts = [metrics[name] for name in PARTS["metrics"] if name != "measured_launch_seconds"]
        self.assertAlmostEqual(sum(parts), metrics["total"], delta=1e-15)
        self.assertEqual(metrics["host_seconds"], 1e-3)
        self.assertAlmostEqual(metrics["launch_seconds"], 30e-6, delta=1e-15)
        self.assertAlmostEqual(metrics["device_seconds"], 500e-9, delta=1e-15)

    def test_only_json_is_on_standard_output_when_it_is_the_target(self):
        script = self.script('print("hello")')

        done = self.gridloom("run", script, "--json", "-")

        self.assertEqual(json.loads(done.stdout)["workload"], "script")
        self.assertEqual(done.stderr, "hello\n")

    def test_json_goes_into_a_file_with_the_same_bytes(self):
        self.succeed("run", "transfer", *SMALL, "--json", "r.json", "-q")

        self.assertEqual(gridloom.without_host(self.read("r.json")), self.small())
        self.assertEqual(os.listdir(self.folder), ["r.json"])

    def test_json_may_lie_in_a_folder_that_out_makes(self):
        for out, name in (("new", "new/r.json"), ("a/b", "a/r.json"), ("./c", "c/r.json"),
                          ("d/", "d/../d/r.json")):
            with self.subTest(out):
                self.succeed("run", "transfer", *SMALL, "--out", out, "--json", name)

                self.assertEqual(self.read(name), self.read(f"{out}/result.json"))

    def test_out_writes_result_and_tables_and_says_where(self):
        done = self.succeed("run", "transfer", *SMALL, "--out", "new/results")

        self.assertEqual(sorted(os.listdir(self.path("new/results"))),
                         ["commands.csv", "dma.csv", "report.html", "result.json",
                          "trace.pftrace"])
        self.assertIn("result files: new/results/result.json, "
                      "new/results/trace.pftrace, new/results/report.html, "
                      "new/results/dma.csv, "
                      "new/results/commands.csv\n", done.stdout)
        self.assertEqual(self.read("new/results/dma.csv").splitlines()[:2],
                         ["direction,bytes,us,GB/s",
                          "host to device,32,1.34333,0.0238"])
        self.assertEqual(gridloom.without_host(self.read("new/results/result.json")),
                         self.small())

    def test_the_result_is_the_expected_one_byte_for_byte(self):
        result = gridloom.without_ledger(self.small())

        if os.environ.get("GRIDLOOM_UPDATE_EXPECTED") == "1":
            with open(EXPECTED, "w", encoding="utf-8") as file:
                file.write(result)
        with open(EXPECTED, encoding="utf-8") as file:
            self.assertEqual(result, file.read())

    def test_every_number_that_runs_depend_on_is_there_with_its_source(self):
        result = self.result("transfer", *SMALL, "--set", "noc.hop_cycles=11")
        described, silicon = self.succeed("describe", "wormhole_n300").stdout.split("[area]")
        self.assertIn("sram_mm2_per_kilobyte", silicon)
        lines = {f"{line['section']}.{line['key']}": line
                 for line in result["chip_parameters"]}

        self.assertEqual(len(lines), len(result["chip_parameters"]))
        self.assertEqual(len(lines), len(re.findall("^  [a-z]", described, re.MULTILINE)))
        self.assertEqual(lines["riscv.t1_miss_cycles_per_instruction"], {
            "section": "riscv", "key": "t1_miss_cycles_per_instruction", "value": "1.40",
            "unit": "cycles per instruction", "confidence": "measured",
            "source": "mesham/tt-sim, Wormhole card session 2026-08-17, loops beyond the instruction cache"})
        self.assertNotIn("information", {line["section"] for line in result["chip_parameters"]})
        self.assertEqual(lines["noc.hop_cycles"]["value"], "11")
        self.assertEqual(lines["noc.hop_cycles"]["confidence"], "assumed")
        self.assertEqual(list(result["overrides"]), ["noc.hop_cycles"])

    def test_two_runs_give_the_same_bytes(self):
        self.assertEqual(self.small(), self.small())

    def test_the_number_of_threads_changes_nothing_but_the_host_part(self):
        one = self.small("--threads", "1")

        for threads in ("2", "8"):
            self.assertEqual(self.small("--threads", threads), one, threads)
        result = self.result("transfer", *SMALL, "--threads", "8")
        self.assertEqual(result["host"]["threads"], 8)

    def test_a_self_check_changes_nothing(self):
        self.assertEqual(self.small("--self-check"), self.small())
        for words in (("pcg", "--chip", "wse2", "nx=4", "ny=4", "nz=8", "--threads", "2"),
                      ("dot", "--chip", "wormhole_n300")):
            self.succeed("run", *words, "--json", "plain.json")
            self.succeed("run", *words, "--json", "checked.json", "--self-check")
            plain, checked = (gridloom.without_host(self.read(name))
                              for name in ("plain.json", "checked.json"))
            self.assertEqual(checked, plain)

    def test_a_seed_decides_the_random_numbers(self):
        script = self.script("print(math.random(), math.random(1, 1000000))")

        one, again, two = (
            self.succeed("run", script, "--seed", seed).stdout.splitlines()[0]
            for seed in ("1", "1", "2"))
        usual = self.succeed("run", script).stdout.splitlines()[0]

        self.assertEqual(one, again)
        self.assertEqual(one, usual)
        self.assertNotEqual(one, two)
        self.assertEqual(self.result("transfer", *SMALL, "--seed", "7")["seed"], 7)

    def test_tables_and_functions_print_and_iterate_the_same_in_two_processes(self):
        script = self.script(PAIRS)

        one, two = (self.gridloom("run", script, "--json", "-") for _ in range(2))

        self.assertEqual(len(one.stderr.splitlines()), 48)
        self.assertEqual(one.stderr, two.stderr)
        self.assertEqual(gridloom.without_host(one.stdout),
                         gridloom.without_host(two.stdout))

    def test_a_path_and_a_name_mean_the_same_script(self):
        self.assertEqual(self.small(), gridloom.without_host(self.succeed(
            "run", TRANSFER, *SMALL, "--json", "-").stdout))


if __name__ == "__main__":
    unittest.main()
