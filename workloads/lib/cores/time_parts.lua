-- Where the time of a run on one or several chips goes: compute, waits for other cores of the
-- chip (noc), waits for other chips (ethernet), and the host.
--
-- Zones of compute kernels note the waits on the core at which the sums of its chip come
-- together: `noc` for data from cores of this chip, `ethernet` for data from another one. Cores
-- at the edge of a chip also have `ethernet`, for halos. The rest of the kernels' time is
-- compute, and time without kernels is the host's. The parts are those of the critical chip,
-- the one that waits least for others, and add up to the whole: a chip that waits more does so
-- because it was earlier.

local parts = {}

local NAMES = { "noc", "ethernet" }

-- Begins to count: notes the zones of every chip so far, and no cycles of launches.
function parts.begin(size)
    local it = { size = size, before = {}, cycles = {} }
    for i, chip in ipairs(size.chips) do
        it.before[i], it.cycles[i] = {}, 0
        for _, name in ipairs(NAMES) do
            it.before[i][name] = chip.device.zone_seconds(name)
        end
    end
    return it
end

-- Counts the cycles of a launch on the chip at a position.
function parts.count(it, position, cycles)
    it.cycles[position] = it.cycles[position] + cycles
end

-- Ends the count after so many seconds. Returns seconds per iteration in compute, noc, ethernet
-- and host, and the index of the critical chip.
function parts.finish(it, seconds, iterations)
    local critical
    for i, chip in ipairs(it.size.chips) do
        local of_chip = { chip = chip.index, kernels = it.cycles[i] / chip.device.number("chip.clock_hz") }
        for _, name in ipairs(NAMES) do
            of_chip[name] = chip.device.zone_seconds(name) - it.before[i][name]
        end
        if not critical or of_chip.ethernet < critical.ethernet then
            critical = of_chip
        end
    end
    return {
        chip = critical.chip, chips = #it.size.chips,
        compute = (critical.kernels - critical.noc - critical.ethernet) / iterations,
        noc = critical.noc / iterations, ethernet = critical.ethernet / iterations,
        host = math.max(0, seconds - critical.kernels) / iterations,
    }
end

-- Puts the parts into the result.
function parts.report(host, found)
    for _, name in ipairs { "compute", "noc", "ethernet", "host" } do
        host.metric(name .. "_seconds_per_iteration", found[name])
    end
    host.metric("chips", found.chips)
    host.metric("critical_chip", found.chip)
end

return parts
