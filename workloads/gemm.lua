-- C = A B on a square of PEs, with blocks of A along rows and of B along columns: lib/wafer/gemm.lua.

local gemm = require("wafer/gemm")
local matrix = require("wafer/matrix")

local script = {
    summary = "matrix product on a square of PEs (SUMMA)",
    chips = { "wse" },
    parameters = {
        { name = "m", type = "integer", default = 64, min = 1, max = 1000000, help = "rows of A and C" },
        { name = "k", type = "integer", default = 64, min = 1, max = 1000000, help = "columns of A, rows of B" },
        { name = "n", type = "integer", default = 64, min = 1, max = 1000000, help = "columns of B and C" },
        { name = "side", type = "integer", default = 4, min = 1, max = 65535, help = "rows and columns of PEs" },
    },
    run = gemm.run,
}
table.move(matrix.parameters, 1, #matrix.parameters, #script.parameters + 1, script.parameters)

return script
