"""gridloom noc replay: traces from silicon, small ones, and files that are not traces."""
import glob
import json
import os
import unittest

import gridloom
from gridloom import INPUT, SOURCE, without_host

UNMODELLED = 2
FIRST = 974565058991
END = 20

SILICON = sorted(glob.glob(os.path.join(SOURCE, "../shared/data/noc_traces/*.json")))


def event(time, kind, **fields):
    """An event of NCRISC on the core 1,1."""
    return {"proc": "NCRISC", "noc": "NOC_0", "vc": -1, "sx": 1, "sy": 1,
            "type": kind, "timestamp": FIRST + time, **fields}


def read(time, **fields):
    return event(time, "READ", **{"dx": 2, "dy": 2, "num_bytes": 2048, **fields})


def barrier(start, end, **fields):
    return [event(start, "READ_BARRIER_START", **fields),
            event(end, "READ_BARRIER_END", **fields)]


READS = [{"proc": "NCRISC", "zone": "NCRISC-KERNEL", "zone_phase": "begin", "sx": 1,
          "sy": 1, "timestamp": FIRST}, read(100), read(140), *barrier(170, 500)]


class Replay(gridloom.Scenario):
    def trace(self, events, name="trace.json"):
        return self.write(name, json.dumps(events))

    def replay(self, *words):
        """The JSON object of a run."""
        done = self.succeed("noc", "replay", *words, "--json", "-")
        return json.loads(done.stdout)

    def metrics_of(self, events, *words):
        return self.replay(self.trace(events), *words)["metrics"]

    def assertRefused(self, says, *words, status=INPUT):
        self.assertFails(status, says, "noc", "replay", *words)

    def assertTraceRefused(self, says, events):
        self.assertRefused(["trace.json", *says], self.trace(events))

    def test_the_host_has_counted_events(self):
        host = self.replay(self.trace(READS))["host"]

        self.assertGreater(host["events"], 10)
        self.assertGreater(host["events_per_second"], 0)

    def test_seconds_of_real_time_are_above_zero(self):
        self.assertRefused(["--limit-seconds = 0", "a number above 0"], "--limit-seconds",
                           "0", "x.json")

    def test_the_result_has_the_envelope_and_the_names_that_programs_read(self):
        result = self.replay(self.trace(READS))

        self.assertEqual((result["schema_version"], result["workload"], result["chip"]),
                         (1, "noc replay", "wormhole_n300"))
        self.assertEqual(result["parameters"],
                         {"traces": ["trace.json"], "l1_conflicts": "on"})
        self.assertEqual(result["check"]["status"], "skipped")
        self.assertIn("no data is moved", result["check"]["reference"])
        self.assertEqual(result["counters"]["noc_bytes"], 4096)
        metrics = result["metrics"]
        self.assertEqual(result["cycles"], metrics["predicted_cycles"])
        self.assertEqual(metrics["recorded_cycles"], 500 - END)
        self.assertAlmostEqual(metrics["error"],
                               metrics["predicted_cycles"] / (500 - END) - 1)
        self.assertAlmostEqual(metrics["closed_loop_error"],
                               metrics["closed_loop_cycles"] / (500 - END) - 1)
        self.assertAlmostEqual(metrics["barrier_error_mean"],
                               abs(metrics["predicted_cycles"] + END - 500) / 500)
        self.assertAlmostEqual(
            metrics["congestion_impact"],
            metrics["predicted_cycles"] / metrics["uncontended_cycles"] - 1)
        self.assertIn("error_without_l1_conflicts", metrics)
        self.assertEqual((metrics["barriers"], metrics["unknown_events"]), (1, {}))

    def test_one_read_takes_as_long_as_its_way(self):
        metrics = self.metrics_of([read(0, num_bytes=32), *barrier(20, 400)])

        # Stamp and command 27 + 6; there and back 22 hops of 9 and 4 ends of 5; the responder
        # 14; one flit of data; 40 until the barrier has seen it.
        self.assertAlmostEqual(metrics["predicted_cycles"] + END,
                               27 + 6 + 22 * 9 + 4 * 5 + 14 + 1 + 40, delta=2)
        self.assertAlmostEqual(metrics["congestion_impact"], 0, delta=0.01)

    def test_links_say_their_network_and_flits(self):
        links = self.metrics_of(READS)["links"]

        self.assertEqual(len(links), 480)
        flits = {(link["noc"], tuple(link["from"]), tuple(link["to"])): link["flits"]
                 for link in links}
        self.assertEqual(flits[0, (1, 1), (2, 1)], 2)
        self.assertEqual(flits[0, (2, 2), (3, 2)], 2 * 65)

    def test_two_agents_that_share_a_source_get_in_each_others_way(self):
        alone = [read(0, num_bytes=8192), *barrier(20, 800)]
        other = [dict(event, sy=2) for event in alone]

        self.assertGreater(
            self.metrics_of(sorted(alone + other, key=lambda e: e["timestamp"]))
            ["congestion_impact"], self.metrics_of(alone)["congestion_impact"] + 0.2)

    def test_in_the_closed_loop_reads_follow_the_predicted_barrier(self):
        late = [read(0), *barrier(20, 5000), read(5010), *barrier(5020, 5400)]

        metrics = self.metrics_of(late)
        self.assertGreater(metrics["predicted_cycles"], 5000)
        self.assertLess(metrics["closed_loop_cycles"], 1000)

    def test_times_do_not_depend_on_the_order_in_the_file(self):
        shuffled = self.metrics_of(READS[::-1])

        self.assertEqual(shuffled["unsorted_events"], len(READS) - 1)
        self.assertEqual(shuffled["predicted_cycles"],
                         self.metrics_of(READS)["predicted_cycles"])

    def test_reads_longer_than_a_packet_are_split(self):
        metrics = self.metrics_of([read(0, num_bytes=65536), *barrier(20, 3000)])

        self.assertAlmostEqual(metrics["predicted_cycles"], 65536 / 31, delta=350)

    def test_writes_are_replayed(self):
        metrics = self.metrics_of([
            event(0, "WRITE_", dx=2, dy=2, num_bytes=4096),
            event(30, "WRITE_BARRIER_START"), event(400, "WRITE_BARRIER_END")])

        flits = {(link["noc"], tuple(link["from"]), tuple(link["to"])): link["flits"]
                 for link in metrics["links"]}
        self.assertEqual(flits[0, (1, 1), (2, 1)], 129)
        self.assertEqual(metrics["barriers"], 1)

    def test_several_files_have_means(self):
        slow = self.trace([read(0), *barrier(20, 200)], "slow.json")
        fast = self.trace([read(0), *barrier(20, 2000)], "fast.json")
        metrics = self.replay(slow, fast)["metrics"]

        files = metrics["files"]
        self.assertEqual([file["name"] for file in files], ["slow.json", "fast.json"])
        errors = [file["error"] for file in files]
        self.assertGreater(errors[0], 0)
        self.assertLess(errors[1], 0)
        self.assertAlmostEqual(metrics["mean_abs_error"], (errors[0] - errors[1]) / 2)
        self.assertAlmostEqual(metrics["bias"], (errors[0] + errors[1]) / 2)
        self.assertEqual(metrics["worst_error"], max(errors, key=abs))
        self.assertIn("closed_loop_mean_abs_error", metrics)
        self.assertIn("mean_abs_error_without_l1_conflicts", metrics)
        self.assertAlmostEqual(metrics["barrier_error_mean"],
                               sum(file["barrier_error_mean"] for file in files) / 2)

    def test_every_barrier_end_of_all_files_counts_alike(self):
        one = self.trace([read(0), *barrier(20, 300)], "one.json")
        three = self.trace([read(0), *barrier(20, 600), *barrier(610, 620),
                            *barrier(630, 640)], "three.json")
        metrics = self.replay(one, three)["metrics"]

        first, second = (file["barrier_error_mean"] for file in metrics["files"])
        self.assertAlmostEqual(metrics["barrier_error_mean"], (first + 3 * second) / 4)

    @unittest.skipUnless(SILICON, "no ../shared/data/noc_traces beside the source")
    def test_silicon_is_predicted(self):
        metrics = self.replay(*SILICON)["metrics"]

        self.assertLessEqual(metrics["mean_abs_error"], 0.025)
        self.assertLessEqual(abs(metrics["worst_error"]), 0.10)
        self.assertLessEqual(metrics["barrier_error_mean"], 0.09)
        self.assertLessEqual(metrics["closed_loop_mean_abs_error"], 0.03)
        # The calibrated costs help, but the prediction does not rest on them.
        self.assertLess(metrics["mean_abs_error"],
                        metrics["mean_abs_error_without_l1_conflicts"])
        self.assertLessEqual(metrics["mean_abs_error_without_l1_conflicts"], 0.035)

    @unittest.skipUnless(SILICON, "no ../shared/data/noc_traces beside the source")
    def test_without_l1_conflicts_the_other_figure_is_the_result(self):
        metrics = self.replay(SILICON[0], "--l1-conflicts", "off")["metrics"]

        self.assertEqual(metrics["error"], metrics["error_without_l1_conflicts"])

    def test_unknown_types_are_named_and_counted(self):
        name = self.trace(READS + [event(510, "FABRIC_HOP"), event(520, "FABRIC_HOP"),
                                   event(530, "TELEPORT")])

        done = self.gridloom("noc", "replay", name, "--json", "r.json", "-q")

        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(done.stderr, "gridloom: note: trace.json: unknown event types, "
                         "not replayed: FABRIC_HOP (2), TELEPORT (1)\n")
        metrics = json.loads(self.read("r.json"))["metrics"]
        self.assertEqual(metrics["unknown_events"], {"FABRIC_HOP": 2, "TELEPORT": 1})
        self.assertEqual(metrics["recorded_cycles"], 530 - END)

    def test_events_without_a_model_are_named_and_counted(self):
        name = self.trace(READS + [event(510, "READ_BARRIER_WITH_TRID")])

        done = self.gridloom("noc", "replay", name, "--json", "r.json", "-q")

        self.assertEqual(done.stderr, "gridloom: note: trace.json: events without a "
                         "model, not replayed: READ_BARRIER_WITH_TRID (1)\n")
        self.assertEqual(json.loads(self.read("r.json"))["metrics"]["ignored_events"],
                         {"READ_BARRIER_WITH_TRID": 1})

    def flits_of(self, *events):
        """Flits by network and link; nothing is left out."""
        metrics = self.metrics_of(events)

        self.assertEqual(metrics["ignored_events"], {})
        return {(link["noc"], tuple(link["from"]), tuple(link["to"])): link["flits"]
                for link in metrics["links"]}

    def test_atomics_and_inline_writes_are_one_flit(self):
        for kind in "SEMAPHORE_INC", "WRITE_INLINE":
            flits = self.flits_of(event(0, kind, dx=2, dy=2), event(600, "ATOMIC_BARRIER"))
            self.assertEqual((flits[0, (1, 1), (2, 1)], flits[0, (2, 2), (3, 2)]), (1, 1))

    def test_multicasts_are_replayed(self):
        rectangle = {"mcast_start_x": 2, "mcast_start_y": 2,
                     "mcast_end_x": 3, "mcast_end_y": 3}
        flits = self.flits_of(event(0, "WRITE_MULTICAST", num_bytes=1024, **rectangle),
                              event(30, "WRITE_BARRIER_START"),
                              event(600, "WRITE_BARRIER_END"))

        self.assertEqual((flits[0, (2, 2), (2, 3)], flits[0, (3, 2), (3, 3)]), (33, 33))

    def test_a_multicast_that_nobody_receives_is_refused(self):
        empty = {"mcast_start_x": 0, "mcast_start_y": 2, "mcast_end_x": 0, "mcast_end_y": 4}

        self.assertTraceRefused(
            ["0,2 to 0,4", "Tensix"],
            [event(0, "WRITE_MULTICAST", num_bytes=1024, **empty)])

    def test_a_trace_that_takes_no_time_has_no_error(self):
        metrics = self.metrics_of([read(0)])

        self.assertEqual(metrics["recorded_cycles"], 0)
        self.assertIsNone(metrics["error"])
        self.assertIsNone(metrics["barrier_error_mean"])

    def test_the_same_run_gives_the_same_bytes(self):
        words = ["noc", "replay", self.trace(READS), "--json", "-"]

        self.assertEqual(without_host(self.succeed(*words).stdout),
                         without_host(self.succeed(*words).stdout))

    def test_people_get_a_table_with_the_ten_busiest_links(self):
        name = self.trace(READS)

        table = self.succeed("noc", "replay", name).stdout
        self.assertIn("trace.json", table)
        self.assertIn("PREDICTED", table)
        links = table.split("busiest links, flits per cycle\n")[1].splitlines()
        self.assertEqual(len(links), 11)
        self.assertIn("mean absolute error", self.succeed("noc", "replay", name,
                                                          name).stdout)
        self.assertEqual(self.succeed("noc", "replay", name, "-q").stdout, "")

    def test_a_heat_map_is_drawn(self):
        self.succeed("noc", "replay", self.trace(READS), "--heatmap", "h.svg", "-q")

        self.assertIn("noc0[2,2].east", self.read("h.svg"))

    def test_files_that_are_no_trace_are_refused(self):
        text = json.dumps(READS)

        self.assertRefused(["no trace; give one or more files"])
        self.assertRefused(["no.json: cannot be read"], "no.json")
        self.assertRefused([".: cannot be read"], ".")
        for name, content in (("cut.json", text[:-30]), ("text.json", "hello"),
                              ("object.json", "{}"), ("nothing.json", ""),
                              ("more.json", text + "]"), ("bytes.json", b"\xff\xfe\0")):
            self.assertRefused([f"{name}: "], self.write(name, content))
        self.assertTraceRefused(["empty"], [])

    def test_one_bad_file_among_several_is_named(self):
        good = self.trace(READS, "good.json")

        self.assertRefused(["bad.json: "], good, self.write("bad.json", "["), good)

    def test_events_that_cannot_be_are_refused(self):
        self.assertTraceRefused(["event 1: timestamp = -1"], [dict(read(0), timestamp=-1)])
        self.assertTraceRefused(["event 2: num_bytes = -4"], [read(0),
                                                              read(1, num_bytes=-4)])
        self.assertTraceRefused(["num_bytes"], [read(0, num_bytes=1 << 40)])

    def test_tiles_off_the_grid_or_without_memory_are_refused(self):
        self.assertTraceRefused(["event 2: tile 10,2, wormhole_n300 has 0..9,0..11"],
                                [read(0), read(1, dx=10)])
        self.assertTraceRefused(["event 1: tile 1,12"], [read(0, sy=12)])
        self.assertTraceRefused(["event 1: tile 0,2", "no memory"], [read(0, dx=0)])

    def test_options_that_cannot_be_used_are_refused(self):
        name = self.trace(READS)

        self.assertRefused(["--l1-conflicts = maybe, known are off, on"], name,
                           "--l1-conflicts", "maybe")
        self.assertRefused(["x: no such chip; known are"], name, "--chip", "x")
        self.assertRefused(["wse2: family = wse"], name, "--chip", "wse2",
                           status=UNMODELLED)
        self.assertRefused(["--heatmap: 2 traces"], name, name, "--heatmap", "h.svg")
        self.assertRefused(["--set: "], name, "--set", "x")

    def test_outputs_that_cannot_be_written_are_refused(self):
        name = self.trace(READS)

        self.assertRefused(["no/r.json: cannot be written"], name, "--json", "no/r.json")
        self.assertRefused(["no/h.svg: cannot be written"], name, "--json", "r.json",
                           "--heatmap", "no/h.svg")
        self.assertRefused(["cannot both be written"], name, "--json", "x", "--heatmap",
                           "x")


if __name__ == "__main__":
    unittest.main()
