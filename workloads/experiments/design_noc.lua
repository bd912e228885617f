-- How fast must a Wormhole's networks be for PCG? Varies cycles per hop and bytes per link, for
-- a small and a larger problem on all cores, without the part of the time that no mechanism
-- explains. Links wider than a flit of 32 bytes would need more ports of an L1.
--     gridloom sweep workloads/experiments/design_noc.lua --out DIR
return {
    summary = "PCG on a Wormhole: hop latency and link width",
    script = "pcg",
    chip = "wormhole_n300",
    fixed = { iterations = 2 },
    axes = {
        { name = "tiles", values = { 1, 16 } },
        { name = "noc.hop_cycles", values = { 1, 3, 9, 18, 36 } },
        { name = "noc.link_bytes_per_cycle", values = { 1, 2, 4, 8, 16, 32 } },
    },
    timing_only = true,
    record = {
        "seconds_per_iteration",
        dot_seconds = "zones.dot/iterations",
        spmv_seconds = "zones.spmv/iterations",
        axpy_seconds = "zones.axpy/iterations",
    },
    plots = {
        {
            x = "noc.hop_cycles", by = "noc.link_bytes_per_cycle", y = "dot_seconds",
            title = "PCG on 56 cores, 1 and 16 tiles: dot products by hop latency and link width",
        },
        {
            x = "noc.link_bytes_per_cycle", by = "tiles", y = "seconds_per_iteration", log_x = true,
            title = "PCG on 56 cores: an iteration by link width",
        },
    },
}
