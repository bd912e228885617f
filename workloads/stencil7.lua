-- y = A x with the 7-point Laplacian A of a 3D grid. On cores:
-- lib/cores/laplacian7_product.lua. On wafers: lib/wafer/stencil7.lua.

local chips = require("cores/chips")
local core_grid = require("cores/grid")
local field = require("field")
local product = require("cores/laplacian7_product")
local wafer = require("wafer/stencil7")

local parameters = core_grid.parameters {
    { name = "dtype", type = "choice", default = { tensix = "bf16", wse = "fp32" },
      choices = { tensix = { "bf16", "fp32" }, wse = { "fp32", "fp16", "mixed" } },
      help = "format of the numbers; on tensix fp32 is on the SFPU, on wse mixed is fp16 added up in fp32" },
    { name = "halo", type = "switch", default = true, chips = { "tensix" }, help = "exchange edges with the neighbours" },
    { name = "zero_fill", type = "switch", default = true, chips = { "tensix" }, help = "put 0 beyond the edges of the grid" },
    { name = "iterations", type = "integer", default = 1, min = 1, max = 1000000, help = "products, in one launch" },
    field.parameter("start", { "random" }, "the numbers x"),
    field.parameter("diagonal", { "6" }, "diagonal of the matrix, whose neighbours have -1"),
}
table.move({ chips.words.chips, chips.words.overlap }, 1, 2, #parameters + 1, parameters)
table.move(core_grid.plane_parameters, 1, 2, #parameters + 1, parameters)
parameters[#parameters + 1] = core_grid.vectors_parameter
table.move(wafer.parameters, 1, #wafer.parameters, #parameters + 1, parameters)

return {
    summary = "7-point stencil on a 3D grid: halos from four neighbours, all layers in one core or PE",
    chips = { "tensix", "wse" },
    parameters = parameters,
    kernels = product.kernels,
    inputs = {
        { name = "start", help = "the numbers x, of shape (nx, ny, nz)" },
        { name = "diagonal", help = "diagonal of the matrix, of shape (nx, ny, nz)" },
    },
    outputs = { { name = "y", help = "their product with the matrix, of shape (nx, ny, nz)" } },
    run = function(host, p)
        return (host.family == "wse" and wafer.run or product.run)(host, p)
    end,
}
