-- Serves a host program of CSL: see 'gridloom csl python --help'.

return {
    summary = "a host program that drives a CSL program, as SdkRuntime does",
    chips = { "wse" },
    parameters = {},
    run = function(host)
        local commands = {}
        host.measure(function()
            commands = host.serve_csl()
        end)
        local launches, cycles, rows = 0, 0, {}
        for i, row in ipairs(commands) do
            if row.kind == "launch" then
                launches, cycles = launches + row.calls, cycles + row.cycles
            end
            rows[i] = { row.kind .. " " .. row.name, row.calls, row.cycles,
                ("%.3f"):format(row.cycles / host.number("chip.clock_hz") * 1e6) }
        end
        host.metric("launches", launches)
        host.metric("device_cycles", cycles)
        if #rows > 0 then
            host.table { name = "commands", columns = { "command", "calls", "cycles", "us" }, rows = rows }
        end
    end,
}
