-- How fast the PEs of a wafer go through iterations, and how fast they could.

local TERA = 1e12

local rates = {}

-- rates.steady_cycles(iterations): of an iteration, start-up left out where there are several:
-- from end to end in the mean over PEs. After many iterations that of the last PE is the same,
-- but it takes longer to settle.
function rates.steady_cycles(iterations)
    local count = #iterations
    return count > 1 and (iterations[count].mean - iterations[1].mean) / (count - 1) or iterations[1].last
end

-- rates.roofs(host, work): what a rectangle of PEs could do at most, if only one thing held it
-- up. `work` has pes; fuse and fuse_rate, the operation that does most and the key with its
-- elements per cycle; of a cell flop, memory_words and ramp_words, where these two are known;
-- achieved, the TFLOP/s that it came to.
function rates.roofs(host, work)
    local rate = work.pes * host.number("chip.clock_hz") / TERA
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
