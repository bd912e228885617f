"""gridloom validate noc: every published sweep of the data movement tests meets a rule.

The numbers are made up; the names and columns are those of the published files.
"""
import collections
import json
import unittest

import gridloom
from gridloom import CHECK

COLUMNS = ["Transaction Size (bytes)", "Number of Transactions", "Latency (cycles)"]
LATENCY = 1000
RISCS = {"RISC-V Processor": ["riscv_0", "riscv_1"]}
READER = {"RISC-V Processor": ["riscv_1"]}
WRITER = {"RISC-V Processor": ["riscv_0"]}
SENDER = {"Kernel": ["Sender"]}
RECEIVER = {"Kernel": ["Receiver"]}
LOOPBACK = {"Loopback": ["true", "false"]}
NOCS = {"NoC Index": ["0", "1"]}
CHANNELS = {"Number of Virtual Channels": ["1", "2", "3", "4"], **NOCS}
GRIDS = {"Master Grid Dimensions": ["2x2"], "Subordinate Grid Dimensions": ["2x2", "4x4"]}
GRID = {"Grid Dimensions": ["2x2", "8x8"]}
SCHEMES = {"Multicast Scheme Type": [str(i) for i in range(1, 11)], "Grid Dimensions": ["2 x 2"],
           **NOCS}


def estimator(memory, pattern, mechanism="unicast", subordinates=0, stateful=("False",),
              loopback=("False",), same_axis=("False",)):
    return {"Memory type": [memory], "Mechanism": [mechanism], "Pattern": [pattern],
            "Same axis": same_axis, "Stateful": stateful, "Loopback": loopback,
            "Number of subordinates": [str(subordinates)], "NoC Index": ["0"]}


BOTH = ("True", "False")

# Name, sizes, numbers of transactions, further columns.
SWEEPS = [
    ("All from All Grid Sweep Packet Sizes 2.0", 32, 16, GRIDS),
    ("All from All Packet Sizes 2.0 Grid Sweep", 32, 16, GRIDS),
    ("All from All Packet Sizes 2.0", 32, 16, GRIDS),
    ("All from All Packet Sizes", 2048, 1, RECEIVER),
    ("All to All Grid Sweep Packet Sizes 2.0", 32, 16, GRIDS),
    ("All to All Packet Sizes 2.0", 32, 64, {}),
    ("All to All Packet Sizes", 2048, 1, SENDER),
    ("Atomic Semaphore Adjacent Bandwidth Sweep", 1, 16, NOCS),
    ("Atomic Semaphore Non Adjacent Bandwidth Sweep", 1, 16, NOCS),
    ("Core Bidirectional Packet Sizes Different Kernels", 32, 4, RISCS),
    ("Core Bidirectional Packet Sizes Same Kernel", 32, 4, WRITER),
    ("DRAM Interleaved Packet Sizes", 128, 4, {"Kernel": ["Sender", "Receiver"]}),
    ("DRAM Interleaved Page Numbers", 128, 4, RISCS),
    ("DRAM Interleaved Page Read Numbers", 128, 4, READER),
    ("DRAM Interleaved Page Write Numbers", 128, 4, WRITER),
    ("DRAM Packet Sizes 2.0", 128, 4, RISCS),
    ("DRAM Sharded Read Bank Numbers 2.0", 65536, 1, WRITER),
    ("DRAM Sharded Read Tile Numbers 2.0", 49152, 1, WRITER),
    ("Inline Direct Write Address Pattern", 32, 4,
     {"Posted writes": ["0", "1"], "Same destination": ["0"], "Stateful": ["0", "1"], **NOCS}),
    ("Inline Direct Write Performance Comparison", 32, 4,
     {"Posted writes": ["0", "1"], "Same destination": ["1"], "Stateful": ["0", "1"], **NOCS}),
    ("L1 Interleaved Page Numbers", 32, 4, RISCS),
    ("L1 Interleaved Page Read Numbers", 32, 4, READER),
    ("L1 Interleaved Page Write Numbers", 32, 4, WRITER),
    ("Loopback Packet Sizes", 32, 4, SENDER),
    ("Loopback Packet Sizes 2.0", 32, 4, WRITER),
    ("Multi Interleaved Sizes", 32, 4, {**RISCS, **GRID}),
    ("Multi Interleaved Grid Sweep Sizes", 32, 16, {**RISCS, **GRID}),
    ("Multi Interleaved Read Sizes", 32, 4, {**WRITER, **GRID}),
    ("Multi Interleaved Read Grid Sweep Sizes", 32, 16, {**WRITER, **GRID}),
    ("Multi Interleaved Write Sizes", 32, 4, {**READER, **GRID}),
    ("Multi Interleaved Write Grid Sweep Sizes", 32, 16, {**READER, **GRID}),
    ("Multicast Schemes (Loopback Disabled)", 32, 4, SCHEMES),
    ("Multicast Schemes (Loopback Enabled)", 32, 4, SCHEMES),
    ("Number of Banks Sweep for DRAM Closest Neighbour", 4096, 1,
     {"Number of Banks": ["1", "12"]}),
    ("Number of Pages Sweep for DRAM Closest Neighbour", 4096, 1, {}),
    ("Number of Pages Sweep for DRAM Loop Back", 4096, 1, {}),
    ("Number of Pages Sweep for DRAM One Hop", 4096, 1, {}),
    ("Number of Pages Sweep for Single Row DRAM", 4096, 1, {}),
    ("One Packet Read Sizes 2.0", 32, 4, READER),
    ("One Packet Write Sizes 2.0", 32, 4, WRITER),
    ("One from All Packet Sizes", 512, 1, RECEIVER),
    ("One from All Packet Sizes 2.0", 32, 64, READER),
    ("One from All Virtual Channels 2.0", 32, 64, CHANNELS),
    ("One from One Packet Sizes", 32, 4, RECEIVER),
    ("One from One Packet Sizes 2.0", 32, 4, READER),
    ("One from One Virtual Channels", 32, 4, CHANNELS),
    ("One to All Multicast Linked Packet Sizes 2.0", 32, 4, LOOPBACK),
    ("One to All Multicast Packet Sizes 2.0", 32, 4, LOOPBACK),
    ("One to All Unicast Packet Sizes 2.0", 32, 4032, LOOPBACK),
    ("One to One Packet Sizes", 32, 4, SENDER),
    ("One to One Packet Sizes 2.0", 32, 4, WRITER),
    ("One to One Virtual Channels", 32, 4, CHANNELS),
    ("PCIe Read Bandwidth Sweep", 64, 100, {"Bandwidth (GB/s)": ["1"]}),
    ("PCIe Write Bandwidth Sweep", 64, 100, {"Bandwidth (GB/s)": ["1"]}),
]
for grid in ("11x10", "2x2", "5x5", "8x8"):
    for loopback in ("with", "without"):
        SWEEPS.append((f"One to All Multicast {grid} Packet Sizes {loopback} Loopback", 32, 4, SENDER))
for grid in ("11x10", "2x2", "5x5"):
    for loopback in ("with", "without"):
        SWEEPS.append((f"One to All Multicast Linked {grid} Packet Sizes {loopback} Loopback", 32, 4,
                       SENDER))
for grid in ("2x2 ", "5x5 ", ""):
    for loopback in ("with", "without"):
        SWEEPS.append((f"One to All Multicast Linked Semaphore {grid}Packet Sizes {loopback} Loopback",
                       32, 4, {**READER, **RECEIVER}))
for grid, receivers in (("10x10", 64), ("2x2", 4), ("4x4", 25)):
    SWEEPS.append((f"One to All Unicast {grid} Packet Sizes with Loopback", 32 * receivers, 1, SENDER))
    SWEEPS.append((f"One to All Unicast {grid} Packet Sizes without Loopback", 32 * (receivers - 1), 1,
                   SENDER))
for order in ("Read After Write", "Write After Read"):
    for more in ("", " One Packet", " One Packet Stateful"):
        SWEEPS.append((f"Transaction ID - {order}{more} 2.0", 32, 4, WRITER))
for memory in ("Interleaved", "Sharded"):
    for ends in ("All from All", "All to All", "One from All", "One to All", "One from One",
                 "One to One"):
        SWEEPS.append((f"Noc Estimator - DRAM {memory} {ends}", 128, 4, NOCS))
for ends in ("One from One", "One to One"):
    SWEEPS.append((f"Noc Estimator - L1 {ends}", 32, 4,
                   estimator("L1", ends.lower().replace(" ", "_"), stateful=BOTH, same_axis=BOTH)))
for ends in ("All from All", "All to All"):
    for cores in (4, 9, 25, 64):
        SWEEPS.append((f"Noc Estimator - L1 {ends}", 32, cores,
                       estimator("L1", ends.lower().replace(" ", "_"), subordinates=cores)))
SWEEPS.append(("Noc Estimator - L1 One from All", 32, 63,
               estimator("L1", "one_from_all", subordinates=63, stateful=BOTH)))
for cores in (4, 9, 25, 63):
    SWEEPS.append(("Noc Estimator - L1 One to All", 32, cores,
                   estimator("L1", "one_to_all", subordinates=cores, stateful=BOTH)))
for mechanism in ("multicast", "multicast_linked"):
    for cores in (4, 9, 25, 64):
        SWEEPS.append(("Noc Estimator - L1 One to All", 32, 4,
                       estimator("L1", "one_to_all", mechanism, cores,
                                 loopback=BOTH[:1 if cores == 64 else 2])))
for line in ("row", "column"):
    SWEEPS.append((f"Noc Estimator - L1 One to {line.title()}", 32, 7,
                   estimator("L1", f"one_to_{line}", subordinates=7, stateful=BOTH)))
    SWEEPS.append((f"Noc Estimator - L1 {line.title()} to {line.title()}", 32, 8,
                   estimator("L1", f"{line}_to_{line}", subordinates=8)))
    for mechanism in ("multicast", "multicast_linked"):
        for ends in (f"one_to_{line}", f"{line}_to_{line}"):
            SWEEPS.append((f"Noc Estimator - L1 {ends.replace('_', ' ')}", 32, 2,
                           estimator("L1", ends, mechanism, 8, loopback=BOTH)))


def records(columns):
    """Every combination of the values of some columns."""
    found = [{}]
    for name, values in columns.items():
        found = [{**record, name: value} for record in found for value in values]
    return found


class Rules(gridloom.Scenario):
    def write_sweeps(self):
        """The number of rows by file."""
        tables = {}
        for name, size, count, columns in SWEEPS:
            lines = tables.setdefault(f"{name.replace(' ', '_')}.csv",
                                      [",".join(COLUMNS + list(columns))])
            lines += [",".join([str(size), str(count), str(LATENCY), *record.values()])
                      for record in records(columns)]
        for name, lines in tables.items():
            self.write(f"data/noc_silicon/{name}", "\n".join(lines) + "\n")
        return {name: len(lines) - 1 for name, lines in tables.items()}

    def test_every_sweep_is_run(self):
        counts = self.write_sweeps()

        done = self.gridloom("validate", "noc", "--data", "data", "--json", "-")

        self.assertEqual((done.returncode, done.stderr), (CHECK, ""))
        result = json.loads(done.stdout)
        self.assertEqual(result["metrics"]["not_covered"], [])
        rows = [row for row in result["rows"] if row["unit"] != "%"]
        self.assertEqual(collections.Counter(row["source"] for row in rows), counts)
        self.assertEqual([(row["source"], row["why"]) for row in rows
                          if row["status"] == "fail" and row["simulated"] is None], [])


if __name__ == "__main__":
    unittest.main()
