-- Should a wafer for PCG have many PEs with little SRAM, or few with much? Each PE has the
-- largest column of cells that fits. Patches of two sizes run. Unlike a stencil, an iteration
-- has two sums over all PEs, and more PEs mean longer ways: each additional column or row costs
-- SUMS cycles, a cycle towards the middle and back for each of both. That part does not run. SUMS
-- agrees with iterations of patches of 30 x 30 to 70 x 30 PEs of the chip as filed.
--     gridloom model codesign workloads/experiments/codesign_pcg_wafer.lua -o codesign_pcg_wafer.svg
local pcg = require("wafer/pcg")
local solver = require("wafer/solver")

local KIB = 1024
local CODE = 4176 -- bytes of a PE's code, as the chip has it
local SUMS = 2

-- 4 KiB have no room for the code.
local sizes, depths = { 4, 8, 12, 16, 24, 32, 48, 64, 96 }, {}
for i, kilobytes in ipairs(sizes) do
    local layers = 1
    local function bytes(count)
        return solver.bytes({ layers = count, dtype = "fp32", mapping = "neighbour", pattern = "center", tolerance = 0, has_norms = true }, pcg, 0)
    end
    sizes[i] = kilobytes * KIB
    while bytes(layers + 1) <= sizes[i] - CODE do
        layers = layers + 1
    end
    depths[i] = layers
end

return {
    summary = "PCG on the largest problem that fits: SRAM or PEs in one area",
    script = "pcg",
    chip = "wse2",
    fixed = { iterations = 2, ["memory.code_reserved_bytes"] = CODE },
    axes = {
        { name = "nx", values = { 12, 20 } },
        { name = "ny", with = "nx", values = { 12, 20 } },
        { name = "memory.capacity_bytes", values = sizes },
        { name = "nz", with = "memory.capacity_bytes", values = depths },
    },
    timing_only = true,
    record = {
        cores = "parameters.nx*parameters.ny",
        cells = "parameters.nz",
        seconds = "metrics.cycles_per_iteration_steady*seconds/cycles",
        across = "parameters.nx+parameters.ny",
        across_seconds = SUMS .. "*seconds/cycles",
    },
}
