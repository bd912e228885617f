-- Figure 6 of arXiv:2603.23343: the gain of the FP32 dot product with the centre as root over
-- the first core as root, for 1, 4, 64 and 128 tiles per core. Cores send tiles. Writes
-- figure6.csv and figure6.svg:
--     gridloom run workloads/experiments/figure6_routing.lua --out DIR

local dot = require("cores/dot_product")
local grids = require("grids")
local routing = require("cores/routing")

local TILES = { 1, 4, 64, 128 }

return {
    summary = "figure 6 of arXiv:2603.23343: dot product, centre over naive routing",
    chips = { "tensix" },
    parameters = {
        { name = "iterations", type = "integer", default = 1, min = 1, max = 1000, help = "launches that are averaged; the paper has 100" },
    },
    kernels = dot.kernels,
    run = function(host, p)
        local cols, rows = host.grid()
        local settings = {
            rows = rows, cols = cols, tiles = TILES[#TILES], dtype = "fp32", granularity = "tile", routing = "center",
            iterations = p.iterations, arithmetic = p.arithmetic,
        }
        local place = dot.place(host, settings, routing)
        local lines, series = {}, {}
        for i, tiles in ipairs(TILES) do
            local points = {}
            for j, grid in ipairs(grids) do
                settings.rows, settings.cols, settings.tiles = grid.rows, grid.cols, tiles
                settings.routing = "naive"
                local naive = 1e6 * dot.measure(host, settings, routing, place)
                settings.routing = "center"
                local center = 1e6 * dot.measure(host, settings, routing, place)
                local speedup = 100 * (naive / center - 1)
                points[j] = { grid.rows * grid.cols, speedup }
                lines[#lines + 1] = { tiles, grid.rows * grid.cols, grid.rows, grid.cols, ("%.3f"):format(naive),
                    ("%.3f"):format(center), ("%.2f"):format(speedup) }
                host.metric(("speedup_percent_%d_tiles"):format(tiles), speedup)
                host.progress(((i - 1) * #grids + j) / (#TILES * #grids))
            end
            series[i] = { name = tiles == 1 and "1 tile" or ("%d tiles"):format(tiles), points = points }
            print(("%d tiles, %d cores: the centre is faster by %.2f %%"):format(tiles, lines[#lines][2], points[#points][2]))
        end
        host.table {
            name = "figure6", columns = { "tiles", "cores", "rows", "cols", "naive us", "center us", "speedup %" }, rows = lines,
        }
        host.plot {
            name = "figure6", title = "FP32 dot product, tiles sent: centre over naive routing",
            x = "cores", y = "speedup (%)", series = series,
        }
    end,
}
