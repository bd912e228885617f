-- Collectives with one more pattern: a tree in which a PE adds three other sums per round, each
-- on a color of its own.
--     gridloom run workloads/experiments/reduce_radix4.lua pattern=radix4 width=64 height=64

local collective = require("wafer/collective")

local function radix4(count)
    local merges, color, distance = {}, 1, 1
    while distance < count do
        for step = 1, 3 do
            for from = step * distance, count - 1, 4 * distance do
                merges[#merges + 1] = { into = from - step * distance, from = from, color = color }
            end
            color = color + 1
        end
        distance = 4 * distance
    end
    return merges
end

local patterns = { radix4 = collective.along_lines(radix4) }
for name, pattern in pairs(collective.patterns) do
    patterns[name] = pattern
end
return require("wafer/reduce").script(patterns)
