-- One program on each chip of a size, measured from when all of them have begun.

local chips = require("cores/chips")
local time_parts = require("cores/time_parts")

local launch = {}

-- The core of a chip whose compute kernel notes what it waits for (cores/time_parts.lua), { x =, y = },
-- one of those with neighbours on another chip; nil where there is one chip.
function launch.noted(size, chip)
    if #size.chips == 1 then
        return nil
    end
    return { x = chip.first > 0 and 0 or chip.cols - 1, y = 0 }
end

-- On several chips.
local function measure_all(host, size, build, iterations)
    local launches, begun, cycles, times = {}, {}, {}, time_parts.begin(size)
    chips.each(host, size, function(chip, i)
        launches[i] = chip.device.launch(build(chip))
        begun[i] = chip.device.now()
    end)
    local all_begun = host.now()
    local seconds = host.measure(function()
        chips.each(host, size, function(chip, i)
            cycles[i] = chip.device.wait(launches[i])
        end)
    end, iterations)
    local most, sum = 0, 0
    for i, chip in ipairs(size.chips) do
        local early = (all_begun - begun[i]) * chip.device.number("chip.clock_hz")
        most = math.max(most, cycles[i] - early)
        sum = sum + (chip.device.mean_cycles(launches[i]) - early) * chip.cols
        time_parts.count(times, i, cycles[i] - early)
    end
    return most, sum / size.cols, time_parts.finish(times, seconds, iterations)
end

-- Runs build(chip) on each, which goes through so many iterations: the cycles until the last
-- core has ended, in the mean over cores, and, with several chips, what the time went to.
function launch.measure(host, size, build, iterations)
    if #size.chips > 1 then
        return measure_all(host, size, build, iterations)
    end
    local launched, cycles = host.launch(build(size.chips[1])), 0
    host.measure(function() cycles = host.wait(launched) end, iterations)
    return cycles, host.mean_cycles(launched)
end

return launch
