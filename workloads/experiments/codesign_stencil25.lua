-- What a wafer is best made of: many PEs with little SRAM, or few with much. The 25-point
-- stencil on a WSE-2, with as many cells in a PE as its SRAM holds beside blocks of 50 cells.
-- A patch runs, of two sizes; gridloom model codesign says how many PEs there would be.
--     gridloom model codesign workloads/experiments/codesign_stencil25.lua -o codesign_stencil25.svg
local acoustic = require("wafer/acoustic25")

local KIB = 1024
local BLOCK = 50
local CODE = 4176 -- bytes of a PE's code, as the chip has it

local function cells_that_fit(bytes)
    local blocks = 1
    while acoustic.bytes((blocks + 1) * BLOCK, BLOCK, acoustic.directions("ewns"), false) <= bytes - CODE do
        blocks = blocks + 1
    end
    return blocks * BLOCK
end

-- In 8 KiB there is no room for the buffers.
local sizes, depths = { 8 * KIB, 12 * KIB, 16 * KIB, 24 * KIB, 32 * KIB, 48 * KIB, 64 * KIB, 96 * KIB }, {}
for i, bytes in ipairs(sizes) do
    depths[i] = cells_that_fit(bytes)
end

return {
    summary = "25-point stencil on the largest problem that fits: SRAM or PEs in one area",
    script = "stencil25",
    chip = "wse2",
    fixed = { steps = 2, block = BLOCK, ["memory.code_reserved_bytes"] = CODE },
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
        seconds = "metrics.cycles_per_step_steady/850000000",
    },
}
