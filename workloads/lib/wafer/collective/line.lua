-- A reduction along a line of PEs, derived from the list of who adds whose sum: the way of each
-- color in every router, and the steps of every PE.
--
-- PEs are numbered from 0; down is towards 0. A pattern is a function of the number of PEs and
-- the size of groups. It returns a list of merges in an order in which they can happen: { into
-- =, from =, color = } means that `from` sends its sum on the color, counted from 1, and `into`
-- adds it to its own. Every PE except one, the root, sends once, after all that it adds. A
-- color may be used again where its ways do not touch.
--
-- With is_behind = true a merge may use a color that goes another way in routers on its own
-- way. Their switches hold it back: a control wavelet behind the stream that went the first way
-- turns them to the second, and one behind the held stream turns them back. Each of them has one
-- stream of either kind.

local line = {}

local DOWN, UP, RAMP = "down", "up", "RAMP"
local OPPOSITE = { [DOWN] = UP, [UP] = DOWN }

local function check_merge(self, merge, is_sent)
    local into, from = merge.into, merge.from
    local function check(condition, what)
        if not condition then
            error(("merge of PE %s into PE %s, %d PEs: %s"):format(from, into, self.count, what), 0)
        end
    end
    check(math.type(into) == "integer" and math.type(from) == "integer"
        and math.min(into, from) >= 0 and math.max(into, from) < self.count and into ~= from, "no such PEs")
    check(math.type(merge.color) == "integer" and merge.color >= 1, "its color is no number from 1 on")
    check(not is_sent[from], ("PE %d has sent its sum already"):format(from))
    check(not is_sent[into], ("PE %d has sent its sum already"):format(into))
end

-- A color goes only one way in a router, or two, one behind the other: "RAMP>down|up>down".
local function set_way(self, at, merge, way)
    local ways = self.ways[merge.color]
    local known = ways[at]
    if not known or known == way then
        ways[at] = way
    elseif merge.is_behind and not known:find("|", 1, true) then
        ways[at] = known .. "|" .. way
    else
        error(("color %d goes two ways in the router of PE %d, %s and %s"):format(merge.color, at, known, way), 0)
    end
end

-- Calls visit(at, way) for the routers on the way of a merge.
local function each_router(merge, visit)
    local towards = merge.into < merge.from and DOWN or UP
    local step = towards == DOWN and -1 or 1
    visit(merge.from, RAMP .. ">" .. towards)
    for at = merge.from + step, merge.into - step, step do
        visit(at, OPPOSITE[towards] .. ">" .. towards)
    end
    visit(merge.into, OPPOSITE[towards] .. ">" .. RAMP)
end

local function add_ways(self, merge)
    self.color_count = math.max(self.color_count, merge.color)
    for color = #self.ways + 1, self.color_count do
        self.ways[color] = {}
    end
    each_router(merge, function(at, way) set_way(self, at, merge, way) end)
end

-- Who turns switches: the sender of a stream that goes through a router with two ways.
local function add_turns(self)
    local streams = {}
    for _, merge in ipairs(self.merges) do
        each_router(merge, function(at)
            local way = self.ways[merge.color][at]
            if way:find("|", 1, true) then
                local kind = ("%d %d %s"):format(merge.color, at, merge.is_behind and "behind" or "before")
                if streams[kind] then
                    error(("color %d: several streams go one way in the router of PE %d before it turns"):format(merge.color, at), 0)
                end
                streams[kind] = true
                self.turns[merge.from] = (at == merge.from and not self.turns[merge.from]) and "own" or "all"
            end
        end)
    end
end

-- line.new(count, merges): color_count, root, merges;
--   receives[i]: colors that PE i adds, in this order; sends[i]: the color it sends, nil at the root;
--   turns[i]: "own" if only its own switch has to turn when it has sent, "all" if others on the way, too.
function line.new(count, merges)
    local self = { count = count, merges = merges, color_count = 0, ways = {}, receives = {}, sends = {}, turns = {} }
    local is_sent = {}
    for i = 0, count - 1 do
        self.receives[i] = {}
    end
    for _, merge in ipairs(merges) do
        check_merge(self, merge, is_sent)
        is_sent[merge.from] = true
        add_ways(self, merge)
        table.insert(self.receives[merge.into], merge.color)
        self.sends[merge.from] = merge.color
    end
    for i = 0, count - 1 do
        if not is_sent[i] then
            if self.root then
                error(("PEs %d and %d both keep their sums, there is one root"):format(self.root, i), 0)
            end
            self.root = i
        end
    end
    add_turns(self)
    return setmetatable(self, { __index = line })
end

-- Runs first, last, step of positions in rising order.
local function runs_of(positions)
    local runs = {}
    local i = 1
    while i <= #positions do
        local last = i
        local step = positions[i + 1] and positions[i + 1] - positions[i] or 1
        while positions[last + 1] and positions[last + 1] - positions[last] == step do
            last = last + 1
        end
        runs[#runs + 1] = { first = positions[i], last = positions[last], step = step }
        i = last + 1
    end
    return runs
end

-- The switch of a router with two ways; one end is the same in both.
local function switches_of(names, first, second)
    local pos1 = {}
    for _, ending in ipairs { "rx", "tx" } do
        if first[ending] ~= second[ending] then
            pos1[ending] = names[second[ending]] or second[ending]
        end
    end
    return { pos1 = pos1, ring_mode = true, pop_mode = "no_pop" }
end

local function ends_of(way)
    local rx, tx = way:match("(.*)>(.*)")
    return { rx = rx, tx = tx }
end

-- Calls set(run, color, rx, tx, switches) for PEs first, first + step, ... last of run; `names`
-- translates "down" and "up".
function line:each_way(names, set)
    for color, ways in ipairs(self.ways) do
        local positions = {}
        for at = 0, self.count - 1 do
            local way = ways[at]
            if way then
                positions[way] = positions[way] or {}
                table.insert(positions[way], at)
            end
        end
        for way, list in pairs(positions) do
            local before, behind = way:match("([^|]*)|?(.*)")
            local first = ends_of(before)
            local switches = behind ~= "" and switches_of(names, first, ends_of(behind)) or nil
            for _, run in ipairs(runs_of(list)) do
                set(run, color, names[first.rx] or first.rx, names[first.tx] or first.tx, switches)
            end
        end
    end
end

return line
