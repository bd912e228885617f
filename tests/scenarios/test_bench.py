"""bench_engine prints one JSON object per case."""
import json
import os
import unittest

import gridloom

BENCH = os.environ["GRIDLOOM_BENCH"]


class Bench(gridloom.Scenario):
    def test_every_case_is_a_json_line_with_a_rate(self):
        done = self.succeed("--quick", program=BENCH, timeout=250)

        cases = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(
            [(c["engine"], c["components"], c["threads"]) for c in cases],
            [("gridloom", components, threads) for components in (1024, 65536, 1048576)
             for threads in (1, 2)] + [("simgrid", 1024, 1)])
        for case in cases:
            self.assertGreater(case["events_per_second"], 0)


if __name__ == "__main__":
    unittest.main()
