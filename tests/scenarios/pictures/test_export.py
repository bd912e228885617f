"""Traces in the formats of other programs, checked against the rules of these formats."""
import collections
import csv
import io
import json
import re
import shutil
import subprocess
import unittest

import gridloom

DOT = ["dot", "rows=2", "cols=2", "tiles=1"]
WAFER = ["stencil7", "--chip", "wse2", "nx=3", "ny=3", "nz=4"]
UNMODELLED = 2


class Export(gridloom.Scenario):
    def trace(self, *words):
        """A run's result; its trace is in t.pftrace."""
        self.succeed("run", *words, "--trace", "t.pftrace", "-q", "--json", "t.json")
        return json.loads(self.read("t.json"))

    def export(self, form):
        return self.succeed("export", "t.pftrace", "--to", form).stdout

    def rows(self):
        return list(csv.DictReader(io.StringIO(self.export("csv"))))


def cycles_of(microseconds):
    return round(microseconds * 1000)


class Chrome(Export):
    """The rules of the trace event format."""

    def events(self, *words):
        self.trace(*words)
        whole = json.loads(self.export("chrome"))
        self.assertEqual(whole["displayTimeUnit"], "ns")
        return whole["traceEvents"]

    def by_thread(self, events):
        """Complete events of each thread, by begin; outer ones first."""
        threads = collections.defaultdict(list)
        for event in events:
            if event["ph"] == "X":
                begin = cycles_of(event["ts"])
                threads[event["pid"], event["tid"]].append(
                    (begin, begin + cycles_of(event["dur"]), event))
        for slices in threads.values():
            slices.sort(key=lambda each: (each[0], -each[1]))
        return threads

    def check(self, events):
        names = {(e["pid"], e["tid"], e["name"]) for e in events if e["ph"] == "M"}
        threads = self.by_thread(events)
        self.assertGreater(len(threads), 4)
        for event in events:
            self.assertIn(event["ph"], "MXiCsf")
            self.assertGreaterEqual(event.get("ts", 0), 0)
        for (pid, tid), slices in threads.items():
            self.assertIn((pid, tid, "thread_name"), names)
            self.assertIn(pid, {n[0] for n in names if n[2] == "process_name"})
            open_ends = []
            for begin, end, event in slices:
                while open_ends and open_ends[-1] <= begin:
                    open_ends.pop()
                self.assertTrue(not open_ends or end <= open_ends[-1], event)
                open_ends.append(end)
        return threads

    def check_flows(self, events, threads):
        ends = collections.defaultdict(dict)
        for event in events:
            if event["ph"] in "sf":
                self.assertNotIn(event["ph"], ends[event["id"]])
                ends[event["id"]][event["ph"]] = event
                time = cycles_of(event["ts"])
                self.assertTrue(any(begin <= time < end for begin, end, _ in
                                    threads[event["pid"], event["tid"]]), event)
        self.assertGreater(len(ends), 3)
        for both in ends.values():
            self.assertEqual(sorted(both), ["f", "s"])
            self.assertLessEqual(both["s"]["ts"], both["f"]["ts"])
            self.assertEqual(both["f"]["bp"], "e")

    def test_cores(self):
        events = self.events(*DOT)
        self.check_flows(events, self.check(events))
        self.assertIn("add_binary_tile", {e["name"] for e in events})

    def test_wafer(self):
        events = self.events(*WAFER)
        self.check_flows(events, self.check(events))

    def test_counters_are_in_the_order_of_time(self):
        before = {}
        for event in self.events(*DOT):
            if event["ph"] == "C":
                key = event["pid"], event["name"]
                self.assertGreaterEqual(event["ts"], before.get(key, 0))
                before[key] = event["ts"]
        self.assertGreater(len(before), 4)

    def test_names_are_escaped(self):
        self.write("odd.lua", """return { summary = "odd", chips = { "tensix" },
            parameters = {}, kernels = {
                k = function() zone('<script>"', function() delay(20) end) end },
            run = function(host, p)
                local program = host.program()
                program:kernel { kernel = "k", processor = "reader",
                                 cores = { x = 0, y = 0 } }
                host.wait(host.launch(program))
            end }""")
        self.succeed("run", "odd.lua", "--trace", "t.pftrace", "-q")
        names = {e["name"] for e in json.loads(self.export("chrome"))["traceEvents"]}
        self.assertIn('<script>"', names)


class Csv(Export):
    def test_sums_are_those_of_the_result(self):
        result = self.trace(*DOT)
        busy, stalls = collections.Counter(), collections.Counter()
        for row in self.rows():
            if row["record"] == "slice" and row["depth"] == "0":
                busy[row["unit"]] += int(row["cycles"])
            if row["record"] == "stall":
                stalls[row["name"]] += int(row["cycles"])
        units = result["metrics"]["units"]
        self.assertEqual({unit: busy[unit] for unit in units},
                         {unit: each.get("busy", 0) for unit, each in units.items()})
        self.assertEqual(stalls, collections.Counter(result["stalls"]))

    def test_rows_are_whole(self):
        self.trace(*DOT)
        kinds = collections.Counter()
        for row in self.rows():
            self.assertNotIn(None, row)
            kinds[row["record"]] += 1
            if row["end"] and row["cycles"]:
                self.assertEqual(int(row["end"]) - int(row["begin"]), int(row["cycles"]))
            self.assertTrue(row["lane"].startswith(row["kind"]), row)
        self.assertEqual(sorted(kinds), ["counter", "flow", "mark", "slice", "stall", "use"])


class Npeviz(Export):
    """The schema that ttnn-visualizer declares for version 1.0.0."""

    def check_tile(self, tile, info):
        device, row, column = tile
        self.assertEqual(device, 0)
        self.assertIn(row, range(info["num_rows"]))
        self.assertIn(column, range(info["num_cols"]))

    def check_link(self, link, info):
        self.check_tile(link[:3], info)
        self.assertRegex(link[3], r"^NOC(0_(EAST|SOUTH|IN|OUT)|1_(WEST|NORTH|IN|OUT))$")

    def check_route(self, transfer, info):
        """Links follow one another from source to destination, around the edge."""
        (route,) = transfer["route"]
        steps = {"EAST": (0, 1), "WEST": (0, -1), "SOUTH": (1, 0), "NORTH": (-1, 0)}
        _, row, column = route["src"]
        self.assertEqual(route["links"][0][3], route["noc_type"] + "_IN")
        self.assertEqual(route["links"][0][1:3], [row, column])
        for link in route["links"][1:-1]:
            self.check_link(link, info)
            self.assertEqual(link[1:3], [row, column])
            down, right = steps[link[3][5:]]
            row = (row + down) % info["num_rows"]
            column = (column + right) % info["num_cols"]
        self.assertEqual(route["links"][-1], [*route["dst"][0], route["noc_type"] + "_OUT"])
        self.assertEqual(route["dst"], [[0, row, column]])

    def check_transfer(self, transfer, info):
        self.assertEqual(
            set(transfer), {"id", "src", "dst", "total_bytes", "noc_event_type",
                            "fabric_event_type", "start_cycle", "end_cycle", "route"})
        self.assertLessEqual(transfer["start_cycle"], transfer["end_cycle"])
        self.assertGreater(transfer["total_bytes"], 0)
        self.check_tile(transfer["src"], info)
        for tile in transfer["dst"]:
            self.check_tile(tile, info)
        if "multicast" not in transfer["noc_event_type"]:
            self.check_route(transfer, info)

    def check_step(self, step, info, transfers):
        width = info["cycles_per_timestep"]
        self.assertEqual(step["end_cycle"] - step["start_cycle"], width)
        self.assertEqual(step["active_transfers"], [
            each["id"] for each in transfers if each["start_cycle"] < step["end_cycle"]
            and each["end_cycle"] >= step["start_cycle"]])
        for *link, demand in step["link_demand"]:
            self.check_link(link, info)
            self.assertGreater(demand, 0)
            self.assertLessEqual(demand, 100.001)
        for noc in "NOC0", "NOC1":
            own = [each[4] for each in step["link_demand"] if each[3].startswith(noc)]
            self.assertAlmostEqual(step["noc"][noc]["avg_link_demand"], sum(own) / 240, 3)

    def test_schema(self):
        self.trace(*DOT)
        whole = json.loads(self.export("npeviz"))
        info = whole["common_info"]
        self.assertEqual(list(whole), ["common_info", "chips", "noc_transfers", "zones",
                                       "timestep_data"])
        self.assertEqual((info["version"], info["arch"], info["num_cols"],
                          info["num_rows"]), ("1.0.0", "wormhole_b0", 10, 12))
        self.assertEqual(whole["chips"], {"0": [0, 0, 0, 0]})
        self.assertEqual([each["id"] for each in whole["noc_transfers"]],
                         list(range(len(whole["noc_transfers"]))))
        for transfer in whole["noc_transfers"]:
            self.check_transfer(transfer, info)
        for index, step in enumerate(whole["timestep_data"]):
            self.assertEqual(step["start_cycle"], index * info["cycles_per_timestep"])
            self.check_step(step, info, whole["noc_transfers"])
        for root in whole["zones"]:
            self.check_tile(root["core"], info)
            self.assertIn(root["proc"], ("BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2"))
            for zone in root["zones"]:
                self.assertEqual(set(zone), {"id", "start", "end", "depth", "zones"})
                self.assertLess(zone["start"], zone["end"])
        self.assertTrue(whole["noc_transfers"] and whole["zones"])

    def test_demand_is_what_links_carried(self):
        self.trace(*DOT)
        whole = json.loads(self.export("npeviz"))
        width = whole["common_info"]["cycles_per_timestep"]
        shown = sum(link[4] for step in whole["timestep_data"]
                    for link in step["link_demand"]) / 100 * width
        used = sum(int(row["value"]) for row in self.rows()
                   if row["record"] == "use" and row["kind"].startswith("noc"))
        self.assertGreater(used, 0)
        self.assertAlmostEqual(shown / used, 1, 4)

    def test_multicasts_name_all_receivers(self):
        self.trace(*DOT)
        casts = [each for each in json.loads(self.export("npeviz"))["noc_transfers"]
                 if "multicast" in each["noc_event_type"]]
        self.assertGreater(len(casts), 0)
        self.assertGreater(max(len(each["dst"]) for each in casts), 1)

    def test_a_wafer_has_no_such_network(self):
        self.trace(*WAFER)
        before = self.files()
        done = self.gridloom("export", "t.pftrace", "--to", "npeviz", "-o", "x.npeviz")
        self.assertEqual(done.returncode, UNMODELLED)
        self.assertRegex(done.stderr, r"^gridloom: t\.pftrace: its chip is no Wormhole.*\n$")
        self.assertEqual(self.files(), before)


class Paje(Export):
    def definitions(self, text):
        """Event number -> names of its fields."""
        return {number: re.findall(r"^%\s+(\w+) ", fields, re.M) for number, fields in
                re.findall(r"%EventDef \w+ (\d+)\n((?:%  .*\n)+)%EndEventDef", text)}

    def lines(self, text):
        fields = self.definitions(text)
        for line in text.splitlines():
            if not line.startswith("%"):
                words = re.findall(r'"[^"]*"|\S+', line)
                self.assertEqual(len(words) - 1, len(fields[words[0]]), line)
                yield int(words[0]), dict(zip(fields[words[0]], words[1:]))

    def test_events_are_defined_and_in_order(self):
        for words in DOT, WAFER:
            self.trace(*words)
            now, depth, containers, links = 0, collections.Counter(), {"0"}, set()
            for number, fields in self.lines(self.export("paje")):
                time = int(fields.get("Time", now))
                self.assertGreaterEqual(time, now)
                now = time
                if number == 6:
                    self.assertIn(fields["Container"], containers)
                    containers.add(fields["Alias"])
                elif "Container" in fields:
                    self.assertIn(fields["Container"], containers)
                if number in (8, 9):
                    depth[fields["Container"]] += 1 if number == 8 else -1
                    self.assertGreaterEqual(depth[fields["Container"]], 0)
                if number == 12:
                    links.add(fields["Key"])
                if number == 13:
                    links.remove(fields["Key"])
            self.assertFalse(links)
            self.assertEqual(set(depth.values()), {0})

    def spans(self, text):
        """Lane, state and cycles of each state."""
        names, open_states = {}, collections.defaultdict(list)
        for number, fields in self.lines(text):
            if number in (5, 6):
                names[fields["Alias"]] = fields["Name"].strip('"')
            elif number == 8:
                open_states[fields["Container"]].append(fields)
            elif number == 9:
                begun = open_states[fields["Container"]].pop()
                yield (names[fields["Container"]], names[begun["Value"]],
                       int(fields["Time"]) - int(begun["Time"]))

    def dumped(self, text):
        """The same, from pajeng."""
        self.write("t.paje", text)
        dump = subprocess.run(["pj_dump", self.path("t.paje")], check=True, text=True,
                              capture_output=True).stdout
        rows = [line.split(", ") for line in dump.splitlines()]
        return [(row[1], row[7], int(float(row[5]))) for row in rows if row[0] == "State"]

    def test_states_are_the_busy_cycles_of_units(self):
        result = self.trace(*DOT)
        text = self.export("paje")
        readers = [self.spans] + ([self.dumped] if shutil.which("pj_dump") else [])
        for reader in readers:
            busy = collections.Counter()
            for lane, state, cycles in reader(text):
                if not state.startswith("stall "):
                    busy[lane.rpartition(".")[2]] += cycles
            units = result["metrics"]["units"]
            self.assertEqual({unit: busy[unit] for unit in units},
                             {unit: each.get("busy", 0) for unit, each in units.items()})


class Bad(Export):
    def refuse(self, *words, code=gridloom.INPUT):
        before = self.files()
        done = self.gridloom("export", *words)
        self.assertEqual((done.returncode, done.stdout), (code, ""), words)
        self.assertRegex(done.stderr, r"^gridloom: .*\n$")
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual(self.files(), before)
        return done.stderr

    def test_one_line_says_what_is_wrong(self):
        self.trace(*DOT)
        self.write("empty", "")
        self.write("text", "no trace\n")
        self.succeed("run", *DOT, "-q", "--json", "result.json")
        for words in ([], ["t.pftrace"], ["t.pftrace", "--to", "gif"],
                      ["t.pftrace", "more", "--to", "csv"], ["none", "--to", "csv"],
                      ["empty", "--to", "csv"], ["text", "--to", "csv"],
                      ["t.pftrace", "--to", "csv", "-o", "no/such/folder"],
                      ["t.pftrace", "--to", "csv", "-o", "."], [".", "--to", "csv"]):
            with self.subTest(words):
                self.refuse(*words)
        self.assertIn("no trace in it, only a result",
                      self.refuse("result.json", "--to", "csv"))

    def test_a_trace_that_is_cut_off_is_exported_up_to_the_cut(self):
        self.trace(*DOT)
        with open(self.path("t.pftrace"), "rb") as file:
            data = file.read()
        self.write("t.pftrace", data[:len(data) // 2])
        for form in "chrome", "csv", "paje":
            done = self.gridloom("export", "t.pftrace", "--to", form)
            self.assertEqual(done.returncode, gridloom.DONE)
            self.assertRegex(done.stderr, r"^gridloom: [^\n]*\n$")
            self.assertGreater(len(done.stdout), 1000)
        self.refuse_npeviz()

    def refuse_npeviz(self):
        done = self.gridloom("export", "t.pftrace", "--to", "npeviz", "-o", "x")
        self.assertEqual(done.returncode, UNMODELLED)
        self.assertIn("does not have the numbers of its chip", done.stderr)


if __name__ == "__main__":
    unittest.main()
