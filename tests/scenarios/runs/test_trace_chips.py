"""Traces of systems of several chips: hosts, links and chips on one clock."""
import csv
import json
import re
import unittest

from gridloom import Scenario

WORDS = ["stencil25", "--system", "n300", "rows=2", "cols=2", "tiles=3", "steps=2"]
UNMODELLED = 2
BYTES = 4 * 16 * 2 + 50     # of a message: four lines of 16 numbers, and a packet's own


class ChipTraces(Scenario):
    usual = None    # the records and the result of WORDS

    def run_usual(self):
        if ChipTraces.usual is None:
            ChipTraces.usual = self.traced(*WORDS)
        return ChipTraces.usual

    def traced(self, *words):
        """The records of a run's trace, and its result."""
        self.succeed("run", *words, "-q", "--json", "r.json", "--trace", "t.pftrace")
        self.succeed("export", "t.pftrace", "--to", "csv", "-o", "t.csv")
        with open(self.path("t.csv"), encoding="utf-8") as file:
            records = list(csv.DictReader(file))
        return records, json.loads(self.read("r.json"))

    def slices(self, records, lane):
        return [(record["name"], int(record["begin"]), int(record["end"]), record["arguments"])
                for record in records if record["record"] == "slice" and record["lane"] == lane]

    def test_several_chips_have_their_names_and_one_has_none(self):
        records, _ = self.run_usual()
        kinds = {record["kind"] for record in records}

        for chip in ("chip0", "chip1"):
            self.assertLess({f"{chip}.core", f"{chip}.noc0", f"{chip}.ethernet"}, kinds)
        self.assertLess({"host", "pcie_up", "eth_0_to_1", "eth_1_to_0"}, kinds)
        self.assertFalse({"core", "noc0", "ethernet"} & kinds)
        self.assertIn("chip1.core[1,1].math", {record["lane"] for record in records})

        alone = {record["kind"] for record in self.traced("stencil25", "rows=2", "cols=2", "tiles=3")[0]}
        self.assertIn("core", alone)
        self.assertFalse({kind for kind in alone if "chip" in kind or kind in ("host", "pcie_up")})

    def test_a_message_is_on_the_link_when_its_port_has_initiated_it(self):
        records, result = self.run_usual()
        links = {link["name"]: link for link in result["metrics"]["links"]}

        for here, there in ((0, 1), (1, 0)):
            name = f"eth_{here}_to_{there}"
            messages = [one for record in {record["lane"] for record in records if record["kind"] == name}
                        for one in self.slices(records, record)]
            initiated = {end for lane in {record["lane"] for record in records
                                          if record["kind"] == f"chip{here}.ethernet"}
                         for what, _, end, _ in self.slices(records, lane) if what == "initiate"}
            # Two cores, two levels, three messages of one tile each.
            self.assertEqual(len(messages), 12)
            for what, begin, end, arguments in messages:
                self.assertEqual((what, arguments), (f"chip{here} to chip{there}", f"bytes={BYTES}"))
                self.assertIn(begin, initiated)
                self.assertAlmostEqual(end - begin, BYTES / 12.5, delta=1)
            self.assertEqual(links[name]["bytes"], 12 * BYTES)

    def test_how_many_transfers_are_under_way(self):
        records, _ = self.run_usual()

        for link in ("pcie_up", "eth_0_to_1"):
            values = [int(record["value"]) for record in records
                      if record["record"] == "counter" and record["lane"] == f"{link}.all"]
            self.assertGreaterEqual(min(values), 0)
            self.assertGreaterEqual(max(values), 1)
            self.assertEqual(values[-1], 0)

    def test_threads_of_the_host_wait_for_transfers_launches_and_chips(self):
        records, _ = self.run_usual()

        for chip in (0, 1):
            did = self.slices(records, f"host.host{chip}")
            self.assertLessEqual({f"{what} chip{chip}" for what in ("transfer", "launch", "device")},
                                 {name for name, *_ in did})
            launch = next(one for one in did if one[0] == f"launch chip{chip}")
            self.assertEqual(launch[2] - launch[1], 30000)
            first = min(int(record["begin"]) for record in records
                        if record["record"] == "slice" and record["kind"] == f"chip{chip}.core")
            self.assertAlmostEqual(first, launch[2], delta=300)
            for before, after in zip(did, did[1:]):
                self.assertLessEqual(before[2], after[1])

    def test_flows_stay_on_their_chips(self):
        records, _ = self.run_usual()
        flows = [record for record in records if record["record"] == "flow" and record["to_lane"]]

        self.assertGreater(len(flows), 100)
        for record in flows:
            self.assertEqual(record["lane"].split(".")[0], record["to_lane"].split(".")[0])

    def test_bytes_are_the_same_for_any_number_of_threads(self):
        traces = []
        for threads in ("1", "2"):
            self.succeed("run", *WORDS, "-q", "--trace", "t.pftrace", "--threads", threads)
            with open(self.path("t.pftrace"), "rb") as file:
                traces.append(file.read())

        self.assertEqual(*traces)

    def test_paje_has_them_too_and_simgrid_its_own(self):
        self.succeed("run", *WORDS, "-q", "--trace", "t.pftrace", "--system-trace", "s.paje")
        paje = self.succeed("export", "t.pftrace", "--to", "paje").stdout
        for name in ("chip1.core[1,1]", "eth_0_to_1", "host1", "chip0 to chip1"):
            self.assertIn(name, paje)
        system = self.read("s.paje")
        for name in ("chip0", "chip1", "eth_0_to_1", "pcie_up", "host1"):
            self.assertTrue(re.search(rf'\b{name}\b', system), name)

    def test_windows_and_cores_are_of_all_chips(self):
        records, _ = self.traced(*WORDS, "--trace-cores", "0,0")
        cores = {record["lane"].rsplit(".", 1)[0] for record in records if record["kind"].endswith(".core")}

        self.assertEqual(cores, {"chip0.core[0,0]", "chip1.core[0,0]"})
        records, _ = self.traced(*WORDS, "--trace-window", "100:200")
        self.assertEqual({record["kind"] for record in records if record["record"] == "slice"}, {"host"})

    def test_npeviz_is_of_one_chip(self):
        self.succeed("run", *WORDS, "-q", "--trace", "t.pftrace")
        done = self.gridloom("export", "t.pftrace", "--to", "npeviz", "-o", "x.npeviz")
        self.assertEqual((done.returncode, done.stderr), (
            UNMODELLED, "gridloom: t.pftrace: it is of several chips, and .npeviz shows the "
            "networks of one\n"))

    def test_reports_show_every_chip_and_heat_maps_the_busiest(self):
        self.succeed("run", *WORDS, "-q", "--report", "r.html", "--heatmap", "h.svg")
        self.assertIn("chip1.core[1,1]", self.read("r.html"))
        self.assertRegex(self.read("h.svg"), "<title>.*: chip[01], the busiest chip</title>")


if __name__ == "__main__":
    unittest.main()
