"""What owners of kernels ask after a run: its time by source line, the profiler's file, prints."""
import json
import os
import stat
import unittest

import gridloom
from gridloom import DONE, INPUT, SOURCE

BEFORE = f"""#!/usr/bin/env python3
import os, struct, sys
sys.path.insert(0, {os.path.join(SOURCE, "tests", "scenarios")!r})
from metal_host import DRAM, L1, Host, mover
host = Host()
host.ask({{"do": "open", "environment": [[k, v] for k, v in os.environ.items() if k.startswith("TT_METAL_")]}})
BUFFERS = [{{"cores": [(0, 0, 7, 0)], "index": 0, "address": L1, "bytes": 4096, "page_bytes": 2048, "format": 5}}]
"""

# Core 0 spins 3 x 1000 times; the others wait for it on one line, and read on another.
WAITING = """void kernel_main() {
    auto word = reinterpret_cast<volatile uint32_t *>(get_semaphore(0));
    if (my_x[0] == 18) {
        for (uint32_t i = 0; i < 1000; i++) { asm volatile("nop"); }
        noc_semaphore_inc(get_noc_addr(19, 18, get_semaphore(0)), 1);
        noc_async_atomic_barrier();
    } else {
        noc_semaphore_wait(word, 1);
        noc_async_read(get_noc_addr(18, 18, 0x20000), 0x30000, 8192);
        noc_async_read_barrier();
    }
}
"""
COMPUTE = """void kernel_main() {
    cb_wait_front(0, 1);
    cb_pop_front(0, 1);
}
"""
PRODUCER = """void kernel_main() {
    riscv_wait(5000);
    cb_push_back(0, 1);
}
"""

ZONES = """void kernel_main() {
    DeviceTimestampedData("size", (uint64_t(3) << 32) + 7);
    DeviceRecordEvent(21);
    for (uint32_t i = 0; i < get_arg_val<uint32_t>(0); i++) {
        DeviceZoneScopedN("turn");
        asm volatile("nop");
    }
}
"""

SPEAKER = """void kernel_main() {
    DPRINT("hello {}\\n", 1 + 1);
    DPRINT << "old " << 3 << ENDL();
}
"""


class Profile(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = self.path("cache")

    def metal(self, body, *words, **environment):
        name = self.write("host", BEFORE + body + "\nhost.end()\n")
        os.chmod(self.path(name), stat.S_IRWXU)
        self.environment.update(environment)
        return self.gridloom("metal", name, *words)

    def test_time_goes_to_lines(self):
        body = f"""host.launch(mover({WAITING!r}, cores=((0, 0, 1, 0),), name="wait.cpp", processor="ncrisc"),
            mover({PRODUCER!r}, name="give.cpp"), mover({COMPUTE!r}, name="take.cpp", processor="compute"),
            semaphores=[{{"cores": [(0, 0, 1, 0)], "id": 0, "value": 0}}], buffers=BUFFERS)
host.ask({{"do": "profile", "path": "log"}})"""
        done = self.metal(body, "--json", "one.json", TT_METAL_DEVICE_PROFILER="1")
        again = self.metal(body.replace("log", "again"), "-q", "--threads", "2", "--json", "two.json")

        self.assertEqual((done.returncode, done.stderr, again.returncode), (DONE, "", DONE))
        metrics, threads = (json.loads(self.read(name))["metrics"] for name in ("one.json", "two.json"))
        self.assertEqual(metrics["kernels"], threads["kernels"])
        kernels = {(one["kernel"], one["processor"]): one for one in metrics["kernels"]}
        self.assertEqual(sorted(kernels), [("give.cpp", "BRISC"), ("take.cpp", "TRISC0"), ("take.cpp", "TRISC1"),
                                           ("take.cpp", "TRISC2"), ("wait.cpp", "NCRISC")])
        zones = self.zones("log/profile_log_device.csv")
        for (kernel, processor), one in kernels.items():
            with self.subTest(kernel):
                self.assertEqual(sum(line["cycles"] for line in one["lines"]), one["cycles"])
                self.assertEqual(sum(one["reasons"].values()), one["cycles"])
                self.assertEqual(one["cycles"], sum(
                    end - begin for name, begin, end in zones[processor] if "KERNEL" in name))
        waits = kernels["wait.cpp", "NCRISC"]
        lines = {line.get("line"): line for line in waits["lines"]}
        self.assertEqual((waits["cores"], waits["runs"]), (2, 2))
        self.assertEqual(lines[4]["reasons"]["instructions"], 3000)
        self.assertEqual((lines[4]["least"], lines[4]["most_on"]), (0, "core[0,0]"))
        self.assertTrue(2900 < lines[8]["reasons"]["semaphore"] < 3600, lines[8])
        self.assertEqual(lines[8]["most_on"], "core[1,0]")
        # 8 KiB at 32 bytes a cycle, and the way there and back.
        self.assertTrue(256 < lines[10]["reasons"]["noc_barrier"] < 600, lines[10])
        unpack = {line.get("line"): line for line in kernels["take.cpp", "TRISC0"]["lines"]}
        self.assertTrue(4900 < unpack[2]["reasons"]["circular_buffer"] < 5200, unpack[2])
        source = metrics["sources"][lines[8]["file"]]
        self.assertEqual(source, WAITING.split("\n"))
        self.assertRegex(done.stdout, r"\nhot_lines\n(?s:.*)\n  give.cpp:2 +BRISC +\d+ +9\d\.\d % +load +riscv_wait\(5000\);\n")

    def zones(self, name):
        """Names, begins and ends of the zones of each RISC-V."""
        found, open_zones = {}, []
        for line in self.read(name).splitlines()[2:]:
            words = line.split(",")
            riscv = words[3].replace("_", "")
            if words[11] == "ZONE_START":
                open_zones.append((words[10], int(words[5]), words[4]))
            elif words[11] == "ZONE_END":
                zone, begin, number = open_zones.pop()
                self.assertEqual((zone, int(words[4])), (words[10], int(number) + 65536))
                found.setdefault(riscv, []).append((zone, begin, int(words[5])))
        self.assertEqual(open_zones, [])
        return found

    def test_the_device_profile_has_zones_and_stamps(self):
        self.write("log/profile_log_device.csv", "before\n")
        done = self.metal(
            f"host.launch(mover({ZONES!r}, 130, name='zones.cpp', processor='ncrisc', cores=((1, 1, 1, 1),)),"
            " runtime_id=5)\n"
            "host.ask({'do': 'profile', 'path': 'log'})\nhost.ask({'do': 'profile', 'path': 'log'})\n"
            "host.ask({'do': 'profile', 'path': 'other'})", "-q", TT_METAL_DEVICE_PROFILER="1")

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        # 250 places: a stamp takes two, an event one, a zone two; 123 of 130 zones are left.
        self.assertEqual(done.stdout, "note: profile_log_device.csv: 7 zones and stamps did not fit into the "
                                      "profiler's buffers, 125 zones for each RISC-V and program\n")
        head, *lines = self.read("log/profile_log_device.csv").splitlines()
        self.assertEqual(head, "before")
        self.assertEqual(self.read("other/profile_log_device.csv").splitlines(), [
            "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 56",
            "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, "
            "trace id, trace id counter, zone name, type, source line, source file, meta data"])
        rows = [line.split(",") for line in lines]
        self.assertEqual({tuple(row[:4]) for row in rows}, {("0", "2", "2", "BRISC"), ("0", "2", "2", "NCRISC")})
        self.assertEqual({(row[7], row[8], row[9], row[14]) for row in rows}, {("5", "", "", "")})
        self.assertEqual([row[10:12] for row in rows[:6]], [
            ["BRISC-FW", "ZONE_START"], ["BRISC-FW", "ZONE_END"], ["NCRISC-FW", "ZONE_START"],
            ["NCRISC-KERNEL", "ZONE_START"], ["size", "TS_DATA"], ["", "TS_EVENT"]])
        self.assertEqual((rows[4][6], rows[4][12], int(rows[4][4]) >> 16), (str((3 << 32) + 7), "2", 3))
        self.assertEqual((rows[5][4], rows[5][12]), (str((4 << 16) + 21), "3"))
        turns = [row for row in rows if row[10] == "turn"]
        self.assertEqual(len(turns), 2 * 123)
        # FNV-1a of name, file, line and tool.
        text, number = f"turn,{turns[0][13]},5,KERNEL_PROFILER", 2166136261
        for letter in text.encode():
            number = (number ^ letter) * 16777619 % 2**32
        self.assertEqual((turns[0][12], int(turns[0][4])), ("5", (number ^ number >> 16) & 0xffff))
        self.assertEqual([int(row[5]) for row in rows[2:]], sorted(int(row[5]) for row in rows[2:]))

    def test_prints_go_where_variables_say(self):
        body = f"host.launch(mover({SPEAKER!r}, cores=((0, 0, 2, 0),)))"
        self.assertEqual(len(self.metal(body, "-q").stdout.splitlines()), 6)
        done = self.metal(body, "-q", TT_METAL_DPRINT_CORES="(1,0)-(2,0)")
        self.assertEqual((done.returncode, sorted(done.stdout.splitlines())), (DONE, [
            f"0:(x={x},y=0):BR: {text}" for x in (1, 2) for text in ("hello 2", "old 3")]), done.stderr)
        done = self.metal(body, "-q", TT_METAL_DPRINT_CORES="0,0", TT_METAL_DPRINT_FILE=self.path("said"),
                          TT_METAL_DPRINT_PREPEND_DEVICE_CORE_RISC="0")
        self.assertEqual((done.stdout, self.read("said")), ("", "hello 2\nold 3\n"))
        wrong = self.metal(body, "-q", TT_METAL_DPRINT_CORES="0;0")
        self.assertEqual((wrong.returncode, wrong.stdout, wrong.stderr),
                         (INPUT, "", "gridloom: TT_METAL_DPRINT_CORES = '0;0', expected x,y or (x,y)-(x,y) or several "
                                     "of them, or all\n"))

if __name__ == "__main__":
    unittest.main()
