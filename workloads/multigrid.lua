-- V-cycles of multigrid for the 7-point Laplacian of a 3D grid: lib/v_cycle.lua. On wafers every PE
-- has a column of cells, and coarser levels are on every second PE: lib/wafer/multigrid.lua.

local multigrid = require("v_cycle")
local wafer = require("wafer/multigrid")

local parameters = {
    { name = "nx", type = "integer", default = 31, min = 1, max = 65535, help = "cells, and columns of PEs" },
    { name = "ny", type = "integer", default = 31, min = 1, max = 65535, help = "cells, and rows of PEs" },
    { name = "nz", type = "integer", default = 31, min = 1, max = 32766, help = "cells, all in one PE" },
}
local others = multigrid.parameters(
    { defaults = "chebyshev", choices = { "chebyshev", "jacobi", "red-black" } },
    { defaults = "fp32", choices = { "fp32", "mixed" }, help = "fp32, or vectors in fp16 with sums of squares in fp32" })
table.move(others, 1, #others, #parameters + 1, parameters)

return {
    summary = "multigrid V-cycles on a 3D grid",
    chips = { "wse" },
    parameters = parameters,
    inputs = multigrid.inputs,
    outputs = multigrid.outputs,
    run = wafer.run,
}
