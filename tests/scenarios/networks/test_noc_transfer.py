"""gridloom noc transfer: whole runs, and bad input."""
import json
import unittest

import gridloom
from gridloom import INPUT, without_host

UNMODELLED = 2

WRITE = ["--op", "write", "--to", "L:1,1"]


class Transfer(gridloom.Scenario):
    def transfer(self, *words, **options):
        """The JSON object of a run."""
        done = self.succeed("noc", "transfer", *words, "--json", "-", **options)
        return json.loads(done.stdout)

    def cycles(self, *words):
        return self.transfer(*words)["cycles"]

    def busy(self, *words):
        """Links that carry data, as (noc, from, to)."""
        links = self.transfer(*words, "--bytes", "1024")["metrics"]["links"]
        return {(link["noc"], tuple(link["from"]), tuple(link["to"]))
                for link in links if link["flits"] >= 32}

    def assertRefused(self, says, *words, status=INPUT):
        self.assertFails(status, says, "noc", "transfer", *words)

    def test_the_host_has_counted_events(self):
        host = self.transfer("--op", "write", "--to", "2,2")["host"]

        self.assertGreater(host["events"], 10)
        self.assertGreater(host["events_per_second"], 0)

    def test_seconds_of_real_time_are_above_zero(self):
        self.assertRefused(["--limit-seconds = 0", "a number above 0"], "--limit-seconds",
                           "0", "--op", "write", "--to", "2,2")

    def test_the_result_has_the_envelope_and_the_names_that_programs_read(self):
        result = self.transfer(*WRITE, "--chip", "wormhole_n300", "--bytes", "8192",
                               "--count", "4")

        self.assertEqual((result["schema_version"], result["workload"], result["chip"]),
                         (1, "noc transfer", "wormhole_n300"))
        self.assertEqual(len(result["chip_digest"]), 64)
        self.assertEqual(result["parameters"], {
            "op": "write", "from": [1, 1], "to": [2, 2], "bytes": 8192, "count": 4,
            "noc": 0, "vc": 0, "posted": False, "stateful": False, "api": 2,
            "loopback": "off", "start_skew": 0, "l1_conflicts": "on"})
        self.assertEqual(result["check"]["status"], "skipped")
        self.assertIn("no data is moved", result["check"]["reference"])
        metrics = result["metrics"]
        self.assertEqual((metrics["cores"], metrics["bytes"]), (1, 32768))
        self.assertEqual(metrics["core_cycles"],
                         [{"core": [1, 1], "cycles": result["cycles"]}])
        self.assertAlmostEqual(metrics["bytes_per_cycle"], 32768 / result["cycles"])
        self.assertGreaterEqual(metrics["total_cycles"], result["cycles"])
        self.assertEqual(result["counters"]["noc_bytes"], 32768)
        self.assertAlmostEqual(result["seconds"], result["cycles"] * 1e-9)

    def test_links_and_routers_are_listed_for_both_networks(self):
        metrics = self.transfer(*WRITE, "--bytes", "8192", "--count", "4")["metrics"]

        self.assertEqual((len(metrics["links"]), len(metrics["routers"])), (480, 120))
        flits = {(link["noc"], tuple(link["from"]), link["direction"]): link
                 for link in metrics["links"]}
        first = flits[0, (1, 1), "east"]
        self.assertEqual((first["to"], first["flits"]), ([2, 1], 4 * 257))
        self.assertAlmostEqual(first["utilisation"], 4 * 257 / metrics["total_cycles"])
        self.assertEqual(flits[0, (2, 1), "south"]["flits"], 4 * 257)
        self.assertEqual(flits[1, (1, 1), "north"]["flits"], 0)

    def test_a_write_goes_there_on_noc_0_and_a_read_comes_back_on_noc_1(self):
        there = {(0, (1, 1), (2, 1)), (0, (2, 1), (2, 2))}
        back = {(1, (2, 2), (2, 1)), (1, (2, 1), (1, 1))}

        self.assertEqual(self.busy(*WRITE), there)
        self.assertEqual(self.busy("--op", "read", "--to", "L:1,1"), back)
        self.assertEqual(self.busy("--op", "read", "--to", "2,2", "--noc", "1"), back)

    def test_the_silicon_tests_of_one_packet_are_close(self):
        # One_to_One and One_from_One of tt-low-level-documentation, 8 KiB, n = 256.
        writes = self.transfer(*WRITE, "--bytes", "8192", "--count", "256")
        reads = self.transfer("--op", "read", "--to", "L:1,1", "--api", "1", "--bytes",
                              "8192", "--count", "256")

        self.assertAlmostEqual(writes["metrics"]["bytes_per_cycle"], 31.1, delta=0.3)
        self.assertAlmostEqual(reads["metrics"]["bytes_per_cycle"], 28.5, delta=0.6)

    def test_logical_coordinates_leave_out_what_is_no_core(self):
        for logical, tile in (("L:0,0", [1, 1]), ("L:4,0", [6, 1]), ("L:7,7", [9, 9]),
                              ("L:0,5", [1, 7])):
            parameters = self.transfer("--op", "write", "--to", logical)["parameters"]

            self.assertEqual(parameters["to"], tile)
        parameters = self.transfer("--op", "loopback", "--from", "L:0,0", "--set",
                                   "grid.harvested_rows=1,2")["parameters"]
        self.assertEqual(parameters["from"], [1, 3])

    def test_every_operation_runs(self):
        for words in (["read"], ["inline"], ["atomic"], ["bidirectional"],
                      ["write", "--stateful"], ["write", "--posted"],
                      ["inline", "--posted", "--stateful"], ["multicast"],
                      ["multicast-linked"]):
            self.assertGreater(self.cycles("--op", *words, "--to", "L:1,1", "--count",
                                           "3"), 0, words)
        for words in (["page-read"], ["page-write"], ["loopback"]):
            self.assertGreater(self.cycles("--op", *words, "--count", "13"), 0, words)
        self.assertGreater(self.cycles("--op", "read", "--to", "0,11"), 0)

    def test_what_is_issued_faster_ends_sooner(self):
        many = ["--bytes", "32", "--count", "100"]

        self.assertEqual(self.cycles(*WRITE, *many) -
                         self.cycles(*WRITE, *many, "--stateful"), 2 * 100)
        read = ["--op", "read", "--to", "L:1,1", *many]
        self.assertEqual(self.cycles(*read) - self.cycles(*read, "--api", "1"), 6 * 100)
        self.assertLess(self.cycles(*WRITE, "--posted"), self.cycles(*WRITE))

    def test_inline_writes_and_atomics_are_four_bytes(self):
        for op in ("inline", "atomic"):
            result = self.transfer("--op", op, "--to", "L:0,1", "--count", "10")

            self.assertEqual(result["metrics"]["bytes"], 40)
        self.assertRefused(["--bytes = 8, allowed is 4"], "--op", "inline", "--to",
                           "L:0,1", "--bytes", "8")

    def test_a_number_of_the_chip_can_be_set(self):
        one = [*WRITE, "--bytes", "32"]
        result = self.transfer(*one, "--set", "noc.hop_cycles=10")

        # There and back is once around both rings.
        self.assertEqual(result["cycles"] - self.cycles(*one), 22)
        self.assertEqual(result["overrides"], {"noc.hop_cycles": "10"})

    def test_a_multicast_reaches_its_rectangle(self):
        down = {(0, (1, 1), (1, 2)), (0, (2, 1), (2, 2))}
        square = down | {(0, (1, 1), (2, 1))}
        words = ["--op", "multicast", "--from", "L:0,0", "--to"]

        self.assertEqual(self.busy(*words, "1,1:2,2"), square)
        self.assertEqual(self.busy(*words, "L:0,0:1,1"), square)
        self.assertEqual(self.busy(*words, "L:0,0:L:1,1"), square)
        # Columns and rows without a Tensix tile do not count.
        self.assertEqual(self.busy(*words, "0,0:2,2"), square)
        self.assertEqual(self.busy("--op", "multicast", "--pattern", "one-to-all",
                                   "--grid", "2x2"), square)

    def test_senders_beside_their_rectangle_stand_where_they_are_told(self):
        metrics = self.transfer("--op", "multicast", "--pattern", "all-to-all", "--grid",
                                "2x1:3x1", "--from", "L:1,2")["metrics"]

        self.assertEqual([core["core"] for core in metrics["core_cycles"]],
                         [[2, 3], [3, 3]])

    def test_a_rectangle_may_reach_around_the_edge(self):
        wide = self.busy("--op", "multicast", "--from", "9,1", "--to", "9,1:1,1")

        self.assertEqual(wide, {(0, (9, 1), (0, 1)), (0, (0, 1), (1, 1))})

    def test_a_sender_inside_its_rectangle_uses_no_link_twice(self):
        links = self.transfer("--op", "multicast", "--from", "L:1,1", "--to",
                              "L:0,0:2,2")["metrics"]["links"]

        self.assertLess(max(link["flits"] for link in links), 2 * 65)

    def test_the_sender_receives_only_when_told(self):
        words = ["--op", "multicast", "--to", "L:0,0:1,1"]

        self.assertEqual(self.transfer(*words)["parameters"]["loopback"], "off")
        self.assertEqual(self.transfer(*words, "--loopback", "on")
                         ["parameters"]["loopback"], "on")
        self.assertRefused(["--to = 1,1:1,1", "--loopback on"], "--op", "multicast",
                           "--to", "1,1:1,1")
        self.transfer("--op", "multicast", "--to", "1,1:1,1", "--loopback", "on")

    def test_linked_multicasts_reserve_their_path_once(self):
        words = ["--to", "L:0,0:1,1", "--count", "20"]

        self.assertLess(self.cycles("--op", "multicast-linked", *words),
                        0.75 * self.cycles("--op", "multicast", *words))

    def test_patterns_have_their_cores_and_bytes(self):
        for words, cores, peers in (
                (["one-to-all", "--grid", "2x2"], 1, 3),
                (["one-to-all", "--grid", "2x2", "--loopback", "on"], 1, 4),
                (["one-to-all", "--grid", "1x1:8x1"], 1, 7),
                (["one-from-all", "--grid", "4x4"], 1, 16),
                (["one-from-all", "--grid", "4x4", "--loopback", "off"], 1, 15),
                (["all-to-all", "--grid", "3x2"], 6, 6),
                (["all-to-all", "--grid", "2x2:3x1"], 4, 3),
                (["all-from-all", "--grid", "8x8:2x2"], 64, 4)):
            metrics = self.transfer("--pattern", *words, "--bytes", "64", "--count",
                                    "2")["metrics"]

            self.assertEqual((metrics["cores"], metrics["bytes"]),
                             (cores, peers * 2 * 64), words)
            self.assertEqual(len(metrics["core_cycles"]), cores)

    def test_the_median_core_is_reported(self):
        result = self.transfer("--pattern", "all-to-all", "--grid", "3x1")

        cycles = sorted(core["cycles"] for core in result["metrics"]["core_cycles"])
        self.assertEqual(result["cycles"], cycles[1])
        self.assertEqual(result["metrics"]["median_cycles"], cycles[1])

    def test_cores_that_start_far_apart_do_not_meet(self):
        words = ["--pattern", "all-to-all", "--grid", "4x4", "--bytes", "4096"]
        together = self.transfer(*words)
        apart = self.transfer(*words, "--start-skew", "20000")

        self.assertLess(apart["cycles"], 0.7 * together["cycles"])
        self.assertGreater(apart["metrics"]["total_cycles"], 15 * 20000)

    def test_l1_conflicts_can_be_switched_off(self):
        words = ["--op", "bidirectional", "--to", "L:1,1", "--bytes", "8192", "--count",
                 "32"]

        self.assertLess(self.cycles(*words, "--l1-conflicts", "off"), self.cycles(*words))

    def test_the_same_run_gives_the_same_bytes(self):
        words = ["noc", "transfer", "--pattern", "all-from-all", "--grid", "4x4",
                 "--json", "-"]

        self.assertEqual(without_host(self.succeed(*words).stdout),
                         without_host(self.succeed(*words).stdout))

    def test_people_get_a_table_unless_quiet(self):
        words = ["noc", "transfer", *WRITE]

        table = self.succeed(*words).stdout
        self.assertIn("write, 1,1 to 2,2", table)
        self.assertIn("bytes per cycle", table)
        self.assertIn("busiest links", table)
        self.assertEqual(self.succeed(*words, "-q").stdout, "")
        self.assertIn("L:X,Y", self.succeed("noc", "transfer", "--help").stdout)

    def test_a_heat_map_is_drawn(self):
        self.succeed("noc", "transfer", *WRITE, "--heatmap", "h.svg", "-q")

        picture = self.read("h.svg")
        self.assertTrue(picture.startswith("<svg "))
        self.assertIn("noc0[1,1].east", picture)

    def test_unknown_words_list_the_known_ones(self):
        self.assertRefused(["no --op, known are read, write"])
        self.assertRefused(["--op = push, known are read, write, inline, atomic, "
                            "bidirectional, page-read, page-write, multicast, "
                            "multicast-linked, read-after-write, write-after-read, "
                            "loopback, page-copy"], "--op", "push")
        self.assertRefused(["--pattern = ring, known are one-to-all, one-from-all, "
                            "all-to-all, all-from-all, dram-neighbours"], "--pattern",
                           "ring")
        self.assertRefused(["--start = now, known are at-once, barrier"], *WRITE,
                           "--start", "now")
        self.assertRefused(["--l1-conflicts = yes, known are off, on"], *WRITE,
                           "--l1-conflicts", "yes")
        self.assertRefused(["ws3: no such chip; known are a100_40gb"], *WRITE,
                           "--chip", "ws3")
        self.assertRefused(["unexpected word 'more'"], *WRITE, "more")
        self.assertRefused(["Unknown option --push"], *WRITE, "--push")

    def test_coordinates_that_are_none_are_refused(self):
        for text in ("", "1", "1,", ",1", "1,1,1", "-1,1", "1,+1", "a,b", "1;1", "l:1,1",
                     "L:", "L:1", "L1,1", "1,1:2,2", " 1,1", "99999999999999999999,1",
                     "1,1\n"):
            self.assertRefused(["--to = ", "allowed is X,Y or L:X,Y"], "--op", "write",
                               "--to", text)
            self.assertRefused(["--from = ", "allowed is X,Y or L:X,Y"], *WRITE, "--from",
                               text)
        for text in ("", "1,1:", ":1,1", "1,1:2,2:3,3", "1,1:L:2,2", "L:0,0:1"):
            self.assertRefused(["--to = ", "allowed is X,Y:X,Y or L:X,Y:X,Y"], "--op",
                               "multicast", "--to", text)

    def test_tiles_off_the_grid_are_refused(self):
        for text in ("10,1", "1,12", "63,63"):
            self.assertRefused([f"--to = {text}, wormhole_n300 has tiles 0..9,0..11"],
                               "--op", "write", "--to", text)
        for text in ("L:8,0", "L:0,8"):
            self.assertRefused([f"--to = {text}", "logical coordinates 0..7,0..7"],
                               "--op", "write", "--to", text)
        self.assertRefused(["--to = 1,1:10,1", "0..9,0..11"], "--op", "multicast", "--to",
                           "1,1:10,1")

    def test_tiles_without_the_function_are_refused(self):
        self.assertRefused(["--from = 0,1", "a DRAM tile", "Tensix"], *WRITE, "--from",
                           "0,1")
        self.assertRefused(["--from = 1,6", "an Ethernet tile"], *WRITE, "--from", "1,6")
        self.assertRefused(["--to = 0,2", "a router without memory"], "--op", "write",
                           "--to", "0,2")
        self.assertRefused(["--to = 1,10", "a harvested row"], "--op", "write", "--to",
                           "1,10")
        self.assertRefused(["--to = 5,1:5,5", "a rectangle with a Tensix tile"], "--op",
                           "multicast", "--to", "5,1:5,5")

    def test_amounts_that_are_zero_negative_or_absurd_are_refused(self):
        for text in ("0", "-1", "16777217", "1e-3", "99999999999999999999", "2K"):
            self.assertRefused([f"--bytes = {text}, allowed is a whole number in "
                                "1..16777216"], *WRITE, "--bytes", text)
        for text in ("0", "-1", "1000001", "1.5"):
            self.assertRefused([f"--count = {text}, allowed is a whole number in "
                                "1..1000000"], *WRITE, "--count", text)
        self.assertRefused(["--count = (nothing)"], *WRITE, "--count", "")
        self.assertRefused(["2.048e+09 packets in all, allowed are at most 10,000,000"],
                           *WRITE, "--bytes", "16777216", "--count", "1000000")
        self.assertRefused(["flits in all, allowed are at most 1,000,000,000"], *WRITE,
                           "--bytes", "8192", "--count", "1000000", "--set",
                           "noc.flit_bytes=4", "--set", "noc.link_bytes_per_cycle=4",
                           "--set", "noc.payload_limit_flits=65536")
        self.assertRefused(["packets in all"], "--pattern", "all-to-all", "--grid", "8x8",
                           "--count", "1000000")
        for option, text, allowed in (("--noc", "2", "0..1"), ("--vc", "4", "0..3"),
                                      ("--vc", "-1", "0..3"), ("--api", "3", "1..2"),
                                      ("--start-skew", "-5", "0..1000000000"),
                                      ("--issue-cycles", "0", "1..1,000,000"),
                                      ("--vcs", "5", "1..4")):
            self.assertRefused([f"{option} = {text}", allowed], *WRITE, option, text)

    def test_grids_larger_than_the_chip_are_refused(self):
        for text in ("9x8", "8x9", "0x1", "1x0", "8", "x", "2x2x2", "2x2:", "2x2:2x2:2x2",
                     "-1x2", "2x2:9x1", "99999999999x1"):
            self.assertRefused([f"--grid = {text}, allowed is WxH or WxH:WxH, each at "
                                "most 8x8"], "--pattern", "all-to-all", "--grid", text)
        self.assertRefused(["the first of two 1x1"], "--pattern", "one-to-all", "--grid",
                           "2x2:2x2")
        self.assertRefused(["--grid = 1x1", "--loopback on"], "--pattern", "one-to-all",
                           "--grid", "1x1")
        self.assertRefused(["--banks = 13", "the chip has 12"], "--pattern",
                           "dram-neighbours", "--banks", "13")
        self.assertRefused(["--grid = 8x1", "less what is before --from"], "--pattern",
                           "all-to-all", "--grid", "8x1", "--from", "L:1,0")
        self.assertRefused(["--grid = 2x2:2x2, allowed is WxH, each at most 8x8"], "--op",
                           "page-read", "--grid", "2x2:2x2")

    def test_the_kernels_of_silicon_tests_run(self):
        for words in (
                ["--op", "page-write", "--grid", "8x8", "--order", "rows", "--pages", "1",
                 "--page-step", "1", "--start", "barrier"],
                ["--op", "page-read", "--page-memory", "l1", "--first-page", "9"],
                ["--op", "page-copy", "--grid", "2x2", "--pages", "4", "--page-step", "4"],
                ["--pattern", "all-to-all", "--op", "multicast", "--grid", "8x1",
                 "--from", "L:0,1"],
                ["--pattern", "dram-neighbours", "--banks", "5", "--neighbours", "east",
                 "--stateful", "--noc", "0"],
                ["--op", "read-after-write", "--to", "L:0,7:7,0"],
                ["--op", "write-after-read", "--to", "L:7,0:0,7", "--stateful"],
                ["--op", "multicast-linked", "--to", "L:0,0:2,2", "--handshake"],
                [*WRITE, "--vcs", "4", "--issue-cycles", "33.5"]):
            result = self.transfer(*words, "--count", "4")
            self.assertGreater(result["cycles"], 0, words)
        self.assertEqual(result["parameters"]["vcs"], 4)
        self.assertEqual(result["parameters"]["issue_cycles"], 33.5)

    def test_a_second_kernel_has_a_time_of_its_own(self):
        metrics = self.transfer("--op", "bidirectional", "--kernels", "2", "--to", "L:1,1",
                                "--bytes", "32", "--count", "10")["metrics"]

        self.assertEqual(metrics["median_cycles"],
                         self.cycles(*WRITE, "--bytes", "32", "--count", "10"))
        self.assertEqual(metrics["beside_cycles"],
                         self.cycles("--op", "read", "--to", "L:1,1", "--bytes", "32",
                                     "--count", "10"))
        self.assertIn("the kernel at the same time", self.succeed(
            "noc", "transfer", "--op", "bidirectional", "--kernels", "2", "--to",
            "L:1,1").stdout)

    def test_options_that_do_not_go_together_are_refused(self):
        for says, words in (
                ("--op write: needs --to", ["--op", "write"]),
                ("--op multicast: needs --to", ["--op", "multicast"]),
                ("--to: not together with --op page-read",
                 ["--op", "page-read", "--to", "2,2"]),
                ("--to: not together with --op loopback",
                 ["--op", "loopback", "--to", "2,2"]),
                ("--to: not together with --pattern",
                 ["--pattern", "all-to-all", "--grid", "2x2", "--to", "2,2"]),
                ("--from: not together with --pattern",
                 ["--pattern", "dram-neighbours", "--from", "2,2"]),
                ("--grid: not together with --pattern",
                 ["--pattern", "dram-neighbours", "--grid", "2x2"]),
                ("--op read-after-write: needs --to X,Y:X,Y",
                 ["--op", "read-after-write"]),
                ("--banks: allowed with", [*WRITE, "--banks", "2"]),
                ("--pages: allowed is", [*WRITE, "--pages", "2"]),
                ("--kernels 2: allowed is", [*WRITE, "--kernels", "2"]),
                ("--handshake: allowed is", [*WRITE, "--handshake"]),
                ("--handshake: allowed is",
                 ["--pattern", "all-to-all", "--op", "multicast", "--grid", "2x2",
                  "--handshake"]),
                ("3 channels from 2 on, there are 4", [*WRITE, "--vc", "2", "--vcs", "3"]),
                ("--op = read, allowed with --pattern all-to-all is write",
                 ["--pattern", "all-to-all", "--grid", "2x2", "--op", "read"]),
                ("--grid: allowed with --pattern only", [*WRITE, "--grid", "2x2"]),
                ("--pattern: needs --grid", ["--pattern", "all-to-all"]),
                ("--posted: allowed is", ["--op", "read", "--to", "2,2", "--posted"]),
                ("--stateful: allowed is",
                 ["--op", "atomic", "--to", "2,2", "--stateful"]),
                ("--loopback: allowed is", [*WRITE, "--loopback", "on"])):
            self.assertRefused([says], *words)

    def test_chips_without_such_a_network_are_not_modelled(self):
        self.assertRefused(["wse2: family = wse"], *WRITE, "--chip", "wse2",
                           status=UNMODELLED)

    def test_numbers_that_do_not_fit_together_are_refused(self):
        for assignment, says in (
                ("grid.column_count=5", "grid.tensix_columns has 6"),
                ("grid.row_count=4", "grid.tensix_rows has 4"),
                ("dram.tile_rows=0,1", "dram.tile_columns has 18 values"),
                ("pcie.tile_row=63", "pcie.tile_row"),
                ("noc.vc_count=64", "noc.port_buffer_bytes = 2048"),
                ("noc.vc_reserved_bytes=256", "reserve 4096 of it"),
                ("grid.harvested_rows=1,2,3,4,5,7,8,9,10,11", "no Tensix tile")):
            self.assertRefused([says], *WRITE, "--set", assignment)
        self.assertRefused(["--set: "], *WRITE, "--set", "noc.hops=3")

    def test_outputs_that_cannot_be_written_are_refused_before_the_run(self):
        endless = [*WRITE, "--bytes", "8192", "--count", "1000000"]

        self.assertRefused(["no/r.json: cannot be written"], *endless, "--json",
                           "no/r.json")
        self.assertRefused(["no/h.svg: cannot be written"], *endless, "--json", "r.json",
                           "--heatmap", "no/h.svg")
        self.assertRefused(["cannot both be written"], *endless, "--json", "x",
                           "--heatmap", "x")


if __name__ == "__main__":
    unittest.main()
