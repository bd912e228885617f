"""A matrix product on a grid of cores, as a tt-metal program with multicasts."""
import json
import os
import unittest

import gridloom
from gridloom import CHECK, DONE, SOURCE

PROGRAMS = os.path.join(SOURCE, "workloads", "metal", "programs")


class MetalMatmul(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = self.path("cache")

    def matmul(self, *words):
        return self.gridloom("metal", os.environ["GRIDLOOM_METAL_MATMUL"], "--kernels", PROGRAMS,
                             "--json", "result.json", "-q", "--", *words)

    def test_blocks_come_by_multicast_and_are_summed_in_l1(self):
        done = self.matmul("m=192", "k=384", "n=256", "rows=3", "cols=2")

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertIn("blocks 2 x 4 tiles, steps of 6 along K, 1 x 4 tiles in Dst\n", done.stdout)
        self.assertIn("PCC 0.9999", done.stdout)
        self.assertIn("Test Passed\n", done.stdout)
        products = 2 * 4 * 12  # of a core: tiles of its block, times tiles along K
        cycles = json.loads(self.read("result.json"))["metrics"]["device_cycles"]
        # 64 a product, and what comes before the first and after the last step.
        self.assertTrue(64 * products < cycles < 64 * products + 10000, cycles)

    def test_sizes_that_cores_cannot_share_are_refused(self):
        done = self.matmul("m=200", "rows=3", "cols=2")

        self.assertEqual((done.returncode, done.stdout), (CHECK, ""))
        self.assertIn("200 x 512 x 512 does not divide into tiles on 2 x 3 cores", done.stderr)


if __name__ == "__main__":
    unittest.main()
