-- The fastest all-reduce pattern, by size of the rectangle and numbers per PE, for a row of PEs
-- and for squares. Writes allreduce_patterns.csv (cycles per call) and, for rows and for
-- squares, pictures of cycles against size and of the best pattern in each region:
--     gridloom run workloads/experiments/allreduce_patterns.lua --timing-only --out DIR

local collective = require("wafer/collective")
local reduce = require("wafer/reduce")

local SHAPES = {
    { name = "row", sizes = { 4, 8, 16, 32, 64, 128, 256, 512, 755 }, x = "PEs of a row", height = function() return 1 end },
    { name = "square", sizes = { 4, 8, 16, 32, 64, 128, 256 }, x = "PEs of a side", height = function(size) return size end },
}
local WORDS = { 1, 4, 16, 64, 256, 1024, 4096 }
local SHOWN = { [1] = true, [256] = true }      -- words with a picture of cycles

-- Points of each pattern, as series of a plot in the order of names.
local function series_of(names, points, style)
    local series = {}
    for i, name in ipairs(names) do
        series[i] = { name = name, points = points[name], style = style }
    end
    return series
end

local function lists_of(names)
    local lists = {}
    for _, name in ipairs(names) do
        lists[name] = {}
    end
    return lists
end

-- Of so many words per PE; merging streams are for few.
local function names_for(words, names)
    local list = {}
    for _, name in ipairs(names) do
        if name ~= "merge" or words <= collective.most_merged then
            list[#list + 1] = name
        end
    end
    return list
end

-- Calls all patterns on one shape. Returns rows of the table and points of the best pattern.
local function measure(host, p, shape, names, lines, step)
    local best = lists_of(names)
    for _, words in ipairs(WORDS) do
        local cycles_by = lists_of(names)
        for _, size in ipairs(shape.sizes) do
            local height = shape.height(size)
            local least, winner = math.huge, nil
            for _, name in ipairs(size * height * words <= p.limit and size <= p.most and names_for(words, names) or {}) do
                local times = reduce.measure(host, {
                    operation = p.operation, pattern = name, width = size, height = height, words = words, group = 0, iterations = 1,
                }, collective.patterns)
                lines[#lines + 1] = { shape.name, size, height, words, name, ("%d"):format(times.first) }
                table.insert(cycles_by[name], { size, times.first })
                if times.first < least then
                    least, winner = times.first, name
                end
            end
            if winner then
                table.insert(best[winner], { size, words })
                print(("%s of %d, %d words: %s, %d cycles"):format(shape.name, size, words, winner, least))
            end
            step()
        end
        if SHOWN[words] then
            host.plot {
                name = ("%s_%d"):format(shape.name, words), title = ("%s of %d word%s over a %s of PEs"):format(p.operation, words, words > 1 and "s" or "", shape.name),
                x = shape.x, y = "cycles of a call", log_x = true, log_y = true, series = series_of(names, cycles_by),
            }
        end
    end
    return best
end

return {
    summary = "all-reduce patterns on wafers against size and words, and the best of them",
    chips = { "wse" },
    parameters = {
        { name = "operation", type = "choice", default = "allreduce", choices = { "reduce", "allreduce" }, help = "sums to one PE, or to all" },
        { name = "most", type = "integer", default = 755, min = 4, max = 755, help = "PEs of a row or side at most" },
        { name = "limit", type = "integer", default = 524288, min = 1, max = 1e9, help = "PEs times words at most; larger ones are left out" },
        { name = "grain", type = "choice", default = "wavelet", choices = { "auto", "wavelet", "stream" }, help = "what moves as one" },
    },
    run = function(host, p)
        local names, lines, done, total = collective.names(collective.patterns), {}, 0, 0
        for _, shape in ipairs(SHAPES) do
            total = total + #shape.sizes * #WORDS
        end
        local function step()
            done = done + 1
            host.progress(done / total)
        end
        for _, shape in ipairs(SHAPES) do
            local best = measure(host, p, shape, names, lines, step)
            host.plot {
                name = "best_" .. shape.name, title = ("fastest %s over a %s of PEs"):format(p.operation, shape.name),
                x = shape.x, y = "words of a PE", log_x = true, log_y = true, series = series_of(names, best, "cells"),
            }
            for _, name in ipairs(names) do
                host.metric(("best_%s_%s"):format(shape.name, name:gsub("-", "_")), #best[name])
            end
        end
        host.table {
            name = "allreduce_patterns", columns = { "shape", "width", "height", "words", "pattern", "cycles" }, rows = lines,
        }
    end,
}
