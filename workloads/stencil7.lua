-- y = A x, A being the 7-point Laplacian on a 3D grid that is folded onto cores.

local product = require("laplacian7_product")

return {
    summary = "7-point stencil on a 3D grid: shifted tiles, halos from four neighbours",
    chips = { "tensix" },
    parameters = {
        { name = "rows", type = "integer", default = 7, min = 1, max = 64, help = "rows of cores; ny is 16 times that" },
        { name = "cols", type = "integer", default = 8, min = 1, max = 64, help = "columns of cores; nx is 64 times that" },
        { name = "tiles", type = "integer", default = 64, min = 1, max = 4096, help = "tiles of 1024 numbers per core, nz" },
        { name = "dtype", type = "choice", default = "bf16", choices = { "bf16", "fp32" }, help = "format of the numbers; fp32 on the SFPU" },
        { name = "halo", type = "switch", default = true, help = "exchange edges with the neighbours" },
        { name = "zero_fill", type = "switch", default = true, help = "put 0 beyond the edges of the grid" },
        { name = "iterations", type = "integer", default = 1, min = 1, max = 1000000, help = "products, in one launch" },
    },
    kernels = product.kernels,
    run = function(host, p)
        product.check_grid(host, p)
        local cycles, mean = product.multiply(host, p, product.memory(host, p))
        host.metric("cycles_per_tile", cycles / p.tiles)
        host.metric("mean_core_cycles_per_tile", mean / p.tiles)
        print(("%d x %d x %d grid, %s, %d x %d cores: %.0f cycles, %.1f per tile"):format(
            64 * p.cols, 16 * p.rows, p.tiles, p.dtype, p.rows, p.cols, cycles, cycles / p.tiles))
    end,
}
