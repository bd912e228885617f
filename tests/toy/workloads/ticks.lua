-- Counts ticks on a toy chip. On other chips host.tick() refuses.
return {
    summary = "counts, and checks how long that takes",
    chips = { "toy", "tensix" },
    parameters = {
        { name = "n", type = "integer", default = 100, min = 1, help = "ticks" },
    },
    run = function(host, p)
        local cycles

        host.measure(function()
            cycles = host.tick(p.n)
        end)
        host.metric("cycles", cycles)
        host.check({
            error = math.abs(cycles - p.n * host.number("tick.cycles")),
            tolerance = 0,
            reference = "ticks times cycles of the chip file",
        })
    end,
}
