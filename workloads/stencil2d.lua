-- 2D stencils, star or box of radius 1 to 3, on the independent layers of a grid. On cores:
-- lib/cores/stencil2d.lua. On wafers: lib/wafer/stencil2d.lua.

local core_grid = require("cores/grid")
local core_stencil = require("cores/stencil")
local sides = { tensix = require("cores/stencil2d"), wse = require("wafer/stencil2d") }

return {
    summary = "2D stencils on independent layers: star or box, radius 1 to 3",
    chips = { "tensix", "wse" },
    parameters = core_grid.parameters {
        { name = "shape", type = "choice", default = "star", choices = { "star", "box" }, help = "neighbours along x or y, or all around" },
        { name = "radius", type = "integer", default = 1, min = 1, max = 3, help = "how far neighbours are away at most" },
        { name = "dtype", type = "choice", default = { tensix = "bf16", wse = "fp32" },
          choices = { tensix = { "bf16", "fp32" }, wse = { "fp32", "fp16" } }, help = "format of the numbers; on tensix fp32 is on the SFPU" },
        { name = "iterations", type = "integer", default = 3, min = 1, max = 1000000, help = "steps, in one launch" },
    },
    kernels = core_stencil.kernels,
    run = function(host, p)
        sides[host.family].run(host, p)
    end,
}
