"""bench_engine and bench_wse print one JSON object per case."""
import json
import os
import unittest

import gridloom

BENCH = os.environ["GRIDLOOM_BENCH"]
BENCH_WSE = os.environ["GRIDLOOM_BENCH_WSE"]


class Bench(gridloom.Scenario):
    def test_every_case_is_a_json_line_with_a_rate(self):
        done = self.succeed("--quick", program=BENCH)

        cases = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(
            [(c["engine"], c["components"], c["threads"]) for c in cases],
            [("gridloom", components, threads) for components in (1024, 65536, 1048576)
             for threads in (1, 2)] + [("simgrid", 1024, 1)])
        for case in cases:
            self.assertGreater(case["events_per_second"], 0)

    def test_wafers_run_both_grains_and_their_cycles_do_not_depend_on_threads(self):
        done = self.succeed("--quick", program=BENCH_WSE)

        cases = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([(c["grain"], c["pes"], c["threads"]) for c in cases],
                         [("wavelet", 400, 1), ("wavelet", 400, 2),
                          ("stream", 3600, 1), ("stream", 3600, 2)])
        for one, two in (cases[:2], cases[2:]):
            self.assertEqual(one["cycles"], two["cycles"])
        for case in cases:
            self.assertTrue(case["case"])
            for name in ("pe_cycles_per_second", "pe_cycles_per_cpu_second", "peak_rss_bytes",
                         "cycles", "seconds"):
                self.assertGreater(case[name], 0, name)


if __name__ == "__main__":
    unittest.main()
