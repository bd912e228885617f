-- Which pattern is fastest to add one number of every PE of a wafer, by the size of the square?
--     gridloom sweep workloads/experiments/design_reduce.lua --out DIR
return {
    summary = "All-reduce of one word on a WSE-2: pattern and size of a square of PEs",
    script = "reduce",
    chip = "wse2",
    fixed = { operation = "allreduce", words = 1, iterations = 1 },
    axes = {
        { name = "pattern", values = { "chain", "corner", "center", "tree", "two-phase" } },
        { name = "width", from = 4, to = 512, points = 8, scale = "log" },
        { name = "height", from = 4, to = 512, points = 8, scale = "log" },
    },
    -- A chain goes through all PEs; beyond 64 x 64 it would leave the picture.
    where = function(p)
        return p.width == p.height and (p.pattern ~= "chain" or p.width <= 64)
    end,
    record = { cycles = "metrics.first_call_cycles", "metrics.link_wavelets_per_call" },
    plots = {
        {
            x = "width", by = "pattern", y = "cycles", log_x = true, log_y = true,
            title = "WSE-2: an all-reduce of one word over a square of PEs",
        },
    },
}
