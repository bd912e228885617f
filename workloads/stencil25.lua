-- The acoustic wave equation: a 25-point stencil, 8th order in space and 2nd in time. Tensix
-- runs lib/cores/wave25.lua, wafers run lib/wafer/wave25.lua.

local chips = require("cores/chips")
local core_grid = require("cores/grid")
local core_stencil = require("cores/stencil")
local wave = require("wave25")
local sides = { tensix = require("cores/wave25"), wse = require("wafer/wave25") }

local parameters = core_grid.parameters {
    { name = "dtype", type = "choice", default = { tensix = "bf16", wse = "fp32" },
      choices = { tensix = { "bf16", "fp32" }, wse = { "fp32" } }, help = "format of the numbers; on tensix fp32 is on the SFPU" },
    { name = "steps", type = "integer", default = 3, min = 1, max = 10000000, help = "time steps, in one launch" },
    chips.words.chips, chips.words.overlap,
}
table.move(wave.parameters, 1, #wave.parameters, #parameters + 1, parameters)
table.move(sides.wse.parameters, 1, #sides.wse.parameters, #parameters + 1, parameters)

return {
    summary = "25-point stencil, acoustic waves: tiles with halos of width 4, or columns and localized broadcasts",
    chips = { "tensix", "wse" },
    parameters = parameters,
    kernels = core_stencil.kernels,
    inputs = wave.inputs,
    outputs = { { name = "u", help = "what they hold in the end, of shape (nx, ny, nz)" } },
    run = function(host, p)
        sides[host.family].run(host, p)
    end,
}
