-- Takes a set time and reports a few values.
return {
    summary = "a set time",
    chips = { "tensix" },
    parameters = { { name = "us", type = "integer", default = 1, min = 1, max = 100, help = "time" } },
    run = function(host, p)
        host.measure(function() host.sleep(p.us * 1e-6) end, 2)
        host.metric("parts", { a = 1, b = 2.5 })
        host.metric("bound", "memory")
    end,
}
