-- Strong and weak scaling of PCG over the chips of a system: where the time of an iteration
-- goes, and from which size on more chips are faster:
--     gridloom run workloads/experiments/pcg_scaling_chips.lua --system t3000 --timing-only --out DIR
-- All cores of a chip take part. Strong: a problem has as many tiles as the cores of one chip
-- with 8, 16, ... tiles each. On n chips each core has an n-th of them, so the grid gets n
-- times as long along x and an n-th as high along z. Weak: the same number of tiles per core on
-- any number of chips. Writes pcg_chips.csv and
--     pcg_chips_strong.svg    time of an iteration over chips, a line for each size
--     pcg_chips_crossover.svg the same over sizes, a line for each number of chips
--     pcg_chips_weak.svg      time of an iteration over chips, and its share of waits for other chips
--     pcg_chips_parts.svg     parts of an iteration with `tiles` tiles per core of one chip

local solver = require("cores/pcg_solver")

local PARTS = { "compute", "noc", "ethernet", "host" }
local CELLS = 1024      -- of a tile

-- 1, 2, 4, ... up to the number of chips of the system.
local function counts_of(host)
    local counts, count = {}, 1
    while count <= (host.chip_count or 1) do
        counts[#counts + 1] = count
        count = 2 * count
    end
    return counts
end

-- Tiles per core of one chip, doubling from the smallest size on.
local function sizes_of(p)
    local sizes, tiles = {}, p.smallest
    while tiles <= p.largest do
        sizes[#sizes + 1] = tiles
        tiles = 2 * tiles
    end
    return sizes
end

-- Solves with the same chips and tiles are run once.
local function solver_of(host, p, rows)
    local known = {}
    return function(kind, chips, tiles)
        local key = chips .. " " .. tiles
        local parts = known[key]
        if not parts then
            local cols, cores = host.grid()
            parts = solver.solve(host, solver.settings {
                variant = p.variant, structure = p.structure, granularity = p.granularity, routing = p.routing, dots = p.dots,
                rows = cores, cols = cols, tiles = tiles, chips = chips, overlap = p.overlap, has_zones = true,
                iterations = p.iterations, unattributed = p.unattributed, arithmetic = p.arithmetic,
            })
            parts.cells = chips * cols * cores * tiles * CELLS
            known[key] = parts
        end
        local row = { kind, chips, tiles, parts.cells, ("%.3f"):format(1e6 * parts.total) }
        for i, name in ipairs(PARTS) do
            row[5 + i] = ("%.3f"):format(1e6 * parts.times[name])
        end
        rows[#rows + 1] = row
        return parts
    end
end

-- The smallest size from which on `chips` chips are faster than half as many; nil if none.
local function crossover(times, sizes, chips)
    local found
    for i = #sizes, 1, -1 do
        local here, half = times[sizes[i]][chips], times[sizes[i]][chips // 2]
        if not here or here.total >= half.total then
            break
        end
        found = sizes[i]
    end
    return found
end

-- times[size][chips] and its parts, as lines over chips and over sizes.
local function strong(host, p, solve, counts, done)
    local sizes, times, over_chips, over_sizes = sizes_of(p), {}, {}, {}
    for i, chips in ipairs(counts) do
        over_sizes[i] = { name = chips == 1 and "1 chip" or chips .. " chips", points = {} }
    end
    for s, tiles in ipairs(sizes) do
        times[tiles] = {}
        over_chips[s] = { name = tiles .. " tiles a core of one chip", points = {} }
        for i, chips in ipairs(counts) do
            if tiles % chips == 0 then
                local parts = solve("strong", chips, tiles // chips)
                times[tiles][chips] = parts
                table.insert(over_chips[s].points, { chips, 1e6 * parts.total })
                table.insert(over_sizes[i].points, { parts.cells, 1e6 * parts.total })
            end
            done()
        end
    end
    local title = ("PCG, %s, on %s"):format(p.variant, host.chip)
    host.plot { name = "pcg_chips_strong", title = title .. ": fixed sizes", x = "chips", y = "time of an iteration (us)", log_x = true,
        log_y = true, series = over_chips }
    host.plot { name = "pcg_chips_crossover", title = title .. ": when more chips are faster", x = "cells", y = "time of an iteration (us)",
        log_x = true, log_y = true, series = over_sizes }
    for i = 2, #counts do
        local tiles = crossover(times, sizes, counts[i])
        local cells = tiles and times[tiles][1].cells
        host.metric(("crossover_cells_%d_chips"):format(counts[i]), cells or 0)
        print(tiles and ("%d chips are faster than %d from %d cells on, %d tiles a core of one chip"):format(counts[i], counts[i - 1],
            cells, tiles) or ("%d chips are never faster than %d"):format(counts[i], counts[i - 1]))
    end
    return times
end

-- Parts of the iteration time of one size, over chips.
local function plot_parts(host, p, counts, times)
    local series = {}
    for i, name in ipairs(PARTS) do
        series[i] = { name = name, points = {} }
        for _, chips in ipairs(counts) do
            local parts = times[chips]
            if parts and parts.times[name] > 0 then
                table.insert(series[i].points, { chips, 1e6 * parts.times[name] })
            end
        end
    end
    host.plot { name = "pcg_chips_parts", title = ("PCG, %s: what an iteration of %d tiles goes to"):format(p.variant, p.tiles),
        x = "chips", y = "time of an iteration (us)", log_x = true, log_y = true, series = series }
end

local function weak(host, p, solve, counts, done)
    local total, waits, first = { name = "an iteration", points = {} }, { name = "waits for other chips", points = {} }, nil
    for _, chips in ipairs(counts) do
        local parts = solve("weak", chips, p.tiles)
        first = first or parts
        table.insert(total.points, { chips, 1e6 * parts.total })
        if parts.times.ethernet > 0 then
            table.insert(waits.points, { chips, 1e6 * parts.times.ethernet })
        end
        host.metric(("weak_efficiency_%d_chips"):format(chips), first.total / parts.total)
        done()
    end
    host.plot { name = "pcg_chips_weak", title = ("PCG, %s: %d tiles a core"):format(p.variant, p.tiles), x = "chips",
        y = "time of an iteration (us)", log_x = true, log_y = true, series = #waits.points > 0 and { total, waits } or { total } }
end

return {
    summary = "strong and weak scaling of PCG over the chips of a system",
    chips = { "tensix" },
    parameters = {
        { name = "variant", type = "choice", default = "fused", choices = { "fused", "split" }, help = "as in pcg.lua" },
        { name = "structure", type = "choice", default = "chain", choices = { "chain", "batched" }, help = "as in pcg.lua" },
        { name = "granularity", type = "choice", default = "tile", choices = { "scalar", "tile" }, help = "as in pcg.lua" },
        { name = "routing", type = "choice", default = "naive", choices = { "naive", "center", "direct" }, help = "as in pcg.lua" },
        { name = "dots", type = "integer", default = 4, min = 3, max = 4, help = "as in pcg.lua" },
        { name = "overlap", type = "switch", default = true, help = "as in pcg.lua" },
        { name = "iterations", type = "integer", default = 3, min = 1, max = 100, help = "iterations of a solve" },
        { name = "tiles", type = "integer", default = 64, min = 1, max = 4096, help = "tiles a core: weak scaling; one of the sizes whose parts are drawn" },
        { name = "smallest", type = "integer", default = 8, min = 1, max = 4096, help = "tiles a core of one chip: the smallest size" },
        { name = "largest", type = "integer", default = 64, min = 1, max = 4096, help = "and the largest; in between they double" },
    },
    kernels = solver.kernels,
    run = function(host, p)
        local rows, counts, made = {}, counts_of(host), 0
        local solve, all = solver_of(host, p, rows), (#sizes_of(p) + 1) * #counts
        local function done()
            made = made + 1
            host.progress(made / all)
        end
        local times = strong(host, p, solve, counts, done)
        if times[p.tiles] then
            plot_parts(host, p, counts, times[p.tiles])
        end
        weak(host, p, solve, counts, done)
        host.table {
            name = "pcg_chips", rows = rows,
            columns = { "kind", "chips", "tiles a core", "cells", "us an iteration" .. solver.mark(p), "compute us" .. solver.mark(p), "noc us", "ethernet us", "host us" },
        }
    end,
}
