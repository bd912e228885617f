-- A reduction along a line of PEs, derived from the list of who adds whose sum: the way of each
-- color in every router, and the steps of every PE.
--
-- PEs are numbered from 0; down is towards 0. A pattern is a function of the number of PEs and
-- the size of groups. It returns a list of merges in an order in which they can happen: { into
-- =, from =, color = } means that `from` sends its sum on the color, counted from 1, and `into`
-- adds it to its own. Every PE except one, the root, sends once, after all that it adds. A
-- color may be used again where its ways do not touch.

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

-- A color goes only one way in a router.
local function set_way(self, at, color, rx, tx)
    local ways = self.ways[color]
    local way = rx .. ">" .. tx
    if (ways[at] or way) ~= way then
        error(("color %d goes two ways in the router of PE %d, %s and %s"):format(color, at, ways[at], way), 0)
    end
    ways[at] = way
end

local function add_ways(self, merge)
    local towards = merge.into < merge.from and DOWN or UP
    local step = towards == DOWN and -1 or 1
    self.color_count = math.max(self.color_count, merge.color)
    for color = #self.ways + 1, self.color_count do
        self.ways[color] = {}
    end
    set_way(self, merge.from, merge.color, RAMP, towards)
    for at = merge.from + step, merge.into - step, step do
        set_way(self, at, merge.color, OPPOSITE[towards], towards)
    end
    set_way(self, merge.into, merge.color, OPPOSITE[towards], RAMP)
end

-- line.new(count, merges): color_count, root, merges;
--   receives[i]: colors that PE i adds, in this order; sends[i]: the color it sends, nil at the root.
function line.new(count, merges)
    local self = { count = count, merges = merges, color_count = 0, ways = {}, receives = {}, sends = {} }
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

-- Calls set(run, color, rx, tx) for PEs first, first + step, ... last of run; `names`
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
            local rx, tx = way:match("(.*)>(.*)")
            for _, run in ipairs(runs_of(list)) do
                set(run, color, names[rx] or rx, names[tx] or tx)
            end
        end
    end
end

return line
