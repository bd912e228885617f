-- Figure 5 of arXiv:2603.23343: weak scaling of the FP32 dot product, naive routing, 64 tiles
-- per core. Cores send one number (method 1) or a tile (method 2). Writes figure5.csv and
-- figure5.svg:
--     gridloom run workloads/experiments/figure5_granularity.lua --out DIR

local dot = require("cores/dot_product")
local grids = require("grids")
local routing = require("cores/routing")

return {
    summary = "figure 5 of arXiv:2603.23343: dot product, numbers or tiles to the root",
    chips = { "tensix" },
    parameters = {
        { name = "tiles", type = "integer", default = 64, min = 1, max = 164, help = "tiles of 1024 numbers per core" },
        { name = "iterations", type = "integer", default = 1, min = 1, max = 1000, help = "launches that are averaged; the paper has no number" },
    },
    kernels = dot.kernels,
    run = function(host, p)
        local cols, rows = host.grid()
        local settings = {
            rows = rows, cols = cols, tiles = p.tiles, dtype = "fp32", routing = "naive",
            iterations = p.iterations, arithmetic = p.arithmetic,
        }
        local place = dot.place(host, settings, routing)
        local lines, points = {}, { scalar = {}, tile = {} }
        for i, grid in ipairs(grids) do
            local microseconds = {}
            settings.rows, settings.cols = grid.rows, grid.cols
            for _, granularity in ipairs { "tile", "scalar" } do
                settings.granularity = granularity
                microseconds[granularity] = 1e6 * dot.measure(host, settings, routing, place)
                table.insert(points[granularity], { grid.rows * grid.cols, microseconds[granularity] / 1000 })
            end
            local gain = 100 * (microseconds.tile / microseconds.scalar - 1)
            lines[i] = { grid.rows * grid.cols, grid.rows, grid.cols, ("%.3f"):format(microseconds.scalar),
                ("%.3f"):format(microseconds.tile), ("%.2f"):format(gain) }
            host.metric("scalar_over_tile_percent", gain)
            host.progress(i / #grids)
        end
        print(("%d cores: numbers are faster than tiles by %s %%, published 1.8 %%"):format(lines[#lines][1], lines[#lines][6]))
        host.table { name = "figure5", columns = { "cores", "rows", "cols", "scalar us", "tile us", "gain %" }, rows = lines }
        host.plot {
            name = "figure5", title = ("FP32 dot product, %d tiles per core, naive routing"):format(p.tiles),
            x = "cores", y = "time per iteration (ms)",
            series = {
                { name = "method 1: numbers", points = points.scalar }, { name = "method 2: tiles", points = points.tile },
            },
        }
    end,
}
