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

-- The reference: the same iteration in double precision. Returns a list, row by row from 1 on.
local function reference(p, f, format)
    local u, quarter_f = {}, {}
    for i = 1, p.nx * p.ny do u[i], quarter_f[i] = 0, f:get(format, i - 1) end
    for _ = 1, p.iterations do
        local new = {}
        for i = 1, p.nx * p.ny do
            local x = (i - 1) % p.nx
            local left, right = x > 0 and u[i - 1] or 0, x < p.nx - 1 and u[i + 1] or 0
            new[i] = (left + right + (u[i - p.nx] or 0) + (u[i + p.nx] or 0)) / 4 + quarter_f[i]
        end
        u = new
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

    local expected, error, largest = reference(p, f, format), 0, 0
    for i = 1, #expected do
        error = math.max(error, math.abs(u:get(format, i - 1) - expected[i]))
        largest = math.max(largest, math.abs(expected[i]))
    end
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
