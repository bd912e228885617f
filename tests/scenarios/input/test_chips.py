"""Columns of cores spread over chips, and trees of sums over them, without a chip."""
import json
import unittest

import gridloom
from gridloom import INPUT

# A system of chips in a mesh, as scripts see it: neighbours are one link away.
MESH = """
local function mesh(columns, rows, lost)
    local it = { chip_count = columns * rows, devices = {}, refused = nil }
    for i = 1, it.chip_count do
        it.devices[i] = { index = i - 1 }
    end
    function it.route(a, b)
        local hops = math.abs(a % columns - b % columns) + math.abs(a // columns - b // columns)
        if hops == 0 or lost and (a == lost or b == lost) then
            return nil, ("no path from chip %d to chip %d in system s"):format(a, b)
        end
        return { hops = hops }
    end
    function it.refuse(text)
        error(text, 0)
    end
    return it
end
local function indices(list)
    local found = {}
    for i, chip in ipairs(list) do
        found[i] = chip.index
    end
    return found
end
"""


class Chips(gridloom.Scenario):
    def metrics(self, body):
        self.write("t.lua", gridloom.workload(body, before='local chips = require("cores/chips")' + MESH))
        self.succeed("run", "t.lua", "--json", "r.json", "--no-trace")
        return json.loads(self.read("r.json"))["metrics"]

    def assertRefused(self, body, *says):
        self.write("t.lua", gridloom.workload(body, before='local chips = require("cores/chips")' + MESH))
        self.assertFails(INPUT, says, "run", "t.lua", traceback=True)

    def test_chips_that_follow_each_other_are_neighbours(self):
        for columns, rows in ((2, 1), (4, 2), (2, 4), (8, 4), (3, 3)):
            found = self.metrics(f"""local it = mesh({columns}, {rows})
                host.metric("order", indices(chips.spread(it, it.chip_count, 64)))""")["order"]

            self.assertEqual(found[0], 0)
            self.assertEqual(sorted(found), list(range(columns * rows)))
            for a, b in zip(found, found[1:]):
                self.assertEqual(abs(a % columns - b % columns) + abs(a // columns - b // columns), 1, found)

    def test_some_of_the_chips_are_neighbours_too(self):
        found = self.metrics("""local it = mesh(4, 2)
            host.metric("order", indices(chips.spread(it, 4, 8)))""")["order"]

        for a, b in zip(found, found[1:]):
            self.assertEqual(abs(a % 4 - b % 4) + abs(a // 4 - b // 4), 1, found)

    def test_where_nobody_is_a_neighbour_the_order_is_the_systems(self):
        found = self.metrics("""local it = mesh(4, 1)
            it.route = function() return { hops = 2 } end
            host.metric("order", indices(chips.spread(it, 4, 8)))""")["order"]

        self.assertEqual(found, [0, 1, 2, 3])

    def test_columns_are_spread_evenly_and_all(self):
        for columns, count in ((8, 2), (10, 4), (11, 8), (8, 8)):
            found = self.metrics(f"""local list, first, cols = chips.spread(mesh(8, 1), {count}, {columns}), {{}}, {{}}
                for i, chip in ipairs(list) do first[i], cols[i] = chip.first, chip.cols end
                host.metric("first", first)
                host.metric("cols", cols)""")

            self.assertEqual(sum(found["cols"]), columns)
            self.assertLessEqual(max(found["cols"]) - min(found["cols"]), 1)
            self.assertEqual(found["first"], [sum(found["cols"][:i]) for i in range(count)])

    def test_a_column_belongs_to_one_chip(self):
        found = self.metrics("""local list, of, own = chips.spread(mesh(4, 1), 4, 10), {}, {}
            for column = 0, 9 do
                local chip, x = chips.at(list, column)
                of[column + 1], own[column + 1] = chip.first, chip.first + x
            end
            host.metric("of", of)
            host.metric("own", own)""")

        self.assertEqual(found["own"], list(range(10)))
        self.assertEqual(found["of"], [0, 0, 2, 2, 2, 5, 5, 7, 7, 7])

    def test_what_cannot_be_is_refused(self):
        self.assertRefused("chips.count(mesh(2, 1), 3, nil)", "chips=3: the system has 2")
        self.assertRefused("chips.count(mesh(8, 1), 8, 5)", "chips=8: the grid has 5 columns of cores")
        self.assertRefused("chips.spread(mesh(2, 1, 1), 2, 8)", "no path from chip 0 to chip 1")

    def test_all_chips_are_those_that_get_a_column(self):
        found = self.metrics("""host.metric("all", chips.count(mesh(8, 1), 0, nil))
            host.metric("few", chips.count(mesh(8, 1), 0, 5))
            host.metric("one", chips.count(mesh(8, 1), nil, 5))""")

        self.assertEqual((found["all"], found["few"], found["one"]), (8, 5, 1))

    # Trees of sums.

    def test_every_core_of_every_chip_comes_to_one_root(self):
        for routing in ("naive", "center", "direct"):
            found = self.metrics(f"""local tree, routing = require("cores/tree"), require("cores/routing")
                local size = {{ rows = 3, cols = 10, chips = chips.spread(mesh(4, 1), 4, 10) }}
                local trees, places, roots = tree.across("{routing}", routing.{routing}, size), {{}}, 0
                local function visit(node)
                    places[#places + 1] = (node.chip.first + node.x) * 3 + node.y
                    for i, child in ipairs(node.children) do
                        assert(child.parent == node and child.order == i - 1)
                        assert((child.chip == node.chip) == (i <= node.near))
                        visit(child)
                    end
                end
                visit(trees.root)
                for _, part in ipairs(trees.parts) do
                    roots = roots + (part.root.parent and 0 or 1)
                    assert(#part.root.children <= trees.inputs)
                end
                host.metric("places", places)
                host.metric("roots", roots)
                host.metric("hops", trees.hops)""")

            self.assertEqual(sorted(found["places"]), list(range(30)))
            self.assertEqual(found["roots"], 1)
            # Along the rows and the first column of a chip, then from chip to chip.
            self.assertEqual(found["hops"], {"naive": 2 + 2 + 3, "center": 1 + 1 + 2, "direct": 1 + 1}[routing])


if __name__ == "__main__":
    unittest.main()
