"""gridloom run --uncertainty: intervals, the keys behind them, and samples that fail."""
import csv
import io
import json
import math
import os
import re
import signal
import time
import unittest
import xml.dom.minidom

import gridloom
import sweeps
from chips import chip_with_ranges
from gridloom import CHECK, DONE, INPUT, INTERRUPTED

# A run whose time is its launches, and a little of the chip's.
LAUNCHES = """local cycles = host.number("tensix.kernel_init_cycles")
        for i = 1, 3 do
            host.wait(host.launch { { name = "k", kernel = function(core) core.delay(cycles) end } })
        end"""
LAUNCH, START = "host.launch_us", "tensix.kernel_init_cycles"


def quantile(values, part):
    """As in statisticians' type 7."""
    values = sorted(values)
    place = part * (len(values) - 1)
    below = math.floor(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def ranks(values):
    return [sum(other < value for other in values) + (values.count(value) - 1) / 2
            for value in values]


def rank_correlation(a, b):
    a, b = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    both = sum((x - mean) * (y - mean) for x, y in zip(a, b))
    return both / math.sqrt(sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b))


class Uncertainty(gridloom.Scenario):
    def chip(self, **ranges):
        return self.write("chip.ini", chip_with_ranges(**ranges))

    def study(self, *words, body=LAUNCHES, **options):
        """The result of a run with --uncertainty."""
        return self.result(self.script(body), *words, **options)

    def table(self, folder):
        return list(csv.DictReader(io.StringIO(self.read(f"{folder}/uncertainty.csv"))))

    def seconds(self, interval="seconds", **ranges):
        result = self.study("--chip", self.chip(**ranges), "--uncertainty", "4", "--samples-only")
        return result["metrics"]["uncertainty"]["intervals"][interval]

    def test_intervals_and_ends_are_what_single_runs_say(self):
        chip = self.chip(host__launch_us="25..38", tensix__kernel_init_cycles="200..400")

        result = self.study("--chip", chip, "--uncertainty", "6", "--out", "out")
        rows = self.table("out")
        found = result["metrics"]["uncertainty"]

        self.assertEqual([row["run"] for row in rows], ["central"] + [f"sample {i}" for i in range(6)]
                         + [f"end {i}" for i in range(4)])
        self.assertEqual({row["status"] for row in rows}, {"done"})
        for row in rows:
            alone = self.study("--chip", chip, "--set", f"{LAUNCH}={row[LAUNCH]}",
                               "--set", f"{START}={row[START]}")
            self.assertEqual(alone["seconds"], float(row["seconds"]))
            self.assertEqual(alone["metrics"]["launch_seconds"],
                             float(row["metrics.launch_seconds"]))
        seconds = [float(row["seconds"]) for row in rows[1:7]]
        interval = found["intervals"]["seconds"]
        self.assertEqual(interval["value"], result["seconds"])
        for name, part in (("least", 0), ("low", 0.05), ("median", 0.5), ("high", 0.95), ("most", 1)):
            self.assertAlmostEqual(interval[name], quantile(seconds, part), delta=1e-15)
        for key in found["keys"]:
            levels = [float(row[key["key"]]) for row in rows[1:7]]
            self.assertAlmostEqual(key["rank_correlation"], rank_correlation(levels, seconds))

    def test_samples_are_a_latin_hypercube(self):
        chip = self.chip(host__launch_us="25..38", dram__queue_commands="25..48", noc__dateline="origin|wrap")

        self.study("--chip", chip, "--uncertainty", "12", "--samples-only", "--out", "out")
        rows = self.table("out")[1:13]

        self.assertEqual(sorted(int((float(row[LAUNCH]) - 25) / 13 * 12) for row in rows), list(range(12)))
        # Two whole numbers in each twelfth.
        self.assertEqual(sorted((int(row["dram.queue_commands"]) - 25) // 2 for row in rows), list(range(12)))
        self.assertEqual([row["noc.dateline"] for row in rows].count("wrap"), 6)

    def test_a_fixed_key_never_moves(self):
        chip = self.chip(host__launch_us="25..38", tensix__kernel_init_cycles="fixed")

        found = self.study("--chip", chip, "--uncertainty", "4", "--out", "out")["metrics"]["uncertainty"]

        self.assertEqual([key["key"] for key in found["keys"]], [LAUNCH])
        self.assertNotIn(START, self.table("out")[0])

    def test_silicon_and_what_nothing_reads_are_not_drawn(self):
        chip = self.chip(host__launch_us="25..38", area__sram_mm2_per_kilobyte="0.0007..0.0016",
                         area__fpu_mm2="0.6..1.5", information__compute_start_cycles="330..430")

        found = self.study("--chip", chip, "--uncertainty", "4", "--out", "out")["metrics"]["uncertainty"]

        self.assertEqual([key["key"] for key in found["keys"]], [LAUNCH])
        self.assertEqual(len(self.table("out")), 1 + 4 + 2)

    def test_without_any_range_every_sample_is_the_run_itself(self):
        result = self.study("--chip", self.chip(), "--uncertainty", "3")
        found = result["metrics"]["uncertainty"]

        self.assertEqual(found["keys"], [])
        for name, interval in found["intervals"].items():
            self.assertEqual(len(set(interval.values())), 1, name)

    def test_a_key_that_the_user_sets_stays(self):
        chip = self.chip(host__launch_us="25..38", tensix__kernel_init_cycles="200..400")

        self.study("--chip", chip, "--uncertainty", "4", "--set", f"{LAUNCH}=31", "--out", "out")
        rows = self.table("out")

        self.assertNotIn(LAUNCH, rows[0])
        self.assertGreater(len({row[START] for row in rows}), 3)

    def test_a_wider_range_makes_a_wider_interval(self):
        narrow = self.seconds(host__launch_us="28..32")
        wide = self.seconds(host__launch_us="25..38")
        wider = self.seconds(host__launch_us="20..60")

        self.assertLess(wide["low"], narrow["low"])
        self.assertGreater(wide["high"], narrow["high"])
        self.assertLess(wider["low"], wide["low"])
        self.assertGreater(wider["high"], wide["high"])

    def test_both_measures_name_the_key_that_dominates(self):
        chip = self.chip(tensix__kernel_init_cycles="200..400", host__launch_us="25..38",
                         host__read_us="20..100", noc__noc0_credit_return_cycles="6..9")

        keys = self.study("--chip", chip, "--uncertainty", "16")["metrics"]["uncertainty"]["keys"]

        self.assertEqual([key["key"] for key in keys[:2]], [LAUNCH, START])
        self.assertAlmostEqual(keys[0]["spread_seconds"], 3 * 13e-6)
        self.assertGreater(keys[0]["rank_correlation"], 0.99)
        self.assertLess(abs(keys[1]["rank_correlation"]), keys[0]["rank_correlation"])
        self.assertEqual([end["set"] for end in keys[0]["ends"]], ["25", "38"])
        # Keys that the script does not use move nothing.
        self.assertEqual([key["spread_seconds"] for key in keys[2:]], [0, 0])

    def test_another_word_is_tried_alone(self):
        chip = self.chip(noc__dateline="origin|wrap")

        keys = self.study("--chip", chip, "--uncertainty", "2")["metrics"]["uncertainty"]["keys"]

        self.assertEqual([end["set"] for end in keys[0]["ends"]], ["wrap"])

    def test_samples_that_the_chip_refuses_are_counted_and_named(self):
        # The networks' ports have numbers 4 to 15, so an L1 with fewer than 16 is refused.
        chip = self.chip(l1__port_count="9..24", host__launch_us="25..38")

        done = self.succeed("run", self.script(LAUNCHES), "--chip", chip, "--uncertainty", "8",
                            "--out", "out")
        result = json.loads(self.read("out/result.json"))["metrics"]["uncertainty"]
        rows = self.table("out")

        failed = [row for row in rows if row["status"] == "failed"]
        samples = [row for row in failed if row["run"].startswith("sample")]
        self.assertEqual([row["run"] for row in failed if row not in samples], ["end 0"])
        self.assertEqual(len(samples), 4)
        self.assertEqual(result["failed"], 4)
        self.assertEqual([(failure["sample"], failure["error"]) for failure in result["failures"]],
                         [(int(row["run"].split()[1]), row["error"]) for row in samples])
        for row in rows:
            self.assertEqual(row["status"] == "failed", int(row["l1.port_count"]) < 16)
            self.assertEqual(row["status"] == "failed", row["seconds"] == "")
            self.assertEqual(row["status"] == "failed", "l1.noc_ports" in row["error"])
        self.assertIn("4 of 8 samples failed", done.stdout)
        self.assertIn(samples[0]["error"], done.stdout)
        self.assertIn("1 of 4 runs at ends failed", done.stdout)
        self.assertRegex(done.stdout, r"l1\.port_count +16 +9\.\.24 +9: failed, 24: \+0 % ")
        good = [float(row["seconds"]) for row in rows[1:9] if row["status"] == "done"]
        self.assertAlmostEqual(result["intervals"]["seconds"]["high"], quantile(good, 0.95), delta=1e-15)

    def test_when_all_samples_fail_the_run_itself_is_shown(self):
        chip = self.chip(l1__port_count="1..16")

        done = self.gridloom("run", self.script(LAUNCHES), "--chip", chip, "--uncertainty", "2",
                             "--json", "r.json")

        self.assertEqual(done.returncode, INPUT)
        self.assertRegex(done.stderr, r"\Agridloom: --uncertainty: all 2 samples failed, the first with: .*l1.noc_ports.*\n\Z")
        self.assertIn("measured", done.stdout)
        self.assertIsNone(json.loads(self.read("r.json"))["metrics"]["uncertainty"]["intervals"]["seconds"]["low"])

    def test_limits_hold_for_samples_too(self):
        chip = self.chip(tensix__kernel_init_cycles="200..400")
        for option, value, body in (
                ("--limit-steps", "20000", "for i = 1, 1000000 do end"),
                ("--limit-memory", "64M", "local text = ('x'):rep(1 << 28)"),
                ("--limit-cycles", "32000", "delay = 5000")):
            script = self.script(f"""local delay = 1
        if host.number("tensix.kernel_init_cycles") ~= 300 then {body} end
        host.wait(host.launch {{ {{ name = "k", kernel = function(core) core.delay(delay) end }} }})""")

            done = self.gridloom("run", script, "--chip", chip, "--uncertainty", "2",
                                 "--samples-only", option, value)

            self.assertRegex(done.stderr, rf"\Agridloom: --uncertainty: all 2 samples failed, the "
                                          rf"first with: .*[( ]{option}\).*\n\Z", body)

    def test_the_number_of_jobs_changes_nothing(self):
        chip = self.chip(host__launch_us="25..38", tensix__kernel_init_cycles="200..400",
                         l1__port_count="9..24")
        script = self.script(LAUNCHES)

        for jobs in ("1", "5"):
            self.succeed("run", script, "--chip", chip, "--uncertainty", "4", "--jobs", jobs,
                         "--out", jobs, "--quiet")

        for file in ("uncertainty.csv", "uncertainty.svg"):
            self.assertEqual(self.read(f"1/{file}"), self.read(f"5/{file}"))
        self.assertEqual(gridloom.without_host(self.read("1/result.json")),
                         gridloom.without_host(self.read("5/result.json")))

    def test_the_seed_draws_the_samples(self):
        chip = self.chip(host__launch_us="25..38")
        values = []

        for seed in ("1", "1", "2"):
            self.study("--chip", chip, "--uncertainty", "3", "--samples-only", "--seed", seed,
                       "--out", "out")
            values.append([row[LAUNCH] for row in self.table("out")[1:]])

        self.assertEqual(values[0], values[1])
        self.assertNotEqual(values[0], values[2])

    def test_the_run_itself_is_as_without(self):
        chip = self.chip(host__launch_us="25..38")
        script = self.script(LAUNCHES)

        plain = self.succeed("run", script, "--chip", chip, "--json", "plain.json").stdout
        shown = self.succeed("run", script, "--chip", chip, "--uncertainty", "2",
                             "--json", "study.json").stdout

        def head(text):
            return re.sub(r"simulated  in .*", "", text)

        self.assertTrue(head(shown).startswith(head(plain)))
        results = [json.loads(self.read(name)) for name in ("plain.json", "study.json")]
        del results[1]["metrics"]["uncertainty"]
        for result in results:
            del result["host"]
        self.assertEqual(*results)

    def test_intervals_and_keys_are_printed(self):
        chip = self.chip(host__launch_us="25..38", tensix__kernel_init_cycles="200..400")

        text = self.succeed("run", self.script(LAUNCHES), "--chip", chip, "--uncertainty", "4").stdout

        self.assertIn("uncertainty: 4 samples of 2 ranges of the chip file, timing only", text)
        self.assertRegex(text, r"(?m)^  seconds +\S+ us +\[\S+ us, \S+ us\] +-\S+ % +\+\S+ %$")
        self.assertRegex(text, r"(?m)^  host\.launch_us +30 +25\.\.38 +25: -\S+ %, 38: \+\S+ % +39 us +\+\d\.\d\d$")
        self.assertIn("2 of 2 keys move the time alone", text)

    def test_the_picture_shows_the_keys(self):
        chip = self.chip(host__launch_us="25..38", tensix__kernel_init_cycles="200..400",
                         noc__dateline="origin|wrap")

        self.study("--chip", chip, "--uncertainty", "4", "--out", "out")
        svg = self.read("out/uncertainty.svg")

        xml.dom.minidom.parseString(svg)
        for text in (LAUNCH, START, ">25<", ">38<", "at the low end", "5 % to 95 %"):
            self.assertIn(text, svg)
        self.assertNotIn("noc.dateline", svg)

    def test_formulas_get_intervals_of_their_own(self):
        chip = self.chip(host__launch_us="25..38")

        found = self.study("--chip", chip, "--uncertainty", "5", "--interval", "cycles/seconds",
                           "--interval", "2*metrics.launch_seconds", "--samples-only",
                           "--out", "out")["metrics"]["uncertainty"]
        launches = [float(row["metrics.launch_seconds"]) for row in self.table("out")[1:]]

        self.assertEqual([formula["formula"] for formula in found["formulas"]],
                         ["cycles/seconds", "2*metrics.launch_seconds"])
        self.assertAlmostEqual(found["formulas"][0]["low"] / 1e9, 1, delta=1e-4)  # cycles are whole
        self.assertAlmostEqual(found["formulas"][1]["high"], 2 * quantile(launches, 0.95), delta=1e-15)
        # Only samples are run.
        self.assertEqual(len(launches), 5)
        self.assertEqual([key["ends"] for key in found["keys"]], [[]])

    def test_a_formula_of_what_is_not_there_is_told_of(self):
        done = self.gridloom("run", self.script(LAUNCHES), "--chip", self.chip(), "--uncertainty", "2",
                             "--samples-only", "--interval", "metrics.nothing", "--json", "-")
        found = json.loads(done.stdout)["metrics"]["uncertainty"]

        self.assertEqual((done.returncode, done.stderr),
                         (DONE, "gridloom: --interval metrics.nothing: the run has no such number\n"))
        self.assertIsNone(found["formulas"][0]["value"])

    def test_a_formula_that_needs_data_gets_it(self):
        body = LAUNCHES + "\nif host.is_functional then host.metric('sum', 3) end"

        found = self.study("--chip", self.chip(), "--uncertainty", "2", "--interval", "metrics.sum*2",
                           body=body)["metrics"]["uncertainty"]

        self.assertFalse(found["is_timing_only"])
        self.assertEqual(found["formulas"][0]["low"], 6)

    def test_samples_move_data_where_time_depends_on_it(self):
        chip = self.chip(host__launch_us="25..38")
        body = LAUNCHES + "\nif host.is_functional then " + LAUNCHES + " end"

        with_data = self.study("--chip", chip, "--uncertainty", "3", body=body)
        without = self.study("--chip", chip, "--uncertainty", "3", "--timing-only", body=body)

        self.assertFalse(with_data["metrics"]["uncertainty"]["is_timing_only"])
        self.assertTrue(without["metrics"]["uncertainty"]["is_timing_only"])
        self.assertGreater(with_data["metrics"]["uncertainty"]["intervals"]["seconds"]["least"],
                           without["metrics"]["uncertainty"]["intervals"]["seconds"]["most"])

    def test_numbers_that_need_data_are_left_out_and_named(self):
        body = LAUNCHES + "\nif host.is_functional then host.metric('sum', 3) end host.metric('two', 2)"

        found = self.study("--chip", self.chip(), "--uncertainty", "2", body=body)["metrics"]["uncertainty"]

        self.assertTrue(found["is_timing_only"])
        self.assertEqual(found["left_out"], ["metrics.sum"])
        self.assertNotIn("metrics.sum", found["intervals"])
        self.assertEqual(found["intervals"]["metrics.two"]["low"], 2)

    def test_a_failed_check_keeps_its_exit_code(self):
        script = self.script(LAUNCHES + "\nhost.check { error = 2, tolerance = 1, reference = 'x' }")

        done = self.gridloom("run", script, "--chip", self.chip(), "--uncertainty", "2")

        self.assertEqual(done.returncode, CHECK)
        self.assertNotIn("uncertainty", done.stdout)

    def test_bad_numbers_are_refused(self):
        for text in ("0", "1", "-3", "x", "", "10001", "2.5", "1e-3", "1e9"):
            self.assertFails(INPUT, ["--uncertainty = ", "a whole number in 2..10000"],
                             "run", "transfer", f"--uncertainty={text}")
        self.assertFails(INPUT, ["--jobs = 0", "1..256"], "run", "transfer", "--uncertainty", "2",
                         "--jobs", "0")
        for words in (["--jobs", "2"], ["--interval", "cycles"], ["--samples-only"]):
            self.assertFails(INPUT, ["are for --uncertainty"], "run", "transfer", *words)
        self.assertFails(INPUT, ["--interval cycles/: "], "run", "transfer", "--uncertainty", "2",
                         "--interval", "cycles/")
        self.assertFails(INPUT, ["--uncertainty 2 and --dry-run"], "run", "transfer",
                         "--uncertainty", "2", "--dry-run")

    def test_help_says_what_it_costs(self):
        text = self.succeed("run", "--help").stdout

        self.assertIn("--uncertainty=N", text)
        self.assertRegex(text, r"about N \+ \d+ runs")

    def children(self, pid):
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return file.read().split()

    def test_stopping_it_leaves_no_process(self):
        process = self.start("run", self.script(LAUNCHES), "--chip", self.chip(host__launch_us="25..38"),
                             "--uncertainty", "5000", "--out", "out", after_seconds=0)
        children = []
        while not children:
            self.assertIsNone(process.poll())
            children = gridloom.has_signals(process.pid) and self.children(process.pid)
            time.sleep(0.005)
        process.send_signal(signal.SIGTERM)

        output, errors = process.communicate(timeout=gridloom.PATIENCE)

        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertEqual(errors, b"gridloom: interrupted\n")
        self.assertTrue(sweeps.wait_until(
            lambda: not any(os.path.exists(f"/proc/{child}") for child in children)))
        self.assertFalse(os.path.exists(self.path("out/result.json")))

    def test_a_limit_stops_the_whole(self):
        def attempt(seconds):
            done = self.gridloom("run", self.script(LAUNCHES), "--chip", self.chip(host__launch_us="25..38"),
                                 "--uncertainty", "5000", "--limit-seconds", seconds)

            self.assertEqual(done.returncode, gridloom.STOPPED)
            self.assertRegex(done.stderr, rf"\Agridloom: wall-clock limit of {seconds} s reached \(--limit-seconds\): \d+ of 5002 runs "
                                          r"of --uncertainty were done\n\Z")
        self.try_each(("1", "0.1", "10", "100"), attempt)

    def test_progress_shows_runs_and_time_to_go(self):
        def attempt(samples):
            shown, code = self.on_terminal("run", self.script(LAUNCHES), "--chip",
                                           self.chip(host__launch_us="25..38"), "--uncertainty", str(samples))

            self.assertEqual(code, DONE)
            self.assertRegex(shown, rf"script: \d+ of {samples + 2} runs, 0 failed, \d+ %, [\d.]+ m?s elapsed, ETA ")
        self.try_each((8, 80, 800), attempt)  # so that there is time for a line


if __name__ == "__main__":
    unittest.main()
