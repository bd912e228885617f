-- Figure 12 of arXiv:2603.23343: strong and weak scaling of PCG, FP32 split and BF16 fused.
-- Writes figure12.csv, figure12_strong.svg (a problem of fixed size, the largest that the
-- smallest grid holds) and figure12_weak.svg (time per tile, with as many tiles per core as the
-- paper says fit):
--     gridloom run workloads/experiments/figure12_scaling.lua --out DIR
-- The paper averages 100 iterations; here fewer iterations share the start. If a fixed size is
-- not a multiple of the cores, all cores have as many tiles as the fullest one.

local solver = require("cores/pcg_solver")

local GRIDS = { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 }, { 5, 5 }, { 6, 6 }, { 7, 7 }, { 7, 8 } }
local VARIANTS = {
    { name = "fused", label = "BF16 fused", tiles = 164, total = 164 * 4, smallest = 4 },
    { name = "split", label = "FP32 split", tiles = 64, total = 64 * 16, smallest = 16 },
}

return {
    summary = "figure 12 of arXiv:2603.23343: strong and weak scaling of PCG",
    chips = { "tensix" },
    parameters = {
        { name = "iterations", type = "integer", default = 3, min = 1, max = 100, help = "iterations of a solve" },
        { name = "scale", type = "integer", default = 1, min = 1, max = 64, help = "problems smaller by this, for a quick look" },
    },
    kernels = solver.kernels,
    run = function(host, p)
        local rows, strong, weak, done = {}, {}, {}, 0
        for i, variant in ipairs(VARIANTS) do
            strong[i] = { name = variant.label, points = {} }
            weak[i] = { name = variant.label, points = {} }
            for _, grid in ipairs(GRIDS) do
                local cores = grid[1] * grid[2]
                local function solve(kind, tiles)
                    local settings = solver.settings { variant = variant.name, rows = grid[1], cols = grid[2], tiles = tiles,
                        iterations = p.iterations, unattributed = p.unattributed, arithmetic = p.arithmetic }
                    local parts = solver.solve(host, settings)
                    rows[#rows + 1] = { kind, variant.name, grid[1], grid[2], cores, tiles, ("%.6f"):format(1e3 * parts.total),
                        ("%.6f"):format(1e3 * parts.mechanistic), ("%.6f"):format(1e3 * parts.total / tiles) }
                    return parts
                end
                local full = math.max(1, variant.tiles // p.scale)
                table.insert(weak[i].points, { cores, 1e3 * solve("weak", full).total / full })
                if cores >= variant.smallest then
                    local tiles = math.max(1, -(-variant.total // cores) // p.scale)
                    table.insert(strong[i].points, { cores, 1e3 * solve("strong", tiles).total })
                end
                done = done + 1
                host.progress(done / (#VARIANTS * #GRIDS))
            end
        end
        host.table {
            name = "figure12", rows = rows,
            columns = { "kind", "variant", "rows", "cols", "cores", "tiles", "ms" .. solver.mark(p), "mechanistic ms", "ms per tile" .. solver.mark(p) },
        }
        host.plot { name = "figure12_strong", title = "PCG, fixed size", x = "cores", y = "time per iteration (ms)", log_x = true,
            log_y = true, series = strong }
        host.plot { name = "figure12_weak", title = "PCG, fixed size per core", x = "cores",
            y = "time per iteration and tile of a core (ms)", series = weak }
        local last = #GRIDS
        local ratio = weak[2].points[last][2] / weak[1].points[last][2]
        host.metric("split_over_fused_per_tile", ratio)
        for i, variant in ipairs(VARIANTS) do
            host.metric(variant.name .. "_weak_last_over_first", weak[i].points[last][2] / weak[i].points[1][2])
        end
        print(("FP32 over BF16 per tile: %.2f, published about 2"):format(ratio))
    end,
}
