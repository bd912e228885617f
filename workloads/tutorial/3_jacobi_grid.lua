-- Step 3: Jacobi's iteration for -(u_xx + u_yy) = f on a grid of cells, on two kinds of chips.
--
--     gridloom run workloads/tutorial/3_jacobi_grid.lua --chip wormhole_n300
--     gridloom run workloads/tutorial/3_jacobi_grid.lua --chip wse2
--     gridloom compare workloads/tutorial/3_jacobi_grid.lua --chips wormhole_n300,wse2
--
-- The problem and its reference are here; how each chip does it is in jacobi_cores.lua and
-- jacobi_wafer.lua. A Tensix core has a tile of 32 x 32 cells in BF16 and reads its neighbours'
-- tiles over the network; a PE has a block of 8 x 8 cells in FP32 and sends its edges to its
-- neighbours. `error` in the output is the price of BF16: 8 bits of mantissa, rounded in every
-- iteration.
--
-- `gridloom new annotations gridloom.lua` makes a file from which editors complete these calls.

local sides = { tensix = require("jacobi_cores"), wse = require("jacobi_wafer") }

-- The reference: the same iteration in double precision. Beyond the grid all is 0.
local function reference(quarter_f, iterations)
    local u = 0 * quarter_f
    for _ = 1, iterations do
        u = (u:neighbour(2, -1) + u:neighbour(2, 1) + u:neighbour(1, -1) + u:neighbour(1, 1)) / 4 + quarter_f
    end
    return u
end

---@param host gl.Host
local function run(host, p)
    local side = sides[host.family]
    if p.nx % side.block ~= 0 or p.ny % side.block ~= 0 then
        host.refuse(("nx=%d ny=%d: on %s both are multiples of %d"):format(p.nx, p.ny, host.chip, side.block))
    end
    local format, bytes = side.format, side.format == "bf16" and 2 or 4
    local f = host.buffer(p.nx * p.ny * bytes)
    f:fill_random(format, 1, 0, 1)

    local u, cycles = side.solve(host, p, f)

    local function exact(b) return b:numbers(format, { p.ny, p.nx }):as("double") end
    local expected = reference(exact(f), p.iterations)
    local error, largest = (exact(u) - expected):abs():max(), expected:abs():max()
    local unit = format == "bf16" and 0x1p-8 or 0x1p-22         -- roundings of one iteration
    host.check { error = error, tolerance = unit * p.iterations * largest, reference = "Jacobi in double precision" }
    local relative = largest > 0 and error / largest or 0      -- with --timing-only all numbers are 0
    host.metric("relative_error", relative)
    print(("%d x %d cells in %s: %.0f cycles per iteration, relative error %.1e")
        :format(p.nx, p.ny, format, cycles / p.iterations, relative))
end

return {
    summary = "tutorial 3: Jacobi's iteration in two dimensions, with halos, on cores and on a wafer",
    chips = { "tensix", "wse" },
    parameters = {
        { name = "nx", type = "integer", default = 64, min = 8, max = 256, help = "cells along x; a multiple of 32, on wafers of 8" },
        { name = "ny", type = "integer", default = 64, min = 8, max = 256, help = "cells along y, likewise" },
        { name = "iterations", type = "integer", default = 10, min = 1, max = 1000, help = "iterations" },
    },
    kernels = sides.tensix.kernels,
    run = run,
}
