-- Step 5: finding the bottleneck of the vector update, which is not the same everywhere.
--
--     gridloom run workloads/tutorial/5_bottleneck.lua --out one                      one core
--     gridloom run workloads/tutorial/5_bottleneck.lua columns=8 rows=7 --out all     all 56
--     gridloom roofline one all
--
-- Ask in this order.
-- 1. Which roof is near? `roofline` puts each run below what its parts could do: one core is far
--    from all of them, 56 cores reach 83 % of the DRAM's 288 GB/s. Beside a roof stop: only
--    moving fewer bytes helps, such as fusing the update with the loop that reads y next.
-- 2. If none is near, which part is busy? result.json has `busy` and `stalls`, the page draws
--    them: on one core the compute kernel's processors work, while reader and writer wait for
--    free pages. So more tiles in flight cannot help, and do not: try block=8.
-- 3. Does the limit move? Between 1 and 56 cores it changes from the core to DRAM. Try rows=1,
--    2 and 4 with columns=8: 97, 165 and 232 GB/s. The last three rows of cores bring 8 more.
--
-- `gridloom new annotations gridloom.lua` makes a file from which editors complete these calls.

local vector = require("update_from_dram")

return {
    summary = "tutorial 5: which part limits a vector update, and what moves the limit",
    chips = { "tensix" },
    parameters = {
        { name = "block", type = "integer", default = 1, min = 1, max = 16, help = "tiles of each vector on their way at a time" },
        { name = "columns", type = "integer", default = 1, min = 1, max = 8, help = "columns of cores" },
        { name = "rows", type = "integer", default = 1, min = 1, max = 7, help = "rows of cores" },
        { name = "tiles", type = "integer", default = 16, min = 1, max = 128, help = "tiles of 1024 numbers per core; a multiple of block" },
    },
    kernels = vector.kernels,
    run = function(host, p)
        local cycles, bytes = vector.run(host, {
            columns = p.columns, rows = p.rows, tiles = p.tiles, block = p.block, pages = 2 * p.block,
        })
        local rate = bytes / cycles * host.number("chip.clock_hz")
        host.metric("gigabytes_per_second", rate / 1e9)
        print(("%d x %d cores, blocks of %d: %.0f cycles per tile, %.1f GB/s of DRAM")
            :format(p.columns, p.rows, p.block, cycles / p.tiles, rate / 1e9))
    end,
}
