-- One program on each chip of a size, measured from the moment when all of them have begun.

local chips = require("cores/chips")
local time_parts = require("cores/time_parts")

local launch = {}

-- The core { x =, y = } of a chip whose compute kernel notes its waits (cores/time_parts.lua):
-- one with a neighbour on another chip; nil if there is one chip.
function launch.noted(size, chip)
    if #size.chips == 1 then
        return nil
    end
    return { x = chip.first > 0 and 0 or chip.cols - 1, y = 0 }
end

-- Measures several chips.
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

-- Runs build(chip), a program of so many iterations, on each chip. Returns cycles until the
-- last core has ended, their mean over cores and, with several chips, the parts of the time.
function launch.measure(host, size, build, iterations)
    if #size.chips > 1 then
        return measure_all(host, size, build, iterations)
    end
    local launched, cycles = host.launch(build(size.chips[1])), 0
    host.measure(function() cycles = host.wait(launched) end, iterations)
    return cycles, host.mean_cycles(launched)
end

return launch
