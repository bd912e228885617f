-- The acoustic wave equation: a 25-point stencil, 8th order in space and 2nd in time. Tensix
-- runs lib/cores/wave25.lua, wafers run lib/wafer/wave25.lua.

local chips = require("cores/chips")
local core_grid = require("cores/grid")
local core_stencil = require("cores/stencil")
local field = require("field")
local wave = require("wave25")
local sides = { tensix = require("cores/wave25"), wse = require("wafer/wave25") }

local parameters = core_grid.parameters {
    { name = "dtype", type = "choice", default = { tensix = "bf16", wse = "fp32" },
      choices = { tensix = { "bf16", "fp32" }, wse = { "fp32" } }, help = "format of the numbers; on tensix fp32 is on the SFPU" },
    { name = "steps", type = "integer", default = 3, min = 1, max = 10000000, help = "time steps, in one launch" },
    { name = "source", type = "switch", default = true, help = "a pulse at the centre in the first 17 steps" },
    field.parameter("start", wave.starts, "what the cells hold at first, and a step before"),
    chips.words.chips, chips.words.overlap,
}
table.move(sides.wse.parameters, 1, #sides.wse.parameters, #parameters + 1, parameters)

return {
    summary = "25-point stencil, acoustic waves: tiles with halos of width 4, or columns and localized broadcasts",
    chips = { "tensix", "wse" },
    parameters = parameters,
    kernels = core_stencil.kernels,
    inputs = {
        { name = "start", help = "what the cells hold at first, of shape (nx, ny, nz)" },
        { name = "before", help = "what they held a step before; without it the same as start" },
    },
    outputs = { { name = "u", help = "what they hold in the end, of shape (nx, ny, nz)" } },
    run = function(host, p)
        sides[host.family].run(host, p)
    end,
}
