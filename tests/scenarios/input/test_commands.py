"""chips, workloads, describe; help, version and quiet."""
import json
import os
import re
import unittest

import gridloom
from gridloom import INPUT, SMALL, SOURCE

COMMANDS = ["run", "chips", "workloads", "describe", "validate"]
CHIPS = ["a100_40gb", "a100_80gb", "gtx980", "h100", "h200", "k20c", "nero_ad9h7", "nero_ad9v3", "power9", "titanx",
         "wormhole_n150", "wormhole_n300", "wse1", "wse2", "wse3"]


class Commands(gridloom.Scenario):
    def test_the_version_is_that_of_the_project(self):
        with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
            version = re.search(r"VERSION ([\d.]+) LANGUAGES", file.read()).group(1)

        shown = self.succeed("--version").stdout
        self.assertRegex(shown, rf"^gridloom {re.escape(version)}([~+][\w.]+)?\n$")
        self.assertEqual(self.succeed("run", "--version").stdout, shown)
        # A commit that changes nothing else leaves results as they were.
        self.assertEqual(self.result("transfer", *SMALL)["gridloom"], version)

    def test_help_lists_every_command(self):
        for word in ("--help", "-h", "help"):
            text = self.succeed(word).stdout
            for command in COMMANDS:
                self.assertRegex(text, rf"(?m)^  {command} +\w")

    def test_every_command_has_its_help(self):
        for command in COMMANDS:
            self.assertIn("Usage:", self.succeed(command, "--help").stdout)

    def test_the_help_of_run_lists_its_options(self):
        text = self.succeed("run", "--help").stdout

        for option in ("chip", "system", "set", "out", "json", "system-trace", "threads",
                       "timing-only", "limit-cycles", "limit-steps", "limit-seconds", "seed",
                       "dry-run", "quiet"):
            self.assertIn(f"--{option}", text)

    def test_quiet_prints_nothing(self):
        self.assertEqual(self.succeed("run", "transfer", *SMALL, "-q").stdout, "")
        self.assertEqual(self.succeed("run", "transfer", *SMALL, "--quiet").stdout, "")

    def test_chips_lists_every_chip_with_its_family(self):
        lines = self.succeed("chips").stdout.split("\n\n")[0].splitlines()

        self.assertEqual([line.split()[0] for line in lines[1:]], CHIPS)
        self.assertEqual([line.split()[1] for line in lines[1:]], ["gpu"] * 6 + ["nero"] * 2 + ["cpu", "gpu"] + ["tensix"] * 2 + ["wse"] * 3)

    def test_chips_lists_every_system_with_its_chips(self):
        lines = self.succeed("chips").stdout.split("\n\n")[1].splitlines()
        files = os.listdir(os.path.join(SOURCE, "arch/systems"))

        self.assertEqual([line.split()[0] for line in lines[1:]], sorted(name[:-4] for name in files))
        self.assertEqual(next(line for line in lines if line.startswith("t3000")).split()[1:], ["8", "x", "wormhole_n300"])

    def test_describe_shows_every_key_of_every_chip(self):
        for chip in CHIPS:
            path = os.path.join(SOURCE, "arch/chips", chip + ".ini")
            with open(path, encoding="utf-8") as file:
                keys = re.findall(r"(?m)^(\w+) *= *(.*)$", file.read())

            text = self.succeed("describe", chip).stdout

            self.assertEqual(self.succeed("describe", path).stdout, text)
            for key, value in keys:
                self.assertRegex(text, rf"(?m)^  {key} +{re.escape(value.strip())} ")
            for word in ("KEY", "VALUE", "UNIT", "CONFIDENCE", "RANGE", "SOURCE"):
                self.assertIn(word, text)

    def test_describe_shows_ranges_as_text_and_as_json(self):
        text = self.succeed("describe", "wse2").stdout
        lines = json.loads(self.succeed("describe", "wse2", "--json", "-").stdout)["chip_parameters"]
        ranges = {line["key"]: line.get("range") for line in lines}

        self.assertRegex(text, r"(?m)^  link_buffer_wavelets +2 +wavelets +assumed +2\.\.4 +as many")
        self.assertRegex(text, r"(?m)^  microthread_count +8 +count +documented +- +Cerebras")
        self.assertEqual(ranges["link_buffer_wavelets"], "2..4")
        self.assertEqual(ranges["color_arbitration"], "round_robin|lowest_color")
        self.assertIsNone(ranges["microthread_count"])
        for line in lines:
            self.assertEqual("range" in line, line["confidence"] in ("assumed", "calibrated"), line)

    def test_a_workload_is_not_described_as_json(self):
        self.assertFails(INPUT, ["--json: transfer is a workload"], "describe", "transfer",
                         "--json", "-")

    def test_describe_shows_the_value_that_was_set(self):
        key = "host_to_device_bytes_per_second"

        text = self.succeed("describe", "wormhole_n300", "--set", f"pcie.{key}=123").stdout

        self.assertRegex(text, rf"(?m)^  {key} +123 +bytes per second ")

    def test_workloads_lists_every_script_with_its_parameters(self):
        text = self.succeed("workloads").stdout

        for file in os.listdir(os.path.join(SOURCE, "workloads")):
            if file.endswith(".lua"):
                self.assertRegex(text, rf"(?m)^{file[:-4]} \(.+\): \w")
        self.assertIn("min_bytes=32 max_bytes=67108864 commands=1000", text)

    def test_describe_shows_every_parameter_of_every_workload(self):
        for line in re.findall(r"(?m)^\w+ \(", self.succeed("workloads").stdout):
            name = line.split()[0]

            text = self.succeed("describe", name).stdout

            self.assertEqual(self.succeed("describe", f"workloads/{name}.lua").stdout, text)
            self.assertRegex(text, r"PARAMETER +(CHIPS +)?DEFAULT +ALLOWED +MEANING")
            self.assertRegex(text, r"(?m)^  grain +((both|all) +)?auto +auto\|wavelet\|stream +\w")
        self.assertRegex(self.succeed("describe", "transfer").stdout,
                         r"(?m)^  commands +1000 +1\.\.1000000 +commands a core issues")

    def test_describe_of_something_unknown_lists_what_there_is(self):
        self.assertFails(INPUT, ["no chip or workload 'toaster'", "chips are a100_40gb",
                                 "workloads are " + gridloom.WORKLOADS], "describe", "toaster")

    def test_a_workload_has_no_numbers_to_set(self):
        self.assertFails(INPUT, ["--set: transfer is a workload"], "describe", "transfer",
                         "--set", "pcie.lanes=1")

    def test_a_broken_file_does_not_hide_the_others(self):
        self.write("arch/chips/broken.ini", "nonsense\n")
        self.write("workloads/broken.lua", "nonsense\n")
        self.environment["GRIDLOOM_PATH"] = self.folder

        for command, kept in (("chips", "wse2"), ("workloads", "transfer")):
            shown = self.gridloom(command)

            self.assertEqual(shown.returncode, INPUT)
            self.assertIn(kept, shown.stdout)
            self.assertRegex(shown.stderr, r"\Agridloom: .*broken\.\w+:[12]: .*\n\Z")


if __name__ == "__main__":
    unittest.main()
