"""gridloom validate with suites made of measurements, which are invented here."""
import json
import os
import unittest

import gridloom
from gridloom import CHECK, DONE, INPUT

COLUMNS = "Kernel,Run Host ID,Transaction Size (bytes),Number of Transactions,Latency (cycles),Bandwidth (bytes/cycle)\n"
MANY = ("Transaction Size (bytes),Number of Transactions,Architecture,RISC-V Processor,Run Host ID,Memory type,"
        "Mechanism,Pattern,Same axis,Stateful,Loopback,Number of subordinates,NoC Index,Latency (cycles),"
        "Bandwidth (bytes/cycle)\n")


def sweep(rows, kernel="Sender"):
    """A file of sizes, counts and latencies."""
    return COLUMNS + "".join(f"{kernel},0,{size},{count},{cycles},1.0\n" for size, count, cycles in rows)


def events(last):
    """A trace of one read."""
    common = {"proc": "BRISC", "noc": "NOC_0", "sx": 1, "sy": 1}
    return json.dumps([
        {**common, "type": "READ", "timestamp": 1000, "dx": 3, "dy": 3, "num_bytes": 256},
        {**common, "type": "READ_BARRIER_START", "timestamp": 1100},
        {**common, "type": "READ_BARRIER_END", "timestamp": 1000 + last}])


class ValidateData(gridloom.Scenario):
    def simulate(self, *words):
        return json.loads(self.succeed("noc", "transfer", "--chip", "wormhole_n300", *words, "--json", "-").stdout)["cycles"]

    def put(self, name, text):
        self.write(f"data/{name}", text)

    def rows(self, *words, status=DONE):
        done = self.gridloom("validate", "noc", *words, "--json", "-")
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        result = json.loads(done.stdout)
        return {(row["source"], row["case"]): row for row in result["rows"]}, result["metrics"]

    def test_without_a_folder_every_row_is_skipped(self):
        rows, metrics = self.rows()

        self.assertTrue(rows)
        for row in rows.values():
            self.assertEqual((row["status"], row["published"], row["simulated"]), ("skipped", None, None))
            self.assertIn("--data DIR or GRIDLOOM_DATA", row["why"])
        self.assertEqual((metrics["passed"], metrics["failed"], metrics["runs"]), (0, 0, 0))
        text = self.succeed("validate", "noc").stdout
        self.assertEqual(text.count("noc: skipped, no measurements; give their folder by --data DIR or GRIDLOOM_DATA"), 1)
        self.assertIn("0 rows within their tolerance, 0 not", text)

    def test_a_folder_that_is_not_there_or_has_nothing_is_one_line(self):
        self.put("noc_silicon/notes.txt", "nothing")
        self.assertFails(INPUT, ["--data = no/such, allowed is a folder of measurements"],
                         "validate", "noc", "--data", "no/such")
        self.environment["GRIDLOOM_DATA"] = "no/such"
        self.assertFails(INPUT, ["no/such"], "validate", "noc")
        self.assertFails(INPUT, ["data: no file that suite noc has rules for"],
                         "validate", "noc", "--data", "data")

    def test_sweeps_become_rows_and_medians(self):
        cycles = [self.simulate("--op", "write", "--noc", "0", "--from", "L:0,0", "--to", "L:1,1", "--api", "1",
                                "--bytes", str(size), "--count", "4") for size in (64, 1024, 4096)]
        self.put("noc_silicon/One_to_One_Packet_Sizes.csv",
                 sweep([(64, 4, cycles[0]), (1024, 4, cycles[1] * 1.02), (4096, 4, cycles[2] / 1.1)]))

        rows, metrics = self.rows("--data", "data")
        strict = rows["One_to_One_Packet_Sizes.csv", "median of the absolute errors of 3"]

        self.assertEqual(rows["One_to_One_Packet_Sizes.csv", "4 x 64 B"]["error"], 0)
        self.assertAlmostEqual(rows["One_to_One_Packet_Sizes.csv", "4 x 1024 B"]["error"], 100 / 1.02 - 100)
        self.assertAlmostEqual(rows["One_to_One_Packet_Sizes.csv", "4 x 4096 B"]["error"], 10)
        self.assertEqual(strict["status"], "pass")
        self.assertAlmostEqual(strict["simulated"], 100 - 100 / 1.02)
        self.assertEqual([row["kind"] for row in rows.values()], ["calibrated"] * 4)
        self.assertEqual(metrics["summary"]["noc"]["calibrated"]["rows"], 4)

    def test_rows_and_medians_beyond_their_tolerance_fail(self):
        cycles = self.simulate("--op", "read", "--noc", "1", "--from", "L:0,0", "--to", "L:1,1", "--api", "1",
                               "--bytes", "512", "--count", "1")
        self.put("noc_silicon/One_from_One_Packet_Sizes.csv", sweep([(512, 1, cycles / 1.25)], "Receiver"))

        rows, metrics = self.rows("--data", "data", status=CHECK)

        self.assertEqual([row["status"] for row in rows.values()], ["fail", "fail"])
        self.assertEqual(metrics["failed"], 2)
        text = self.gridloom("validate", "noc", "--data", "data").stdout
        self.assertRegex(text, r"One_from_One_Packet_Sizes.csv +1 x 512 B .*fail")

    def test_what_no_rule_covers_is_named_in_one_line(self):
        cycles = self.simulate("--op", "loopback", "--from", "L:0,0", "--api", "1", "--bytes", "64")
        self.put("noc_silicon/Loopback_Packet_Sizes.csv", sweep([(64, 1, cycles), (64, 1, "slow"), (64, 1, 0)]))
        self.put("noc_silicon/Conv_Hardcoded.csv", "anything")
        self.put("noc_silicon/Core_Bidirectional_Packet_Sizes_Different_Kernels.csv", sweep([(64, 1, 10)]))
        self.put("other/x.json", "[")
        self.put("noc_silicon/README.md", "text")
        self.environment["GRIDLOOM_DATA"] = "data"

        rows, metrics = self.rows()

        self.assertEqual(len(rows), 2)
        self.assertEqual(metrics["not_covered"], [
            "Conv_Hardcoded.csv", "Core_Bidirectional_Packet_Sizes_Different_Kernels.csv",
            "Loopback_Packet_Sizes.csv (2 of 3 rows)", "x.json"])
        lines = self.succeed("validate", "noc").stdout.splitlines()
        self.assertEqual([line for line in lines if "no rule covers" in line],
                         ["noc: no rule covers " + ", ".join(metrics["not_covered"])])

    def test_a_damaged_file_is_one_line(self):
        self.put("noc_silicon/Loopback_Packet_Sizes.csv", COLUMNS + "Sender,0,64\n")
        self.assertFails(INPUT, ["Loopback_Packet_Sizes.csv:2: 3 fields, expected 6"], "validate", "noc",
                         "--data", "data")
        os.remove(os.path.join(self.folder, "data/noc_silicon/Loopback_Packet_Sizes.csv"))
        self.put("noc_traces/T.json", '[{"proc": "BRISC"}]')
        self.assertFails(INPUT, ["T.json"], "validate", "noc", "--data", "data")

    def test_files_that_are_like_known_ones_are_covered_by_rules(self):
        """Grids of other sizes, other networks, the newer API: by words of the name and by columns."""
        grid = ("--api", "1", "--from", "L:0,0", "--to", "L:0,0:L:3,2", "--bytes", "256", "--count", "2")
        cases = {
            "One_to_All_Multicast_4x3_Packet_Sizes_with_Loopback":
                (256, ("--op", "multicast", *grid, "--loopback", "on")),
            "One_to_All_Multicast_Linked_4x3_Packet_Sizes_without_Loopback":
                (256, ("--op", "multicast-linked", *grid, "--loopback", "off")),
            "One_to_All_Unicast_2x3_Packet_Sizes_with_Loopback":
                (6 * 64, ("--op", "write", "--pattern", "one-to-all", "--grid", "2x3", "--loopback", "on", "--api", "1",
                          "--bytes", "64", "--count", "2")),
            "One_to_One_Packet_Sizes_2.0":
                (64, ("--op", "write", "--to", "L:1,1", "--api", "2", "--bytes", "64", "--count", "2")),
        }
        for name, (size, words) in cases.items():
            self.put(f"noc_silicon/{name}.csv", sweep([(size, 2, self.simulate(*words))]))
        cycles = self.simulate("--op", "write", "--noc", "1", "--to", "L:0,1", "--stateful", "--peer-cycles", "14",
                               "--bytes", "64", "--count", "4")
        self.put("noc_silicon/Noc_Estimator_-_Other.csv", MANY +
                 f"64,4,wormhole_b0,riscv_0,0,L1,unicast,one_to_one,True,True,False,0,1,{cycles},1\n"
                 "64,4,wormhole_b0,riscv_0,0,DRAM,unicast,one_to_one,True,True,False,0,1,9,1\n")

        column = self.simulate("--op", "multicast-linked", "--from", "L:1,0", "--to", "L:0,0:L:0,7", "--loopback", "on",
                               "--bytes", "64", "--count", "4")
        reads = self.simulate("--op", "read", "--pattern", "one-from-all", "--grid", "8x1", "--loopback", "off",
                              "--peer-cycles", "14", "--bytes", "64", "--count", "2")
        self.put("noc_silicon/Noc_Estimator_-_Columns.csv", MANY +
                 f"64,4,wormhole_b0,riscv_0,0,L1,multicast_linked,one_to_column,True,False,False,8,0,{column},1\n"
                 f"64,14,wormhole_b0,riscv_1,0,L1,unicast,one_from_row,True,False,False,7,1,{reads},1\n")
        atomic = self.simulate("--op", "atomic", "--noc", "1", "--to", "L:1,1", "--count", "16")
        self.put("noc_silicon/Atomic_Semaphore_Non_Adjacent_Bandwidth_Sweep.csv",
                 "Transaction Size (bytes),Number of Transactions,NoC Index,Latency (cycles)\n"
                 f"1,16,1,{atomic}\n")

        rows, metrics = self.rows("--data", "data")

        self.assertEqual({row["error"] for row in rows.values()}, {0})
        self.assertEqual(len(rows), 2 * 6 + 3)
        self.assertIn(("Noc_Estimator_-_Other.csv", "4 x 64 B, same axis, stateful"), rows)
        self.assertEqual(metrics["not_covered"], ["Noc_Estimator_-_Other.csv (1 of 2 rows)"])
        predicted = [source for (source, _), row in rows.items() if row["kind"] == "predicted"]
        self.assertEqual(len(predicted), 2 * 6 + 3)

    def test_anomalies_are_shown_and_not_judged(self):
        head = "Transaction Size (bytes),Number of Transactions,RISC-V Processor,Latency (cycles)\n"
        self.put("noc_silicon/DRAM_Packet_Sizes_2.0.csv", head + "512,1,riscv_0,1\n512,1,riscv_1,1\n")
        self.put("noc_silicon/DRAM_Interleaved_Page_Write_Numbers.csv", head + "1024,4,riscv_0,1\n")
        self.put("noc_silicon/All_to_All_Packet_Sizes.csv", sweep([(4096, 1, 5000)]))

        rows, metrics = self.rows("--data", "data", status=CHECK)
        anomaly = rows["DRAM_Packet_Sizes_2.0.csv", "1 x 512 B, write"]
        early = rows["All_to_All_Packet_Sizes.csv", "1 x 4096 B"]

        self.assertEqual((anomaly["status"], anomaly["tolerance"]), ("skipped", None))
        self.assertGreater(anomaly["error"], 1000)
        self.assertIn("not judged: writes of 512 B", anomaly["note"])
        self.assertEqual(rows["DRAM_Packet_Sizes_2.0.csv", "1 x 512 B, read"]["status"], "fail")
        # A row that misses by a little stays a miss.
        self.assertEqual(rows["DRAM_Interleaved_Page_Write_Numbers.csv", "4 x 1024 B, write"]["status"], "fail")
        self.assertIn(("DRAM_Packet_Sizes_2.0.csv", "median of the absolute errors of 1"), rows)
        self.assertEqual((early["status"], early["simulated"], early["run"]), ("skipped", None, ""))
        self.assertIn("did not overlap", early["why"])
        self.assertEqual((metrics["summary"]["noc"]["calibrated"]["not_judged"],
                          metrics["summary"]["noc"]["predicted"]["not_run"]), (1, 1))
        self.assertIn("\nnoc: no row is judged of All_to_All_Packet_Sizes.csv\n",
                      self.gridloom("validate", "noc", "--data", "data").stdout)

    def test_traces_are_replayed(self):
        self.put("noc_traces/DRAM_TO_1x1_HEIGHT.json", events(500))
        self.put("noc_traces/unseen.json", events(500))
        predicted = json.loads(self.succeed("noc", "replay", "data/noc_traces/unseen.json", "--json", "-").stdout)

        rows, _ = self.rows("--data", "data", status=CHECK)

        self.assertEqual(rows["unseen.json", "replay"]["published"], 480)
        self.assertEqual(rows["unseen.json", "replay"]["simulated"], predicted["metrics"]["predicted_cycles"])
        self.assertEqual(rows["unseen.json", "replay"]["kind"], "predicted")
        self.assertEqual(rows["DRAM_TO_1x1_HEIGHT.json", "replay"]["kind"], "calibrated")
        error = abs(rows["unseen.json", "replay"]["error"])
        for group, limit in (("other recorded traces", 3), ("recorded traces that were fitted to", 2.5)):
            mean = rows[group, "mean of the absolute errors of 1"]
            self.assertAlmostEqual(mean["simulated"], error)
            self.assertEqual((mean["tolerance"], mean["status"]), (limit, "fail"))

    def test_a_quick_validation_takes_a_few_rows_of_each_file(self):
        self.put("noc_silicon/Loopback_Packet_Sizes.csv",
                 sweep([(64, 1, 100)] + [(64, count, 1e6) for count in range(2, 40)]))

        rows, metrics = self.rows("--data", "data", "--quick", status=CHECK)

        self.assertEqual(metrics["runs"], 10)
        self.assertEqual(rows["Loopback_Packet_Sizes.csv", "2 x 64 B"]["why"], "left out by --quick")
        median = rows["Loopback_Packet_Sizes.csv", "median of the absolute errors of 39"]
        self.assertEqual((median["status"], median["why"]), ("skipped", "left out by --quick"))

    def test_the_table_has_rows_of_measurements_when_asked_for(self):
        cycles = self.simulate("--op", "loopback", "--from", "L:0,0", "--api", "1", "--bytes", "64")
        self.put("noc_silicon/Loopback_Packet_Sizes.csv", sweep([(64, 1, cycles)]))

        short = self.succeed("validate", "noc", "--data", "data").stdout
        whole = self.succeed("validate", "noc", "--data", "data", "--rows").stdout

        self.assertNotIn("1 x 64 B  ", short)
        self.assertIn("(and 1 rows of measurements: --rows, --json or --html have them)", short)
        self.assertIn("1 x 64 B  ", whole)
        self.assertRegex(whole, r"noc +calibrated +2 +2 +0 +0 +0 +1 +0.00 % +\+0.00 %")

    def test_rules_that_are_malformed_are_one_line(self):
        suite = self.write("tiny.csv", "file,where,case\n")
        self.assertFails(INPUT, ["tiny.csv: no column quantity"], "validate", suite)


if __name__ == "__main__":
    unittest.main()
