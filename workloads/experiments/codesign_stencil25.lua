-- Should a wafer have many PEs with little SRAM, or few with much? The 25-point stencil on a
-- WSE-2: a fifth of a PE's memory beside its code is for incoming blocks, the rest for as many
-- cells as it holds. Patches of two sizes run; gridloom model codesign says how many PEs there
-- would be. Larger patches are a little slower: at 24 KiB, 20 x 20 PEs are 2 % slower than 12 x
-- 12, and 44 x 44 another 2 %.
--     gridloom model codesign workloads/experiments/codesign_stencil25.lua -o codesign_stencil25.svg
local acoustic = require("wafer/acoustic25")

local KIB = 1024
local CODE = 4176 -- bytes of a PE's code, as the chip has it
local BUFFERS = 5 -- one byte in so many
local SAMPLES = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } -- of the source
local CELL = 4 * 20 -- bytes per cell of a block: five senders on each side

-- Of a PE with the workload's own source and one velocity.
local function settings(layers, block)
    return { layers = layers, block = block, directions = acoustic.directions("ewns"), factor = 0.1, source = { samples = SAMPLES } }
end

-- 4 KiB have no room for the code.
local sizes, blocks, depths = { 4, 8, 12, 16, 24, 32, 48, 64, 96 }, {}, {}
for i, kilobytes in ipairs(sizes) do
    sizes[i] = kilobytes * KIB
    local free = sizes[i] - CODE
    local block, count = math.max(1, free // (BUFFERS * CELL)), 1
    while acoustic.bytes(settings((count + 1) * block, block)) <= free do
        count = count + 1
    end
    blocks[i], depths[i] = block, count * block
end

return {
    summary = "25-point stencil on the largest problem that fits: SRAM or PEs in one area",
    script = "stencil25",
    chip = "wse2",
    fixed = { steps = 2, ["memory.code_reserved_bytes"] = CODE },
    axes = {
        { name = "nx", values = { 12, 20 } },
        { name = "ny", with = "nx", values = { 12, 20 } },
        { name = "memory.capacity_bytes", values = sizes },
        { name = "block", with = "memory.capacity_bytes", values = blocks },
        { name = "nz", with = "memory.capacity_bytes", values = depths },
    },
    timing_only = true,
    record = {
        cores = "parameters.nx*parameters.ny",
        cells = "parameters.nz",
        seconds = "metrics.cycles_per_step_steady*seconds/cycles",
    },
}
