-- y = A x, A being the 7-point Laplacian on a 3D grid that is folded onto cores.

local core_grid = require("core_grid")
local product = require("laplacian7_product")

return {
    summary = "7-point stencil on a 3D grid: shifted tiles, halos from four neighbours",
    chips = { "tensix" },
    parameters = core_grid.parameters {
        { name = "dtype", type = "choice", default = { tensix = "bf16", wse = "fp32" },
          choices = { tensix = { "bf16", "fp32" }, wse = { "fp32", "fp16" } }, help = "format of the numbers; on tensix fp32 is on the SFPU" },
        { name = "halo", type = "switch", default = true, chips = { "tensix" }, help = "exchange edges with the neighbours" },
        { name = "zero_fill", type = "switch", default = true, chips = { "tensix" }, help = "put 0 beyond the edges of the grid" },
        { name = "iterations", type = "integer", default = 1, min = 1, max = 1000000, help = "products, in one launch" },
    },
    kernels = product.kernels,
    run = product.run,
}
