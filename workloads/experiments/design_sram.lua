-- Is a given amount of SRAM better spread over many cores, or given to few? Every point is PCG
-- on the largest problem that fits: four vectors of 2 KiB tiles in bf16, and 104 KiB for
-- everything else.
--     gridloom sweep workloads/experiments/design_sram.lua --out DIR
local KIB = 1024

local function tiles_that_fit(bytes)
    return (bytes // KIB - 104) // 8
end

local sizes, depths = { 256 * KIB, 512 * KIB, 1024 * KIB, 1464 * KIB, 2048 * KIB }, {}
for i, bytes in ipairs(sizes) do
    depths[i] = tiles_that_fit(bytes)
end

return {
    summary = "PCG on the largest problem that fits: SRAM of a core and number of cores",
    script = "pcg",
    chip = "wormhole_n300",
    fixed = { iterations = 2 },
    axes = {
        { name = "rows", values = { 1, 2, 4, 7 } },
        { name = "cols", values = { 2, 4, 8 } },
        { name = "l1.capacity_bytes", values = sizes },
        { name = "tiles", values = depths },
    },
    -- 2, 8, 32 and 56 cores.
    where = function(p)
        local shape = p.rows .. "x" .. p.cols
        return (shape == "1x2" or shape == "2x4" or shape == "4x8" or shape == "7x8")
            and p.tiles == tiles_that_fit(p["l1.capacity_bytes"])
    end,
    timing_only = true,
    record = {
        cores = "parameters.rows*parameters.cols",
        "seconds_per_iteration",
        "metrics.tiles_that_fit",
        sram_bytes = "1024*(104+8*parameters.tiles)*parameters.rows*parameters.cols",
        unknowns = "1024*parameters.tiles*parameters.rows*parameters.cols",
        unknowns_per_second = "1024*parameters.tiles*parameters.rows*parameters.cols/seconds_per_iteration",
    },
    plots = {
        {
            x = "sram_bytes", by = "cores", y = "seconds_per_iteration", log_x = true, log_y = true,
            title = "PCG on the largest problem that fits: an iteration by SRAM of all cores",
        },
        {
            x = "sram_bytes", by = "cores", y = "unknowns", log_x = true, log_y = true,
            title = "PCG: the largest problem that fits, by SRAM of all cores",
        },
    },
    pareto = { "seconds_per_iteration", "-unknowns" },
}
