-- The chips of a system that share the columns of one large grid of cores: how many chips, in
-- which order, and who has which columns.
--
-- A list of chips is in the order of the columns. Each entry has: index, by which the system
-- and kernels know the chip; device, the host's calls for it; first, the column of the large
-- grid that is its column 0; cols, its number of columns.

local chips = {}

local MOST_STEPS = 100000       -- in the search for a chain

-- A script's parameters about chips.
chips.words = {
    chips = { name = "chips", type = "integer", default = 0, min = 0, max = 4096, chips = { "tensix" },
        help = "chips of the system that share the grid, side by side along x; 0: all of them" },
    overlap = { name = "overlap", type = "switch", default = true, chips = { "tensix" },
        help = "cores go on as pieces come in from other chips; off: they wait for all of them first" },
}
chips.parameters = { chips.words.chips, chips.words.overlap }

-- The number of chips that the user wants, for so many columns of cores; nil columns: any
-- number.
function chips.count(host, wanted, columns)
    local there = host.chip_count or 1
    wanted = wanted or 1
    if wanted > there then
        host.refuse(("chips=%d: the system has %d"):format(wanted, there))
    end
    if wanted == 0 then
        return columns and math.min(there, columns) or there
    end
    if columns and wanted > columns then
        host.refuse(("chips=%d: the grid has %d columns of cores, a chip needs at least one"):format(wanted, columns))
    end
    return wanted
end

-- Chips that are one link away, by index.
local function neighbours(host, there)
    local near = {}
    for a = 0, there - 1 do
        near[a] = {}
        for b = 0, there - 1 do
            local way = a ~= b and host.route(a, b)
            if way and way.hops == 1 then
                table.insert(near[a], b)
            end
        end
    end
    return near
end

-- How many chips around one are still free.
local function free_around(near, used, chip)
    local free = 0
    for _, other in ipairs(near[chip]) do
        free = free + (used[other] and 0 or 1)
    end
    return free
end

-- A way over neighbours from chip 0 through `count` chips, each once; nil if none is found.
-- Chips with few free neighbours come first, because they get cut off most easily.
local function chain(near, count)
    local used, way, steps = { [0] = true }, { 0 }, 0
    local function go_on()
        if #way == count then
            return true
        end
        local choices = {}
        for _, chip in ipairs(near[way[#way]]) do
            if not used[chip] then
                choices[#choices + 1] = { chip = chip, free = free_around(near, used, chip) }
            end
        end
        table.sort(choices, function(a, b) return a.free < b.free end)
        for _, choice in ipairs(choices) do
            steps = steps + 1
            if steps > MOST_STEPS then
                return false
            end
            used[choice.chip], way[#way + 1] = true, choice.chip
            if go_on() then
                return true
            end
            used[choice.chip], way[#way] = nil, nil
        end
        return false
    end
    return go_on() and way or nil
end

-- Indices of `count` chips in an order in which consecutive chips are neighbours, or in the
-- system's order if there is none.
local function order(host, count)
    local way = chain(neighbours(host, host.chip_count), count)
    if not way then
        way = {}
        for i = 1, count do
            way[i] = i - 1
        end
    end
    for i = 2, #way do
        for _, pair in ipairs { { way[i - 1], way[i] }, { way[i], way[i - 1] } } do
            local way, why = host.route(pair[1], pair[2])
            if not way then
                host.refuse(why)
            end
        end
    end
    return way
end

-- Spreads columns evenly over `count` chips. Returns the list.
function chips.spread(host, count, columns)
    if count == 1 then
        return { { index = 0, device = host, first = 0, cols = columns } }
    end
    local list = {}
    for i, index in ipairs(order(host, count)) do
        local first, next_first = (i - 1) * columns // count, i * columns // count
        list[i] = { index = index, device = host.devices[index + 1], first = first, cols = next_first - first }
    end
    return list
end

-- " of 8 chips", or nothing for one chip.
function chips.words_of(size)
    return #size.chips > 1 and (" of %d chips"):format(#size.chips) or ""
end

-- The chip of a column of the large grid, and the column on that chip.
function chips.at(list, column)
    for i = #list, 1, -1 do
        if column >= list[i].first then
            return list[i], column - list[i].first
        end
    end
end

-- Calls f(chip, position) for all chips of a size, each in a host thread of its own.
function chips.each(host, size, f)
    local list = size.chips
    if #list == 1 then
        f(list[1], 1)
        return
    end
    local position_of = {}
    for i, chip in ipairs(list) do
        position_of[chip.index] = i
    end
    host.each(function(device)
        local i = position_of[device.index]
        if i then
            f(list[i], i)
        end
    end)
end

-- Whether two tables have equal contents.
local function is_same(a, b)
    if type(a) ~= "table" or type(b) ~= "table" then
        return a == b
    end
    for key in pairs(a) do
        if not is_same(a[key], b[key]) then
            return false
        end
    end
    return true
end

-- Calls f(chip, position) for each chip of a size and returns its addresses, the same on all
-- chips.
function chips.alike(size, f)
    local first = f(size.chips[1], 1)
    for i = 2, #size.chips do
        assert(is_same(first, f(size.chips[i], i)), "memories of chips are laid out differently")
    end
    return first
end

return chips
