"""What compiled kernels spend on issuing a command: the instructions that they run."""
import os
import stat
import unittest

import gridloom
from gridloom import DONE, SOURCE

# Calls of issue.cpp in its order, cycles here, and on silicon (tt-low-level-documentation, slopes from
# 64 to 256 transactions), where another compiler made the loops; None: not measured there.
CALLS = (
    ("read of a packet with a state", 17, None),
    ("read with a state", 18, 17.3),
    ("read", 19, 19.0),
    ("read of a page", 36, 39.3),
    ("write of a packet with a state", 19, None),
    ("write with a state", 20, 20.0),
    ("write with a state, of any length", 23, 24.0),
    ("write", 22, 22.0),
    ("write of a page", 39, 41.0),
    ("inline write", 22, 22.0),
    ("inline write with a state", 18, 18.0),
)
CHANNELS = """
void kernel_main() {
    uint32_t channels = get_arg_val<uint32_t>(0), local = get_arg_val<uint32_t>(1);
    uint64_t there = get_noc_addr(my_x[0] + 1, my_y[0] + 1, local);
    for (uint32_t i = 0; i < 64; i++)
        noc_async_write(local, there, 8192, noc_index, i & (channels - 1));
    noc_async_write_barrier();
}
"""
KERNEL = os.path.join(SOURCE, "tests", "programs", "metal", "kernels", "issue.cpp")
BEFORE = f"""#!/usr/bin/env python3
import os, struct, sys
sys.path.insert(0, {os.path.join(SOURCE, "tests", "scenarios")!r})
from metal_host import DRAM, L1, Host, mover
host = Host()
"""
CYCLES = f"""
host.launch(mover(open({KERNEL!r}).read(), L1, L1 + 4096, 19, DRAM, 32, compile_args=[2, 32]))
data = host.ask({{"do": "read", "space": "l1", "parts": [0, L1, {4 * len(CALLS)}]}})[1]
print(*struct.unpack("<{len(CALLS)}I", data))
"""


class MetalIssue(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = self.path("cache")

    def printed(self, body):
        """The words that a host program prints."""
        name = self.write("host", BEFORE + body + "host.end()")
        os.chmod(self.path(name), stat.S_IRWXU)
        done = self.gridloom("metal", name, "-q")

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        return done.stdout.split()

    def test_writes_take_the_virtual_channels_that_they_name(self):
        one, two = map(int, self.printed(f"""
for channels in (1, 2):
    print(host.launch(mover({CHANNELS!r}, channels, L1, noc=1))["cycles"])
"""))
        # 28.4 and 31.0 bytes a cycle on silicon (One to One Virtual Channels, NoC 1).
        self.assertTrue(1.05 < one / two < 1.12, (one, two))

    def test_a_call_takes_the_cycles_of_its_instructions(self):
        for sum_of_turns, (call, expected, silicon) in zip(self.printed(CYCLES), CALLS):
            cycles = int(sum_of_turns) / 64
            with self.subTest(call):
                self.assertAlmostEqual(cycles, expected, delta=0.05)
                if silicon is not None:
                    self.assertTrue(0.9 < cycles / silicon < 1.1)


if __name__ == "__main__":
    unittest.main()
