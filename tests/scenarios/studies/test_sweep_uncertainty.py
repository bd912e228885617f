"""Sweeps with intervals at each point, from samples of the chip's ranges."""
import unittest

import sweeps
from chips import chip_with_ranges
from gridloom import CHECK, DONE, INPUT, workload

SCRIPT = workload(
    """for i = 1, p.launches do
            host.wait(host.launch { { name = "k", kernel = function(core) core.delay(100) end } })
        end
        if host.number("l1.port_count") > 24 then host.refuse("too many ports") end""",
    parameters='{ name = "launches", type = "integer", default = 1, min = 1, max = 9, help = "h" }')


class SweepUncertainty(sweeps.Sweeps):
    def chip(self, **ranges):
        self.write("chip.ini", chip_with_ranges(**ranges))

    def setUp(self):
        super().setUp()
        self.write("launches.lua", SCRIPT)

    def write_sweep(self, more="uncertainty = 4", values="1, 3", record='"seconds", per = "seconds/parameters.launches"'):
        self.write("s.lua", f"""return {{ summary = "a sweep", script = "launches.lua", chip = "chip.ini",
            axes = {{ {{ name = "launches", values = {{ {values} }} }} }}, record = {{ {record} }}, {more} }}""")

    def sweep(self, *words, status=DONE):
        done = self.gridloom("sweep", "s.lua", *words)
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        return done.stdout

    def test_a_point_has_the_interval_that_a_run_has(self):
        self.chip(host__launch_us="25..38")
        self.write_sweep()
        self.sweep()

        rows = self.named("launches", "seconds", "per", "seconds_low", "seconds_high", "per_low",
                          "per_high", "failed_samples")
        self.assertEqual([row[0] for row in rows], [1, 3])
        for launches, seconds, per, low, high, per_low, per_high, failed in rows:
            alone = self.result("launches.lua", f"launches={launches}", "--chip", "chip.ini",
                                "--uncertainty", "4", "--interval", "seconds")
            interval = alone["metrics"]["uncertainty"]["formulas"][0]
            self.assertEqual((seconds, low, high), (alone["seconds"], interval["low"], interval["high"]))
            self.assertAlmostEqual(per_low, low / launches, delta=1e-15)
            self.assertAlmostEqual(per_high, high / launches, delta=1e-15)
            self.assertEqual(failed, 0)
            self.assertLess(low, seconds)
            self.assertGreater(high, seconds)

    def test_the_table_is_the_same_for_any_number_of_jobs(self):
        self.chip(host__launch_us="25..38")
        self.write_sweep(values="1, 2, 3")
        self.sweep("--jobs", "1", "--db", "one.sqlite")
        self.sweep("--jobs", "3", "--db", "three.sqlite")

        self.assertEqual(self.dump("one.sqlite"), self.dump("three.sqlite"))

    def test_samples_that_fail_are_counted(self):
        self.chip(host__launch_us="25..38", l1__port_count="16..33")
        self.write_sweep(values="1")
        self.sweep()

        self.assertEqual(self.named("status", "error", "failed_samples"), [("done", None, 2)])

    def test_a_point_whose_samples_all_fail_is_failed(self):
        self.chip(l1__port_count="16..1024")
        self.write_sweep(values="1")
        self.sweep(status=CHECK)

        (status, error), = self.named("status", "error")
        self.assertEqual(status, "failed")
        self.assertRegex(error, "--uncertainty: all 4 samples failed, the first with: .*too many ports")

    def test_a_key_that_is_varied_is_not_sampled(self):
        self.chip(host__launch_us="25..38")
        self.write("s.lua", """return { summary = "s", script = "launches.lua", chip = "chip.ini",
            axes = { { name = "host.launch_us", values = { 26, 36 } } }, record = { "seconds" }, uncertainty = 3 }""")
        self.sweep()

        for seconds, low, high in self.named("seconds", "seconds_low", "seconds_high"):
            self.assertEqual((low, high), (seconds, seconds))

    def test_texts_have_no_interval(self):
        self.chip(host__launch_us="25..38")
        self.write_sweep(values="1", record='"seconds", "chip"')
        self.sweep()

        self.assertEqual(self.named("chip", "chip_low"), [("chip", None)])

    def test_ends_of_intervals_are_columns_like_others(self):
        self.chip(host__launch_us="25..38")
        self.write_sweep()
        self.sweep("--plot", "launches", "--y", "seconds_high", "-o", "p.svg", "--csv", "t.csv")

        self.assertIn("seconds_high", self.read("p.svg"))
        self.assertIn("seconds_low,seconds_high", self.read("t.csv"))

    def test_pictures_have_intervals_as_bands(self):
        self.chip(host__launch_us="25..38")
        self.write_sweep()
        self.sweep("--plot", "launches", "--y", "seconds", "-o", "p.svg")

        self.assertIn("Bands are intervals: 5 to 95 % of samples.", self.read("p.svg"))
        self.assertEqual(self.read("p.svg").count('class="plot-band"'), 1)
        self.sweep("--plot", "launches", "--y", "seconds_high", "-o", "h.svg")
        self.assertNotIn('class="plot-band"', self.read("h.svg"))
        # Without samples, columns with such names are the user's own.
        self.write_sweep("", record='"seconds", seconds_low = "cycles", seconds_high = "cycles*2"')
        self.sweep("--db", "own.sqlite", "--plot", "launches", "--y", "seconds", "-o", "o.svg")
        self.assertNotIn('class="plot-band"', self.read("o.svg"))

    def test_another_number_of_samples_is_another_sweep(self):
        self.chip(host__launch_us="25..38")
        self.write_sweep()
        self.sweep()
        self.write_sweep("uncertainty = 5")

        self.assertFails(INPUT, ["s.sqlite"], "sweep", "s.lua")

    def test_bad_numbers_of_samples_are_refused(self):
        self.chip()
        for text, says in (("1", "uncertainty is not a whole number from 2 on"),
                           ("'x'", "uncertainty is not a whole number from 2 on"),
                           ("2.5", "uncertainty is not a whole number from 2 on"),
                           ("10001", "uncertainty is more than 10000 samples")):
            self.write_sweep(f"uncertainty = {text}")
            self.assertFails(INPUT, ["s.lua: ", says], "sweep", "s.lua")
        self.write_sweep(record='"seconds", seconds_low = "cycles"')
        self.assertFails(INPUT, ["seconds_low: a column of this name is there already"], "sweep", "s.lua")

    def test_a_dry_run_shows_the_whole_command(self):
        self.chip(host__launch_us="25..38")
        self.write_sweep()

        text = self.sweep("--dry-run")

        self.assertIn("--uncertainty=4 --samples-only --jobs=1 --interval=seconds --interval=seconds/parameters.launches", text)


if __name__ == "__main__":
    unittest.main()
