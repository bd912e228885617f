-- How deep must a PE's input queues be, and how slow may a hop be, before the 25-point stencil
-- on a WSE-2 notices?
--     gridloom sweep workloads/experiments/design_queues.lua --out DIR
return {
    summary = "25-point stencil on a WSE-2: depth of input queues and hop latency",
    script = "stencil25",
    chip = "wse2",
    fixed = { nx = 16, ny = 16, nz = 128, steps = 2 },
    axes = {
        -- All eight queues alike, and the chip's own depths.
        { name = "queues.input_wavelets", values = { "1,1,1,1,1,1,1,1", "2,2,2,2,2,2,2,2", "4,4,4,4,4,4,4,4", "8,8,8,8,8,8,8,8", "6,6,4,4,2,2,2,2" } },
        { name = "fabric.hop_cycles", values = { 1, 2, 4, 8, 16 } },
    },
    timing_only = true,
    record = { cycles_per_step = "cycles_per_iteration" },
    plots = {
        {
            x = "fabric.hop_cycles", by = "queues.input_wavelets", y = "cycles_per_step",
            title = "WSE-2, 25-point stencil: a step by hop latency and depth of input queues",
        },
    },
}
