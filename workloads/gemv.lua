-- y = A x on a rectangle of PEs: lib/wafer/gemv.lua.

local gemv = require("wafer/gemv")
local matrix = require("wafer/matrix")

local script = {
    summary = "matrix times vector: x down the columns of PEs, sums along their rows",
    chips = { "wse" },
    parameters = {
        { name = "m", type = "integer", default = 256, min = 1, max = 10000000, help = "rows of A, numbers of y" },
        { name = "n", type = "integer", default = 256, min = 1, max = 10000000, help = "columns of A, numbers of x" },
        { name = "width", type = "integer", default = 16, min = 1, max = 65535, help = "columns of PEs" },
        { name = "height", type = "integer", default = 16, min = 1, max = 65535, help = "rows of PEs" },
        { name = "pattern", type = "choice", default = "chain", choices = gemv.patterns,
            help = "sums go along a row to its first PE, or from both ends to the middle" },
    },
    run = gemv.run,
}
table.move(matrix.parameters, 1, #matrix.parameters, #script.parameters + 1, script.parameters)

return script
