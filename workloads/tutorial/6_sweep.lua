-- Step 6: how sure is the answer of step 5? A sweep over the number of cores, with intervals.
--
--     gridloom sweep workloads/tutorial/6_sweep.lua --out results
--
-- Some numbers of a chip are documented or measured, others are assumed or fitted, with a range
-- (`gridloom describe wormhole_n300` says which). `uncertainty` repeats every run with numbers
-- drawn from those ranges. 5 % of the samples lie below the column NAME_low and 5 % above
-- NAME_high, and pictures draw the interval. An answer that holds over the whole interval does
-- not hang on what nobody has published; if the intervals of two designs overlap, do not claim
-- that one is faster.
--
-- Every single run is checked against double precision, with its drawn numbers too: they change
-- times, never results. `gridloom new annotations gridloom.lua` is for editors.

return {
    summary = "tutorial 6: bandwidth of a vector update by rows of cores, with intervals",
    script = "workloads/tutorial/5_bottleneck.lua",
    chip = "wormhole_n300",
    fixed = { columns = 8, tiles = 2 },
    axes = {
        { name = "rows", values = { 1, 2, 4 } },
    },
    uncertainty = 8,
    record = { "metrics.gigabytes_per_second", "cycles" },
    plots = {
        {
            x = "rows", y = "metrics.gigabytes_per_second",
            title = "vector update: GB/s of DRAM, by rows of 8 cores",
        },
    },
}
