-- Serves a program of tt-metal's kind: see 'gridloom metal --help'.

return {
    summary = "a host program with compiled kernels, as tt-metal has them",
    chips = { "tensix" },
    parameters = {},
    run = function(host)
        local launches = {}
        host.measure(function()
            launches = host.serve()
        end)
        local cycles, rows = 0, {}
        for i, launch in ipairs(launches) do
            cycles = cycles + launch.cycles
            rows[i] = { i, launch.name, launch.cycles, ("%.3f"):format(launch.seconds * 1e6) }
        end
        host.metric("launches", #launches)
        host.metric("device_cycles", cycles)
        if #rows > 0 then
            host.table { name = "launches", columns = { "launch", "kernel", "cycles", "us" }, rows = rows }
        end
        host.kernel_times()
    end,
}
