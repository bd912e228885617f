-- V-cycles of multigrid for the 7-point Laplacian of a 3D grid: lib/v_cycle.lua. On cores levels have
-- tiles in L1, coarser ones on fewer cores: lib/cores/multigrid.lua. On wafers every PE has a column of
-- cells, and coarser levels are on every second PE: lib/wafer/multigrid.lua.

local cores = require("cores/multigrid")
local multigrid = require("v_cycle")
local wafer = require("wafer/multigrid")

local parameters = {
    { name = "nx", type = "integer", default = { tensix = 127, wse = 31 }, min = 1, max = 65535, help = "cells; on wse columns of PEs" },
    { name = "ny", type = "integer", default = { tensix = 31, wse = 31 }, min = 1, max = 65535, help = "cells; on wse rows of PEs" },
    { name = "nz", type = "integer", default = { tensix = 15, wse = 31 }, min = 1, max = 32766, help = "cells, all in one core or PE" },
}
local others = multigrid.parameters({
    defaults = "chebyshev", choices = { tensix = { "chebyshev", "jacobi" }, wse = { "chebyshev", "jacobi", "red-black" } },
}, {
    defaults = "fp32", choices = { tensix = { "fp32", "bf16" }, wse = { "fp32", "mixed" } },
    help = "format of the numbers; on tensix fp32 is on the SFPU, on wse mixed is fp16 with squares added up in fp32",
})
table.move(others, 1, #others, #parameters + 1, parameters)

return {
    summary = "multigrid V-cycles on a 3D grid",
    chips = { "tensix", "wse" },
    parameters = parameters,
    kernels = cores.kernels,
    inputs = multigrid.inputs,
    outputs = multigrid.outputs,
    run = function(host, p)
        return (host.family == "wse" and wafer or cores).run(host, p)
    end,
}
