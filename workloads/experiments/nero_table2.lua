-- Table 2 of NERO (Singh et al., FPL 2020): resources of both kernels' designs, in percent of
-- the device, beside the published ones. Nothing runs on the board. Writes nero_table2.csv and
-- nero_table2.svg:
--     gridloom run workloads/experiments/nero_table2.lua --chip nero_ad9h7 --out DIR

local grid = require("nero/grid")

local NAMES = { "BRAM", "DSP", "FF", "LUT", "URAM" }
local KERNELS = {
    { name = "vadvc", module = require("nero/vadvc"), published = { BRAM = 81, DSP = 39, FF = 37, LUT = 55, URAM = 53 } },
    { name = "hdiff", module = require("nero/hdiff"), published = { BRAM = 58, DSP = 4, FF = 6, LUT = 11, URAM = 8 } },
}
-- Windows and PEs as published, as the kernels' scripts have them.
local WORDS = {
    nx = 256, ny = 256, nz = 64, dtype = "fp32", limiter = true, pes = 0, window_x = 0, window_y = 0, window_z = 0, lanes = 0,
    partition = 0, buffers = 2,
}

return {
    summary = "table 2 of NERO: resources of the designs of hdiff and vadvc",
    chips = { "nero" },
    parameters = {},
    run = function(host)
        local rows, series = {}, {}
        for _, kernel in ipairs(KERNELS) do
            local board, plan = grid.board(host, WORDS, kernel.module.design(WORDS))
            local percent, points, published = {}, {}, {}
            for _, resource in ipairs(board:resources()) do
                percent[resource.name] = resource
            end
            local metric = { pes = plan.pes }
            for i, name in ipairs(NAMES) do
                local own = percent[name]
                metric[name], points[i], published[i] = own.percent, { i, own.percent }, { i, kernel.published[name] }
                rows[#rows + 1] = { kernel.name, plan.pes, name, kernel.published[name], ("%.1f"):format(own.percent),
                    ("%.0f"):format(own.pe), ("%.0f"):format(own.shell) }
            end
            host.metric(kernel.name, metric)
            series[#series + 1] = { name = ("%s, %d PEs"):format(kernel.name, plan.pes), style = "points", points = points }
            series[#series + 1] = { name = kernel.name .. ", published", style = "points", points = published }
        end
        host.table { name = "nero_table2", rows = rows,
            columns = { "kernel", "PEs", "resource", "published %", "%", "of a PE", "whatever the PEs" } }
        host.plot { name = "nero_table2", title = "Resources of the designs, percent of the device",
            x = "1 BRAM, 2 DSP, 3 FF, 4 LUT, 5 URAM", y = "percent", series = series }
    end,
}
