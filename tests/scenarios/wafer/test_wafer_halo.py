"""Exchange of columns between PEs: every reach, again and again, with PEs that are late."""
import unittest

from workload_runs import WaferRuns

# u = (2 u + weights of all received numbers) / 64. Some PEs take much longer than others.
SCRIPT = """
local halo = require("wafer/halo")
local BEGIN, DONE = 8, 9
local WEIGHTS = { west = 3, east = 5, north = 7, south = 11 }
local SIDES = { "west", "east", "north", "south" }

local function program(pe, plan, p, x, y)
    local u = pe:array { name = "u", type = p.type, count = p.nz, align = 16 }
    local cells, step = pe:mem1d_dsd { base = u, extent = p.nz }, pe:variable { name = "step", value = 0 }
    local spent = pe:variable { name = "spent", value = 0 }
    local part = plan:attach(pe, { x = x, y = y, source = cells, done = DONE })
    local scale, fuse = p.type == "f16" and "fmulh" or "fmuls", p.type == "f16" and "fmach" or "fmacs"
    pe:bind_local_task(BEGIN, "begin", function() part:start() end)
    pe:bind_local_task(DONE, "done", function()
        pe[scale](pe, cells, cells, 2 / 64)
        for _, side in ipairs(SIDES) do
            for distance = 1, p.reach do
                local column = part.columns[side] and part.columns[side][distance]
                if column then
                    pe[fuse](pe, cells, cells, column, (WEIGHTS[side] + distance) / 64)
                end
            end
        end
        pe:iteration_done()
        pe:assign(spent, 0)
        pe:while_(spent, "<", (x * 7 + y * 3) % 5 == 0 and p.late or 0, function() pe:add(spent, 1) end)
        pe:add(step, 1)
        pe:when(step, "<", p.iterations, function() pe:activate(BEGIN) end)
    end)
    pe:activate(BEGIN)
end

-- In double precision.
local function expected(p, u)
    local function at(x, y, z)
        return x >= 0 and y >= 0 and x < p.nx and y < p.ny and u[(y * p.nx + x) * p.nz + z] or 0
    end
    for _ = 1, p.iterations do
        local next = {}
        for i = 0, p.nx * p.ny * p.nz - 1 do
            local x, y, z = i // p.nz % p.nx, i // p.nz // p.nx, i % p.nz
            local sum = 2 * at(x, y, z)
            for d = 1, p.reach do
                sum = sum + (3 + d) * at(x - d, y, z) + (5 + d) * at(x + d, y, z)
                    + (7 + d) * at(x, y - d, z) + (11 + d) * at(x, y + d, z)
            end
            next[i] = sum / 64
        end
        u = next
    end
    return u
end

local function run(host, p)
    local format, bytes = p.type == "f16" and "fp16" or "fp32", p.type == "f16" and 2 or 4
    local wafer = host.wafer {
        columns = p.nx, rows = p.ny, iterations = p.iterations, period = { p.reach + 1, p.reach + 1 },
        layout = function(layout)
            local plan = halo.plan(layout, {
                mapping = p.mapping, count = p.nz, type = p.type, reach = p.reach,
                tasks = { 10, 11, 12, 13, 14, 15, 16, 17 },
            })
            plan:configure(layout)
            for y = 0, layout.rows - 1 do
                for x = 0, layout.columns - 1 do
                    layout:set_tile_code({ x, y }, "pe", function(pe) program(pe, plan, p, x, y) end)
                end
            end
        end,
    }
    local given, result = host.buffer(p.nx * p.ny * p.nz * bytes), host.buffer(p.nx * p.ny * p.nz * bytes)
    given:fill_random(format, 1, -1, 1)
    wafer:copy_to { name = "u", buffer = given, count = p.nz }
    wafer:launch()
    wafer:copy_from { name = "u", buffer = result, count = p.nz }
    local u, worst, largest = {}, 0, 0
    for i = 0, p.nx * p.ny * p.nz - 1 do
        u[i] = given:get(format, i)
    end
    u = expected(p, u)
    for i = 0, #u do
        worst, largest = math.max(worst, math.abs(u[i] - result:get(format, i))), math.max(largest, math.abs(u[i]))
    end
    host.check { error = worst, tolerance = largest * (p.type == "f16" and 2e-2 or 1e-5), reference = "in double precision" }
    local ends = wafer:iterations()
    host.metric("cycles_of_iteration", (ends[#ends].mean - ends[1].mean) / (#ends - 1))
end

local function integer(name, default)
    return { name = name, type = "integer", default = default, min = 0, max = 1000, help = name }
end
local function text(name, default)
    return { name = name, type = "text", default = default, help = name }
end
return {
    summary = "columns", chips = { "wse" },
    parameters = { integer("nx", 5), integer("ny", 6), integer("nz", 8), integer("reach", 1), integer("iterations", 4),
        integer("late", 0), text("mapping", "neighbour"), text("type", "f32") },
    run = run,
}
"""


class WaferHalo(WaferRuns):
    def setUp(self):
        super().setUp()
        self.SCRIPT = self.path(self.write("halo.lua", SCRIPT))

    def test_every_reach_on_any_grid(self):
        self.assertAllRight([(f"reach={reach}", f"nx={nx}", f"ny={ny}") for reach in (1, 2, 3, 4)
                             for nx, ny in ((1, 1), (2, 1), (1, 6), (5, 4), (9, 11))], "mapping=broadcast")

    def test_halves_two_in_a_wavelet_and_alone(self):
        self.assertAllRight([(f"mapping={mapping}", f"reach={reach}", f"nz={nz}")
                             for mapping, reach in (("neighbour", 1), ("multicast", 1), ("broadcast", 1), ("broadcast", 3))
                             for nz in (1, 2, 7, 8)], "type=f16")

    def test_late_pes_are_not_overrun(self):
        self.assertAllRight([(f"mapping={mapping}", f"reach={reach}", f"late={late}")
                             for mapping, reach in (("neighbour", 1), ("multicast", 1), ("broadcast", 1), ("broadcast", 2))
                             for late in (10, 50, 400)], "nx=7", "iterations=9")

    def test_both_grains_agree(self):
        """Within 2 %, also if an even number of PEs take turns and tasks wait."""
        self.assertGrainsAgree("cycles_of_iteration", [
            (f"mapping={mapping}", f"nx={nx}", f"ny={ny}", f"nz={nz}")
            for mapping, nx, ny, nz in (("neighbour", 12, 13, 50), ("multicast", 12, 13, 50), ("broadcast", 12, 12, 50), ("broadcast", 13, 12, 30),
                                        ("broadcast", 13, 12, 10), ("broadcast", 14, 14, 5))])


if __name__ == "__main__":
    unittest.main()
