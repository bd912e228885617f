"""Horizontal diffusion on FPGA boards: right to the bit, its time, resources and limits."""
import unittest

from board_runs import BoardRuns
from workload_runs import script_of

SMALL = ("nx=36", "ny=20", "nz=8", "window_x=12", "window_y=10", "window_z=4", "pes=3", "rounds=2")


class HdiffOnBoards(BoardRuns):
    SCRIPT = script_of("hdiff")
    SMALL = SMALL
    CHANGED = ("nx=12", "ny=11", "nz=3", "pes=1", "window_x=8", "window_y=6", "window_z=2")
    POINTS = 32 * 16 * 8
    FLOP = 42

    # Numbers.

    def test_every_mode_is_right_to_the_bit(self):
        self.assertModesAreRight(*((f"dtype={dtype}", "limiter=off") for dtype in ("fp32", "fp16")))

    def test_windows_of_all_shapes_are_right(self):
        """Windows larger than the grid, of one point, and with a remainder."""
        self.assertAllRight([("nx=5", "ny=5", "nz=1"), ("nx=9", "ny=7", "nz=3", "window_x=1", "window_y=1", "window_z=1"),
                             ("nx=9", "ny=30", "nz=5", "window_x=64", "window_y=7", "window_z=2"),
                             ("nx=33", "ny=8", "nz=2", "window_x=16", "window_y=8", "window_z=8", "pes=16")], "rounds=1")

    def test_time_steps_wait_for_each_other(self):
        """Right to the bit also where control is so quick that a round could overtake the one before."""
        words = ("nx=64", "ny=40", "nz=16", "window_x=16", "window_y=20", "window_z=8", "pes=16", "steps=on")
        quick = [word for key in ("control.host_cycles=0", "link.latency_cycles=1", "control.register_cycles=0")
                 for word in ("--set", key)]
        self.assertAllRight([(*words, "rounds=3"), (*words, "rounds=2", "dtype=fp16"), (*SMALL, "steps=on")], *quick)
        self.assertGreater(self.time(*words, "rounds=4"), self.time(*words[:-1], "rounds=4"))

    def test_time_steps_are_on_the_board(self):
        done = self.gridloom("run", self.SCRIPT, "--chip", "nero_ad9h7", *SMALL, "steps=on", "data=host")
        self.assertEqual(done.returncode, 1)
        self.assertIn("steps = on, data = host: time steps have their grids in the board's memory", done.stderr)

    def test_the_check_finds_what_is_wrong(self):
        self.assertFindsErrors("nero/hdiff.lua", (
            ("u(1, 0, 0) + u(-1, 0, 0)", "u(1, 0, 0) + u(-2, 0, 0)"),
            ("lap(dx, dy) - lap(0, 0)", "lap(dx, dy) + lap(0, 0)"),
            ("fx(0, 0) - fx(-1, 0)", "fx(0, 0) - fx(1, 0)"),
            ("fy(0, 0) - fy(0, -1)", "fy(0, 0) - fy(0, 1)"),
            ("d.select(flow * (u(dx, dy, 0) - u(0, 0, 0)), 0, flow)",
             "d.select(flow * (u(0, 0, 0) - u(dx, dy, 0)), 0, flow)")))

    # Reports.

    def test_rates_resources_and_energy(self):
        result = self.assertReports()
        metrics = result["metrics"]

        self.assertEqual(metrics["windows"], 3 * 2 * 2)
        self.assertEqual(metrics["window"], {"x": 12, "y": 10, "z": 4})
        self.assertEqual(metrics["pes"], 3)
        self.assertEqual(metrics["link_bytes"], 0)
        self.assertEqual(self.outcome(*SMALL, "limiter=off")["metrics"]["flops_per_point"], 34)

    def test_every_cycle_of_a_part_has_a_reason(self):
        self.assertPartsAreAccountedFor("reader", "forward", "writer")

    def test_traces_have_a_lane_for_each_part(self):
        self.assertTraced("pe[0,0].reader", "pe[2,0].forward", "pe[1,0].writer", "channel[0,0]", "control")

    def test_a_grid_that_windows_do_not_divide_is_padded(self):
        self.assertPadded(("nx=30", "ny=20", "nz=6", "window_x=16", "window_y=10", "window_z=4"), SMALL)

    # Time.

    def test_threads_and_data_do_not_change_time(self):
        self.assertThreadsDoNotMatter(*SMALL)
        self.assertDataTakeNoTime(*SMALL)
        self.assertDataTakeNoTime(*SMALL, "data=host")

    def test_what_makes_it_slower(self):
        words = ("nx=68", "ny=68", "nz=16", "window_x=34", "window_y=17", "window_z=8", "pes=2")
        usual = self.time(*words)
        for slower in ("lanes=1", "partition=1", "pes=1"):
            changed = [word for word in words if word.split("=")[0] != slower.split("=")[0]]
            self.assertGreater(self.time(*changed, slower), usual, slower)
        self.assertGreater(self.time(*words, "data=host", "--set", "link.bytes_per_second=2000000000"), usual)
        # One thread of the host, memory that rests more often or opens rows more slowly.
        for slower in ("control.host_thread_count=1", "memory.refresh_ns=2000", "memory.row_cycle_ns=900"):
            self.assertGreater(self.time(*words, "--set", slower), usual, slower)

    def test_ports_of_their_own_scale_with_pes_and_a_shared_one_does_not(self):
        words = ("nx=256", "ny=128", "nz=32", "rounds=1")
        hbm = [self.time(*words, f"pes={pes}") for pes in (1, 4)]
        shared = [self.time(*words, f"pes={pes}", *self.DDR4, "--set",
                            "memory.channel_bytes_per_second=10000000000") for pes in (1, 4)]

        self.assertAlmostEqual(hbm[0] / hbm[1], 4, delta=0.2)
        self.assertLess(self.time(*words, "pes=1", *self.DDR4), hbm[0])
        self.assertLess(shared[0] / shared[1], 2)

    def test_the_whole_domain_is_right_and_as_fast_as_published(self):
        """485.4 GFLOP/s on 16 PEs, within 10 %."""
        metrics = self.assertRight()["metrics"]

        self.assertEqual((metrics["pes"], metrics["window"]), (16, {"x": 16, "y": 64, "z": 8}))
        self.assertAlmostEqual(metrics["gflops"] / 485.4, 1, delta=0.1)

    # Refusals.

    def test_what_cannot_be_is_said_in_one_line(self):
        for words, says in (
                (("window_x=4096", "window_y=1024", "nx=4096", "ny=1024"), ("URAM",)),
                (("pes=17",), ("17", "16")),
                (("pes=5", *self.DDR4), ("5", "4")),
                (("dtype=bf16",), ("dtype = bf16, expected one of fp32, fp16",)),
                (("nx=4",), ("nx = 4, expected an integer in 5..4096",)),
                (("data=chip", "nx=2048", "ny=2048", "--timing-only"), ("2 of them are 2147483648 bytes", "BRAM and URAM")),
                (("--set", "dram.channel_bytes=1000000", "--timing-only"), ("dram: 16777216 bytes do not fit",))):
            self.assertRefused(words, *says)

    # Other commands.

    def test_compare_runs_on_boards_and_other_chips(self):
        self.assertCompares("nx=36", "ny=20", "nz=8")


if __name__ == "__main__":
    unittest.main()
