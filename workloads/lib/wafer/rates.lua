-- How fast the PEs of a wafer go through iterations, and how fast they could.

local TERA = 1e12

local rates = {}

-- rates.steady_cycles(iterations): cycles per iteration, from end to end, averaged over PEs,
-- without the start if there are several iterations. After many iterations the last PE's value
-- is the same, but it takes longer to settle.
function rates.steady_cycles(iterations)
    local count = #iterations
    return count > 1 and (iterations[count].mean - iterations[1].mean) / (count - 1) or iterations[1].last
end

-- rates.clock(host): cycles per second as a float. Integers wrap where a wafer's operations are
-- multiplied by them.
function rates.clock(host)
    return host.number("chip.clock_hz") + 0.0
end

-- rates.roofs(host, work): the most that a rectangle of PEs could do if only one thing held it
-- up. `work` has pes; fuse and fuse_rate, the operation that does most and the key of its
-- elements per cycle; flop and, if known, memory_words and ramp_words per cell; achieved, the
-- actual TFLOP/s.
function rates.roofs(host, work)
    local rate = work.pes * rates.clock(host) / TERA
    local function roof(name, value, source)
        host.roof { name = name, unit = "TFLOP/s", value = value * rate, source = source, achieved = work.achieved }
    end
    roof("multiply-add", 2 * host.number(work.fuse_rate), work.fuse_rate .. ", nothing but " .. work.fuse)
    if work.memory_words then
        roof("memory", (host.number("memory.reads_per_cycle") + host.number("memory.writes_per_cycle"))
            * work.flop / work.memory_words,
            ("memory.reads_per_cycle and writes_per_cycle, %g words a cell"):format(work.memory_words))
    end
    if work.ramp_words then
        roof("ramp", work.flop / (work.ramp_words * host.number("ramp.transfer_cycles_per_wavelet")),
            ("ramp.transfer_cycles_per_wavelet, %g words a cell"):format(work.ramp_words))
    end
end

return rates
