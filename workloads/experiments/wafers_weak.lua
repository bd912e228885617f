-- Weak scaling of the 25-point stencil and of PCG over wafers. How many cells does a PE need
-- before the host's share of the time is bearable?
--     gridloom run workloads/experiments/wafers_weak.lua --system wse2x8 --timing-only --out DIR
-- A wafer has `columns` x `rows` PEs of the grid. The stencil exchanges edges after every step,
-- or after as many steps as `columns` is deep enough for. PCG sends edges and sums over the
-- host twice per iteration. Writes wafers_weak.csv and
--     wafers_weak.svg      time of a step or iteration over wafers, with `cells` cells per PE
--     wafers_cells.svg     the same on all wafers over cells per PE, beside one wafer alone

local pcg = require("wafer/pcg")
local solve = require("wafer/solve")
local stencil = require("wafer/wave25")

local REACH = 4
local US = 1e6

-- Measurements: times(host, p, chips, cells) returns seconds of a step or iteration.
local function cases_of(p)
    local deepest = p.columns // REACH
    local function waves(every)
        return function(host, chips, cells)
            return stencil.times(host, {
                nx = chips * p.columns, ny = p.rows, nz = cells, chips = chips, steps = deepest, exchange_steps = every, block = "auto",
                directions = "ewns", source = true, start = "zero",
            })
        end
    end
    return {
        { workload = "stencil25", name = "stencil25, exchange every step", is_first = true, times = waves(1) },
        { workload = "stencil25", name = ("stencil25, exchange every %d steps"):format(deepest), times = waves(deepest) },
        { workload = "pcg", name = "pcg", is_first = true, times = function(host, chips, cells)
            return solve.times(host, {
                nx = chips * p.columns, ny = p.rows, nz = cells, chips = chips, dtype = "fp32", iterations = 3, tolerance = 0,
                mapping = "neighbour", pattern = "auto", group = 0,
            }, pcg)
        end },
    }
end

-- 1, 2, 4, ... up to the number of wafers of the system.
local function counts_of(host)
    local counts, count = {}, 1
    while count <= (host.chip_count or 1) do
        counts[#counts + 1], count = count, 2 * count
    end
    return counts
end

return {
    summary = "weak scaling of the 25-point stencil and of PCG over wafers, by cells of a PE",
    chips = { "wse" },
    parameters = {
        { name = "columns", type = "integer", default = 16, min = 8, max = 376, help = "PEs of a wafer along x; a multiple of 4 is best" },
        { name = "rows", type = "integer", default = 4, min = 1, max = 994, help = "PEs of a wafer along y" },
        { name = "cells", type = "integer", default = 128, min = 16, max = 600, help = "cells of a PE at most, and over wafers" },
    },
    run = function(host, p)
        local counts, rows, over_wafers, over_cells = counts_of(host), {}, {}, {}
        local known = {}
        local function times_of(case, chips, cells)
            local key = ("%s %d %d"):format(case.name, chips, cells)
            if not known[key] then
                known[key] = case.times(host, chips, cells)
                rows[#rows + 1] = { case.name, chips, cells, ("%.6f"):format(US * known[key].seconds), ("%.6f"):format(US * known[key].compute) }
            end
            return known[key]
        end
        for i, case in ipairs(cases_of(p)) do
            over_wafers[i] = { name = case.name, points = {} }
            for _, chips in ipairs(counts) do
                local times = times_of(case, chips, p.cells)
                table.insert(over_wafers[i].points, { chips, US * times.seconds })
            end
            local all, one = { name = case.name, points = {} }, { name = case.workload .. ", one wafer", style = "line", points = {} }
            local cells = 16
            while cells <= p.cells do
                table.insert(all.points, { cells, US * times_of(case, counts[#counts], cells).seconds })
                table.insert(one.points, { cells, US * times_of(case, 1, cells).seconds })
                cells = 2 * cells
            end
            over_cells[#over_cells + 1] = all
            if case.is_first then
                over_cells[#over_cells + 1] = one
            end
        end
        local size = ("%d x %d PEs a wafer"):format(p.columns, p.rows)
        host.table { name = "wafers_weak", columns = { "workload", "wafers", "cells", "us", "us_in_pes" }, rows = rows }
        host.plot { name = "wafers_weak", title = ("Weak scaling over wafers, %s, %d cells a PE"):format(size, p.cells), x = "wafers", y = "us a step or iteration",
            log_x = true, log_y = true, series = over_wafers }
        host.plot { name = "wafers_cells", title = ("%d wafers and one, %s"):format(counts[#counts], size), x = "cells a PE", y = "us a step or iteration",
            log_x = true, log_y = true, series = over_cells }
    end,
}
