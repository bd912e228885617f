"""Vertical advection on FPGA boards: right to the bit, its time, resources and limits."""
import unittest

from board_runs import BoardRuns
from workload_runs import script_of

SMALL = ("nx=32", "ny=18", "nz=12", "window_x=16", "window_y=6", "pes=3", "rounds=2")


class VadvcOnBoards(BoardRuns):
    SCRIPT = script_of("vadvc")
    SMALL = SMALL
    CHANGED = ("nx=12", "ny=11", "nz=5", "pes=1", "window_x=8", "window_y=6")
    POINTS = 28 * 14 * 12
    FLOP = 30

    # Numbers.

    def test_every_mode_is_right_to_the_bit(self):
        self.assertModesAreRight()

    def test_windows_of_all_shapes_are_right(self):
        """Windows larger than the grid, of one column, and with a remainder."""
        self.assertAllRight([("nx=5", "ny=5", "nz=2"), ("nx=9", "ny=7", "nz=3", "window_x=1", "window_y=1"),
                             ("nx=9", "ny=30", "nz=5", "window_x=64", "window_y=7"),
                             ("nx=33", "ny=8", "nz=64", "window_x=16", "window_y=8", "pes=14")], "rounds=1")

    def test_time_steps_are_right_to_the_bit(self):
        self.assertAllRight([(*SMALL, "steps=on"), (*SMALL, "steps=on", "dtype=fp16")])

    def test_the_check_finds_what_is_wrong(self):
        self.assertFindsErrors("nero/vadvc.lua", (
            ("wcon(1, 0, 1) + wcon(0, 0, 1)", "wcon(1, 0, 1) + wcon(0, 0, 0)"),
            ("wcon(1, 0, 0) + wcon(0, 0, 0)", "wcon(-1, 0, 0) + wcon(0, 0, 0)"),
            ("ustage(0, 0, 0) - ustage(0, 0, -1)", "ustage(0, 0, 0) - ustage(0, 0, 1)"),
            ("bcol - ccol_below * acol", "bcol + ccol_below * acol"),
            ("dcol - dcol_below * acol", "dcol + dcol_below * acol"),
            ('d.result("dcol") - d.result("ccol") * above', 'd.result("dcol") + d.result("ccol") * above')))
        self.assertFindsErrors("weather.lua", (("p.nx * p.ny * BYTES[p.dtype]))", "4))"),))

    # Reports.

    def test_rates_resources_and_energy(self):
        result = self.assertReports()
        metrics = result["metrics"]

        self.assertEqual(metrics["windows"], 2 * 3)
        self.assertEqual(metrics["window"], {"x": 16, "y": 6, "z": 12})
        self.assertEqual([sweep["name"] for sweep in metrics["sweeps"]], ["forward", "backward"])
        self.assertTrue(all(sweep["recurrence"] > 0 for sweep in metrics["sweeps"]))

    def test_every_cycle_of_a_part_has_a_reason(self):
        self.assertPartsAreAccountedFor("reader", "forward", "backward", "writer")

    def test_traces_have_a_lane_for_each_part(self):
        self.assertTraced("pe[0,0].reader", "pe[2,0].forward", "pe[1,0].backward", "pe[1,0].writer", "channel[0,0]")

    def test_a_grid_that_windows_do_not_divide_is_padded(self):
        self.assertPadded(("nx=30", "ny=20", "nz=6", "window_x=16", "window_y=6"), SMALL)

    # Time.

    def test_threads_and_data_do_not_change_time(self):
        self.assertThreadsDoNotMatter(*SMALL)
        self.assertDataTakeNoTime(*SMALL)
        self.assertDataTakeNoTime(*SMALL, "data=host")

    def test_what_makes_it_slower(self):
        words = ("nx=64", "ny=16", "nz=64", "window_x=64", "window_y=2", "pes=2")
        usual = self.time(*words)
        for slower in ("buffers=1", "partition=1", "data=host", "pes=1"):
            changed = [word for word in words if word.split("=")[0] != slower.split("=")[0]]
            self.assertGreater(self.time(*changed, slower), usual, slower)
        self.assertLess(self.time(*words, "lanes=2"), usual)

    def test_few_columns_wait_for_their_recurrence(self):
        """The same points in windows of 64 x 2 and of 4 x 2 columns."""
        words = ("nx=256", "ny=8", "nz=64", "pes=1", "window_y=2", "rounds=1", "--timing-only")
        wide = self.outcome(*words, "window_x=64")
        narrow = self.outcome(*words, "window_x=4")

        self.assertGreater(narrow["cycles"], 1.5 * wide["cycles"])
        self.assertGreater(narrow["metrics"]["units"]["forward"].get("recurrence", 0),
                           wide["metrics"]["units"]["forward"].get("recurrence", 0))

    def test_the_whole_domain_is_right_and_as_fast_as_published(self):
        """120.7 GFLOP/s on 14 PEs, within 10 %."""
        metrics = self.assertRight()["metrics"]

        self.assertEqual((metrics["pes"], metrics["window"]), (14, {"x": 64, "y": 2, "z": 64}))
        self.assertAlmostEqual(metrics["gflops"] / 120.7, 1, delta=0.1)

    # Refusals.

    def test_what_cannot_be_is_said_in_one_line(self):
        for words, says in (
                (("window_x=1024", "window_y=256", "nx=1024"), ("URAM",)),
                (("pes=17",), ("17", "16")),
                (("window_z=8",), ("window_z = 8, expected 64 (nz)",)),
                (("dtype=fp64",), ("dtype = fp64, expected one of fp32, fp16",)),
                (("limiter=on",), ("limiter",)),
                (("nz=1",), ("nz = 1, expected an integer in 2..4096",))):
            self.assertRefused(words, *says)

    # Other commands.

    def test_compare_runs_on_boards_and_other_chips(self):
        self.assertCompares("nx=36", "ny=20", "nz=8")

    def test_one_pe_and_long_passes_read_well(self):
        text = self.succeed("run", self.SCRIPT, "--chip", "nero_ad9v3", "pes=1", "nx=128", "ny=64", "rounds=1",
                            "--timing-only").stdout
        self.assertRegex(text, r" 1 PE, windows of .* GFLOP/s, [1-9]\.\d+ ms a pass; ")


if __name__ == "__main__":
    unittest.main()
