-- Figure 11 of arXiv:2603.23343: weak scaling of the 7-point stencil in BF16, 64 tiles per
-- core, with and without the exchange of halos and the zeros at the boundary. Writes
-- figure11.csv, figure11.svg (time until the last core has ended) and figure11_mean.svg (the
-- mean over cores, as a device profiler shows it):
--     gridloom run workloads/experiments/figure11_stencil.lua --out DIR
-- The paper averages 1000 iterations; here all iterations are alike.

local product = require("cores/laplacian7_product")

local GRIDS = {
    { rows = 1, cols = 1 }, { rows = 2, cols = 2 }, { rows = 3, cols = 3 }, { rows = 4, cols = 4 },
    { rows = 5, cols = 5 }, { rows = 6, cols = 6 }, { rows = 7, cols = 7 }, { rows = 7, cols = 8 },
}
local VARIANTS = {
    { name = "full", halo = true, zero_fill = true },
    { name = "no halo", halo = false, zero_fill = true },
    { name = "no zero fill", halo = true, zero_fill = false },
    { name = "neither", halo = false, zero_fill = false },
}

local function plot(host, p, name, what, points)
    local series = {}
    for i, variant in ipairs(VARIANTS) do
        series[i] = { name = variant.name, points = points[variant.name] }
    end
    host.plot {
        name = name, title = ("7-point stencil, %s, %d tiles per core, %s"):format(p.dtype, p.tiles, what),
        x = "cores", y = "time per iteration (us)", series = series,
    }
end

return {
    summary = "figure 11 of arXiv:2603.23343: weak scaling of the stencil, and what halos and zeros cost",
    chips = { "tensix" },
    parameters = {
        { name = "tiles", type = "integer", default = 64, min = 1, max = 4096, help = "tiles of 1024 numbers per core" },
        { name = "dtype", type = "choice", default = "bf16", choices = { "bf16", "fp32" }, help = "format of the numbers" },
        { name = "iterations", type = "integer", default = 1, min = 1, max = 1000, help = "products that are averaged" },
    },
    kernels = product.kernels,
    run = function(host, p)
        local settings = { tiles = p.tiles, dtype = p.dtype, iterations = p.iterations, arithmetic = p.arithmetic }
        local us = 1e6 / host.number("chip.clock_hz")
        local lines, last_points, mean_points = {}, {}, {}
        settings.cols, settings.rows = GRIDS[#GRIDS].cols, GRIDS[#GRIDS].rows
        local memory = product.memory(host, product.settings(host, settings))
        for _, variant in ipairs(VARIANTS) do
            last_points[variant.name], mean_points[variant.name] = {}, {}
        end
        for i, grid in ipairs(GRIDS) do
            local cores = grid.rows * grid.cols
            settings.rows, settings.cols = grid.rows, grid.cols
            for _, variant in ipairs(VARIANTS) do
                settings.halo, settings.zero_fill = variant.halo, variant.zero_fill
                local cycles, mean = product.multiply(host, product.settings(host, settings), memory)
                table.insert(last_points[variant.name], { cores, cycles * us })
                table.insert(mean_points[variant.name], { cores, mean * us })
                lines[#lines + 1] = { cores, grid.rows, grid.cols, variant.name, ("%.3f"):format(cycles * us), ("%.3f"):format(mean * us) }
            end
            host.progress(i / #GRIDS)
        end
        host.table { name = "figure11", columns = { "cores", "rows", "cols", "variant", "us", "mean of cores us" }, rows = lines }
        plot(host, p, "figure11", "last core", last_points)
        plot(host, p, "figure11_mean", "mean of cores", mean_points)
        for _, variant in ipairs(VARIANTS) do
            local points = last_points[variant.name]
            print(("%-12s  1 core %.1f us, 4 cores %.1f, 9 cores %.1f, %d cores %.1f"):format(
                variant.name, points[1][2], points[2][2], points[3][2], points[#points][1], points[#points][2]))
        end
    end,
}
