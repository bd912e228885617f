"""How tt-metal programs are run: on two dies, for time alone, again and again, and with other options."""
import json
import os
import unittest

from gridloom import CHECK, DONE, INPUT, STOPPED
from metal_rows import Rows


class Runs(Rows):
    def result(self, *rows, options=()):
        done = self.rows(*rows, options=("-q", "--json", "-", *options))

        self.assertEqual(done.returncode, DONE, done.stderr)
        return json.loads(done.stdout), done

    def test_two_dies_run_at_the_same_time(self):
        result, done = self.result("dies", options=("--system", "n300"))

        self.assertEqual(done.stderr, "dies passed\n")
        self.assertEqual(result["metrics"]["launches"], 2)
        # Both are launched together, and the host waits for the later one.
        self.assertLess(result["metrics"]["device_seconds"], 0.6e-9 * result["metrics"]["device_cycles"])

    def test_a_mesh_that_is_larger_than_the_machine_is_refused(self):
        done = self.rows("dies")

        self.assertEqual(done.returncode, CHECK)
        self.assertIn("error: a mesh of 2 chips is asked for, the machine has 1; `gridloom metal --system n300` has 2",
                      done.stderr)

    def test_a_call_that_the_host_library_lacks_is_named_with_the_page(self):
        self.write("horse.cpp", "#include <tt-metalium/host_api.hpp>\n"
                                "int main() { tt::tt_metal::CreateUnicorn(3); }\n")
        done = self.gridloom("metal", "horse.cpp")

        self.assertEqual((done.returncode, done.stdout), (INPUT, ""))
        self.assertRegex(done.stderr, r"horse\.cpp:2:28: error: .CreateUnicorn.(?s:.*)\n"
                                      r"workloads/doc/metal_host\.md lists what there is\n$")

    def test_time_alone_is_the_same(self):
        whole, _ = self.result("pair")
        alone, done = self.result("pair", options=("--timing-only",))

        self.assertEqual((alone["cycles"], alone["check"]["status"]), (whole["cycles"], "skipped"))
        self.assertIn("pair FAILED\n", done.stderr)
        self.assertIn("exit code 1, which says nothing: no numbers were computed (--timing-only)", done.stderr)

    def test_integers_are_right_without_tiles(self):
        _, done = self.result("words", options=("--timing-only",))

        self.assertEqual(done.stderr, "words passed\n")

    def test_a_kernel_that_a_tile_steers_is_named(self):
        done = self.rows("steered", options=("-q", "--timing-only"))

        self.assertEqual((done.returncode, done.stdout), (STOPPED, ""))
        self.assertRegex(done.stderr, r"kernels/steered\.cpp:5: kernel steered on core\[0,0\]\.writer: loads from 0x\w+: "
                                      r"it is of a tile, and a timing-only run computes none: run without --timing-only")

    def test_ranges_of_the_chip_file_are_tried(self):
        done = self.rows("copy", options=("--uncertainty", "2", "--samples-only", "--out", "out"))

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertEqual(done.stdout.count("copy passed"), 1)
        self.assertRegex(done.stdout, r"uncertainty: 2 samples of \d+ ranges of the chip file, timing only")
        for name in ("result.json", "trace.pftrace", "report.html", "uncertainty.csv"):
            self.assertTrue(os.path.getsize(self.path(os.path.join("out", name))) > 0, name)

    def test_other_options_are_those_of_run(self):
        one, _ = self.result("copy", options=("--chip", "n150"))
        two, _ = self.result("copy", options=("--chip", "n150", "--threads", "2"))
        far, _ = self.result("copy", options=("--chip", "n150", "--set", "dram.read_latency_cycles=300"))

        self.assertEqual((one["chip"], one["cycles"]), ("wormhole_n150", two["cycles"]))
        self.assertGreater(far["cycles"], one["cycles"])


if __name__ == "__main__":
    unittest.main()
