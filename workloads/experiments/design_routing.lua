-- Which way should partial sums take on a Wormhole, by the number of cores and the cost of a
-- hop? A dot product of one tile per core, whose sums travel as tiles.
--     gridloom sweep workloads/experiments/design_routing.lua --out DIR
return {
    summary = "Dot product on a Wormhole: routing of sums and number of cores",
    script = "dot",
    chip = "wormhole_n300",
    fixed = { tiles = 1, granularity = "tile", iterations = 2 },
    axes = {
        { name = "routing", values = { "naive", "center", "direct" } },
        { name = "rows", values = { 1, 2, 3, 4, 5, 6, 7 } },
        { name = "cols", values = { 1, 2, 3, 4, 5, 6, 8 } },
        { name = "noc.hop_cycles", values = { 9, 36 } },
    },
    -- Squares, and the whole grid of 7 x 8.
    where = function(p)
        return p.rows == p.cols or (p.rows == 7 and p.cols == 8)
    end,
    timing_only = true,
    record = {
        cores = "parameters.rows*parameters.cols",
        cycles = "metrics.device_cycles_per_iteration",
        "metrics.longest_way_hops",
        "metrics.most_inputs",
    },
    plots = {
        {
            x = "cores", by = "routing", y = "cycles",
            title = "Wormhole: a dot product of one tile a core, hops of 9 and of 36 cycles",
        },
    },
}
