-- Figure 13 of arXiv:2603.23343: the time of a PCG iteration by component, in the kernels
-- alone; BF16 fused, 512 x 112 x 64 cells. Also shows the gain of one operation at a time over
-- the tile-by-tile chain. Writes figure13.csv and figure13.svg:
--     gridloom run workloads/experiments/figure13_components.lua --out DIR

local solver = require("cores/pcg_solver")

local COMPONENTS = { "spmv", "axpy", "dot" }
local PUBLISHED_SUM = 0.6       -- ms: "approximately half" of 1.20

return {
    summary = "figure 13 of arXiv:2603.23343: components of PCG",
    chips = { "tensix" },
    parameters = {
        { name = "tiles", type = "integer", default = 64, min = 1, max = 164, help = "tiles of 64 x 16 numbers per core" },
        { name = "iterations", type = "integer", default = 3, min = 1, max = 100, help = "iterations of a solve" },
    },
    kernels = solver.kernels,
    run = function(host, p)
        local rows, series = {}, {}
        for i, structure in ipairs { "chain", "batched" } do
            local parts = solver.solve(host, solver.settings { tiles = p.tiles, iterations = p.iterations, structure = structure,
                unattributed = p.unattributed, arithmetic = p.arithmetic })
            series[i] = { name = structure, style = "points", points = {} }
            for k, name in ipairs(COMPONENTS) do
                rows[#rows + 1] = { structure, name, ("%.6f"):format(1e3 * parts[name]) }
                series[i].points[k] = { k, 1e3 * parts[name] }
            end
            rows[#rows + 1] = { structure, "sum", ("%.6f"):format(1e3 * parts.sum) }
            host.metric(structure .. "_component_ms", 1e3 * parts.sum)
            host.progress(i / 2)
        end
        host.table { name = "figure13", columns = { "structure", "component", "ms" }, rows = rows }
        host.plot { name = "figure13", title = "Components of a PCG iteration, BF16 fused", x = "1 spmv, 2 axpy, 3 dot",
            y = "time per iteration (ms)", series = series }
        print(("components: %s ms, published about %.1f ms"):format(rows[#COMPONENTS + 1][3], PUBLISHED_SUM))
    end,
}
