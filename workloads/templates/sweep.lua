-- Many runs from one file: how long does a vector addition take, by the number of tiles, the
-- number of cores and the speed of the chip's networks?
--
--     gridloom sweep FILE --dry-run          lists the runs
--     gridloom sweep FILE --out results      runs them; writes a table, a page and the pictures
--
-- Results go to a database beside you; a sweep that was stopped goes on where it was. Every run
-- is checked as `gridloom run` checks it. workloads/doc/sweeps.md lists all fields.
-- `gridloom new annotations gridloom.lua` makes a file from which editors complete and check.

return {
    summary = "vector addition by tiles, cores and hop latency",

    -- What runs: a shipped workload by its name, or a file of yours ("mine.lua").
    script = "vecadd",
    chip = "wormhole_n300",

    -- The same for all runs: parameters of the script, or numbers of the chip by section.key.
    fixed = { dtype = "bf16", from = "dram" },

    -- Every value of each axis with every value of the others. `gridloom describe vecadd` and
    -- `gridloom describe wormhole_n300` list what may vary.
    axes = {
        { name = "tiles", from = 4, to = 16, points = 3, scale = "log" },
        { name = "cols", values = { 1, 8 } },
        { name = "noc.hop_cycles", values = { 9, 36 } },
    },

    -- Leaves combinations out.
    where = function(p)
        return p.tiles < 16 or p.cols == 8
    end,

    -- What to keep of each result: members of `gridloom run --json`, or formulas of them. The
    -- check is kept too, and a run that fails it fails.
    record = {
        "cycles",
        "metrics.cycles_per_tile",
        check = "check.status",
        microseconds = "seconds*1e6",
    },

    -- Pictures for --out.
    plots = {
        {
            x = "tiles", by = "noc.hop_cycles", y = "metrics.cycles_per_tile", log_x = true,
            title = "vector addition: cycles per tile, by tiles and hop latency",
        },
    },

    -- How sure is it? This draws all assumed and fitted numbers of the chip from their ranges,
    -- so many times for every run, and gives each result an interval.
    -- uncertainty = 8,
}
