"""Programs on chips with another network: noc.topology and noc.routing."""
import json
import os
import unittest

import gridloom
from gridloom import INPUT, SOURCE

PCG = ["run", "pcg", "rows=7", "cols=8", "tiles=1", "iterations=1", "vectors=dram"]
WEST_FIRST = os.path.join(SOURCE, "workloads/routing/west_first.lua")
ROOMIEST = os.path.join(SOURCE, "workloads/routing/roomiest.lua")
RING = os.path.join(SOURCE, "workloads/routing/ring.lua")

LONGER = """
return {
    summary = "along the longer axis",
    next = function(x, y, tx, ty)
        if math.abs(tx - x) > math.abs(ty - y) then return tx > x and "east" or "west" end
        return ty > y and "south" or "north"
    end,
}
"""


def network(topology, routing):
    return ["--set", f"noc.topology={topology}", "--set", f"noc.routing={routing}"]


class Ways(gridloom.Scenario):
    def cycles(self, *words):
        self.succeed(*PCG, *words, "--json", "result.json")
        result = json.loads(self.read("result.json"))
        self.assertEqual(result["check"]["status"], "pass")
        return result["cycles"]

    def test_topology_and_routing_change_the_time_of_pcg_and_not_its_numbers(self):
        times = [self.cycles(), self.cycles(*network("mesh", "xy")),
                 self.cycles(*network("mesh", "yx")), self.cycles(*network("torus", "xy")),
                 self.cycles(*network("mesh", WEST_FIRST)), self.cycles(*network("torus", RING))]

        self.assertEqual(len(set(times)), len(times), times)
        self.assertEqual(self.cycles(*network("mesh", WEST_FIRST), "--threads", "2"), times[4])

    def test_the_digest_of_a_chip_knows_the_routes_of_its_file(self):
        def digest(first, second):
            path = self.write("mine.lua", f"""
                return {{ summary = "one axis first", next = function(x, y, tx, ty)
                    if t{first} ~= {first} then return t{first} > {first} and {second[0]} end
                    return t{second[1]} > {second[1]} and {second[2]}
                end }}""")
            words = ["noc", "transfer", "--op", "read", "--to", "4,2", "--json", "-", *network("mesh", path)]
            return json.loads(self.succeed(*words).stdout)["chip_digest"]

        xy = ("\"east\" or \"west\"", "y", "\"south\" or \"north\"")
        yx = ("\"south\" or \"north\"", "x", "\"east\" or \"west\"")
        self.assertEqual(digest("x", xy), digest("x", xy))
        self.assertNotEqual(digest("x", xy), digest("y", yx))

    def test_words_that_say_what_the_chip_is_change_nothing(self):
        self.assertEqual(self.cycles(*network("wormhole", "minimal")), self.cycles())

    def test_a_routing_that_can_deadlock_is_refused_and_its_ring_named(self):
        path = self.write("longer.lua", LONGER)

        self.assertFails(INPUT, ["longer.lua: routes: links can wait for each other in a ring: "],
                         *PCG, *network("mesh", path), "--out", "out")
        self.assertFalse(os.path.exists(self.path("out")))

    def test_routings_that_are_not_there_are_refused(self):
        for words, says in (
                (network("mesh", "zigzag"), "noc.routing = zigzag, expected one of minimal, xy, yx"),
                (network("mesh", ROOMIEST), "packets that choose at every hop overtake each other"),
                (network("mesh", "none.lua"), "noc.routing = none.lua: no such routing file"),
                (network("wormhole", WEST_FIRST), "a file is for noc.topology = mesh or torus"),
                (network("ring", "xy"), "noc.topology = ring, expected one of wormhole, mesh")):
            self.assertFails(INPUT, [says], *PCG, *words)

    def test_transfers_take_the_ways_of_the_chip_too(self):
        read = ["noc", "transfer", "--op", "read", "--from", "1,1", "--to", "4,2", "--json", "-"]
        here = json.loads(self.succeed(*read).stdout)["cycles"]
        mesh = json.loads(self.succeed(*read, *network("mesh", WEST_FIRST)).stdout)["cycles"]

        self.assertEqual(here - mesh, 9 * (22 - 8))  # hops, there and back


if __name__ == "__main__":
    unittest.main()
