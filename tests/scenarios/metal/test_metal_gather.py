"""Loops that gather, as a compiled kernel's instructions and as a call of Lua kernels: the same time."""
import os
import stat
import unittest

import gridloom
from gridloom import DONE, SOURCE

KERNEL = os.path.join(SOURCE, "tests", "programs", "metal", "kernels", "gather.cpp")
COUNT = 1024
# Cycles of 1024 numbers of 4 bytes, of 2, and of as many products and sums; on one mover, then on two at once.
HOST = f"""#!/usr/bin/env python3
import struct, sys
sys.path.insert(0, {os.path.join(SOURCE, "tests", "scenarios")!r})
from metal_host import L1, Host, mover
host = Host()
for processors in (("brisc",), ("brisc", "ncrisc")):
    for i in range(2):
        base = L1 + 262144 * i
        host.ask({{"do": "write", "space": "l1", "parts": [0, base + 1024, 8192]}},
                 struct.pack("<2048I", *[(n * 4 * 37) % 16384 for n in range(2048)]))
        for place, step in ((65536, 37), (131072, 31)):
            host.ask({{"do": "write", "space": "l1", "parts": [0, base + place, 16384]}},
                     struct.pack("<4096f", *[1 + n % step / 64 for n in range(4096)]))
    host.launch(*[mover(open({KERNEL!r}).read(), L1 + 262144 * i, processor=processor, noc=i, name=processor)
                  for i, processor in enumerate(processors)])
    print(*struct.unpack("<3I", host.ask({{"do": "read", "space": "l1", "parts": [0, L1, 12]}})[1]))
host.end()
"""
# The same loops of a Lua kernel, on the reader and, if asked for, on the writer.
SCRIPT = """
local function gather(args)
    gather_numbers(args.at + 131072, args.at + 65536, args.at + 1024, 1024, args.bytes)
end
local function dot(args)
    gather_dot(args.at + 131072, args.at + 65536, args.at + 1024, 1024, 4)
end
return { summary = "a script for a test", chips = { "tensix" }, parameters = {},
kernels = { gather = gather, dot = dot },
run = function(host)
    local cores = { 0, 0, 0, 0 }
    local at = host.l1_allocate { cores = cores, bytes = 524288, name = "all" }
    local times = {}
    for _, case in ipairs { { "gather", 4, 1 }, { "gather", 2, 1 }, { "dot", 4, 1 },
                            { "gather", 4, 2 }, { "gather", 2, 2 }, { "dot", 4, 2 } } do
        local program = host.program()
        for i, processor in ipairs { "reader", "writer" } do
            if i <= case[3] then
                program:kernel { kernel = case[1], processor = processor, cores = cores,
                    args = { at = at + 262144 * (i - 1), bytes = case[2] } }
            end
        end
        times[#times + 1] = host.wait(host.launch(program))
    end
    host.metric("times", times)
end }
"""


class MetalGather(gridloom.Scenario):
    def test_calls_take_the_time_of_compiled_loops(self):
        self.environment["XDG_CACHE_HOME"] = self.path("cache")
        name = self.write("host", HOST)
        os.chmod(self.path(name), stat.S_IRWXU)
        done = self.gridloom("metal", name, "-q")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        compiled = [int(word) / COUNT for word in done.stdout.split()]

        times = self.result(self.write("script.lua", SCRIPT))["metrics"]["times"]

        for i, expected in enumerate((9.4, 7.8, 217, 14.2, 10.2, 217)):
            ours = times[i] / COUNT
            with self.subTest(i):
                self.assertAlmostEqual(compiled[i], expected, delta=0.02 * expected)
                # What software floats take depends on the numbers: the chip file has one cost for all.
                # Two movers meet at their port in patterns that depend on addresses.
                within = 0.12 if i % 3 == 2 else 0.02 if i < 3 else 0.06
                self.assertTrue(abs(ours / compiled[i] - 1) < within, (ours, compiled[i]))


if __name__ == "__main__":
    unittest.main()
