-- Several wafers with one grid: each has columns of it, side by side along x. Only the host
-- lies between wafers, and PEs stand still while it copies. So programs run in phases: every
-- wafer gets the data that it needs from others, is launched, and gives the data that others
-- need.
--
--   local group = parts.of(host, p, 4)       -- p has nx, ny, chips; a wafer has at least 4 columns
--   group.list[i]                            -- { position =, device =, first =, columns =, west =, east = }:
--                                            -- its first column in the grid, their number; the parts beside it
--   part.wafer = part.device.wafer { ... }
--   group:phase(function(part)               -- all at the same time; ends when the last is done
--       part:copy_to { ... }
--       part:launch { variable = 1 }
--       part:copy_from { ... }
--   end)
--   group:report(iterations)                 -- where the time of an iteration went

local room = require("wafer/room")

local MICROSECOND = 1e-6
local WORD = 4                  -- bytes of a sum

local parts = {}

-- A script's parameters about wafers side by side.
parts.words = {
    { name = "chips", type = "integer", default = 0, min = 0, max = 4096, chips = { "wse" },
      help = "wafers of the system that share the grid, side by side along x; 0: all of them" },
    { name = "overlap", type = "switch", default = false, chips = { "wse" },
      help = "only off: PEs of a wafer stand still while the host carries edges to others" },
}

-- The number of wafers that the user wants, each with at least `least` columns.
local function count_of(host, p, least)
    local there = host.chip_count or 1
    if p.overlap then
        host.refuse("overlap = on: PEs of a wafer stand still while the host copies, only off is allowed on wafers")
    elseif p.chips > there then
        host.refuse(("chips = %d: the system has %d"):format(p.chips, there))
    elseif p.chips == 0 then
        return math.max(1, math.min(there, p.nx // least))
    elseif p.chips > 1 and p.nx // p.chips < least then
        host.refuse(("chips = %d, nx = %d: each wafer needs %d columns at least, nx is %d or more")
            :format(p.chips, p.nx, least, p.chips * least))
    end
    return p.chips
end

local Part = {}
Part.__index = Part

local Group = {}
Group.__index = Group

-- parts.of(host, p, least): the group. A single part is the whole grid, on the host's first
-- chip.
function parts.of(host, p, least)
    assert(least >= 1, "least: a wafer has a column")
    local count, list = count_of(host, p, least), {}
    for i = 1, count do
        local first, beyond = (i - 1) * p.nx // count, i * p.nx // count
        list[i] = setmetatable({
            position = i, device = count > 1 and host.devices[i] or host, first = first, columns = beyond - first,
            west = list[i - 1],
        }, Part)
        if list[i - 1] then
            list[i - 1].east = list[i]
        end
    end
    return setmetatable({ host = host, list = list, launches = 0, compute = 0, transfer = 0, seconds = 0, copied_bytes = 0 }, Group)
end

-- group:check_rectangle(p, [columns]): ends the run if a wafer has fewer PEs than its part of
-- the grid. columns(part) returns the columns that a part needs, if more than those of the
-- grid.
function Group:check_rectangle(p, columns)
    local widest = 0
    for _, part in ipairs(self.list) do
        widest = math.max(widest, columns and columns(part) or part.columns)
    end
    if #self.list == 1 then
        room.check_rectangle(self.host, p, "nx", "ny", "one for each column of cells")
        return
    end
    local most_columns, most_rows = room.rectangle(self.host)
    if widest > most_columns or p.ny > most_rows then
        self.host.refuse(("nx = %d, ny = %d on %d wafers: %d x %d PEs of one, %s has at most %d x %d")
            :format(p.nx, p.ny, #self.list, widest, p.ny, self.host.chip, most_columns, most_rows))
    end
end

-- parts.each_side(part, f): calls f(side, neighbour, opposite) for every side with another
-- part: "west" or "east", the part there, and its side that touches this one.
function parts.each_side(part, f)
    if part.west then
        f("west", part.west, "east")
    end
    if part.east then
        f("east", part.east, "west")
    end
end

-- The grid's columns first, first + 1, ... as a new buffer, or the given one if that is all of
-- it. Columns lie one after the other, row by row, so many bytes each.
function parts.cut(host, p, grid, bytes, first, columns)
    if columns == p.nx then
        return grid
    end
    local piece = host.buffer(columns * p.ny * bytes)
    for y = 0, p.ny - 1 do
        piece:put(y * columns * bytes, grid:part((y * p.nx + first) * bytes, columns * bytes))
    end
    return piece
end

-- The inverse.
function parts.paste(p, grid, bytes, first, columns, piece)
    for y = 0, p.ny - 1 do
        grid:put((y * p.nx + first) * bytes, piece:part(y * columns * bytes, columns * bytes))
    end
end

-- Sums over all wafers: each has one in its root, and the host adds them in the order of the
-- wafers.

-- group:prepare_sum(root_of): root_of(part) is the PE with the sum, { x =, y = }.
function Group:prepare_sum(root_of)
    self.total = self.host.buffer(WORD)
    for _, part in ipairs(self.list) do
        local root = root_of(part)
        part.root, part.sum = { root.x, root.y, root.x, root.y }, self.host.buffer(WORD)
    end
end

-- Copies of a phase: from the wafer's sum in the named scalar, and of the total into it.
function Group:sum_of(part, name)
    return { name = name, count = 1, tiles = part.root, buffer = part.sum }
end

function Group:total_for(part, name)
    return { name = name, count = 1, tiles = part.root, buffer = self.total }
end

-- group:add_up(): between phases. Each addition rounds to fp32.
function Group:add_up()
    self.total:put(0, self.list[1].sum)
    for i = 2, #self.list do
        self.total:set("fp32", 0, self.total:get("fp32", 0) + self.list[i].sum:get("fp32", 0))
    end
    return self.total:get("fp32", 0)
end

-- group:merges(p, merges_of): the order of additions over all PEs, { into, from }, with the
-- numbers of one large grid; merges_of(part) returns that of a wafer.
function Group:merges(p, merges_of)
    local all, roots = {}, {}
    for i, part in ipairs(self.list) do
        local function number(pe)
            return pe // part.columns * p.nx + part.first + pe % part.columns
        end
        local merges = merges_of(part)
        for _, merge in ipairs(merges) do
            all[#all + 1] = { number(merge[1]), number(merge[2]) }
        end
        roots[i] = number(#merges > 0 and merges[#merges][1] or 0)
    end
    for i = 2, #roots do
        all[#all + 1] = { roots[1], roots[i] }
    end
    return all
end

-- Calls within a phase.

function Part:launch(variables)
    local cycles = self.wafer:launch(variables)
    self.cycles, self.launches = self.cycles + cycles, self.launches + 1
    return cycles
end

local function copied(part, list, seconds)
    part.copied = part.copied + seconds
    for _, it in ipairs(list) do
        part.bytes = part.bytes + #it.buffer
    end
end

-- Lists of copies, each of which is one transfer; empty lists do nothing.
function Part:copy_to(list)
    if #list > 0 then
        copied(self, list, self.wafer:copy_to(list))
    end
end

function Part:copy_from(list)
    if #list > 0 then
        copied(self, list, self.wafer:copy_from(list))
    end
end

-- group:phase(f): calls f(part) for all parts at the same time.
function Group:phase(f)
    local host, start = self.host, self.host.now()
    for _, part in ipairs(self.list) do
        part.cycles, part.launches, part.copied, part.bytes = 0, 0, 0, 0
    end
    if #self.list == 1 then
        f(self.list[1])
    else
        host.each(function(device)
            local part = self.list[device.index + 1]
            if part then
                f(part)
            end
        end)
    end
    local cycles, launches, copying = 0, 0, 0
    for _, part in ipairs(self.list) do
        cycles, launches, copying = math.max(cycles, part.cycles), math.max(launches, part.launches), math.max(copying, part.copied)
        self.copied_bytes = self.copied_bytes + part.bytes
    end
    self.compute = self.compute + cycles / host.number("chip.clock_hz")
    self.transfer = self.transfer + copying
    self.launches = self.launches + launches
    self.seconds = self.seconds + host.now() - start
end

-- group:times(iterations): seconds per iteration, of the slowest wafer in each phase: compute,
-- in PEs; host, everything else: transfers, launches and waits for other wafers; and the bytes
-- through the host.
function Group:times(iterations)
    return {
        seconds = self.seconds / iterations, compute = self.compute / iterations,
        host = (self.seconds - self.compute) / iterations, transfer = self.transfer / iterations,
        launch = self.launches * self.host.number("host.launch_us") * MICROSECOND / iterations,
        bytes = self.copied_bytes / iterations,
    }
end

-- group:report(iterations): puts the same into the result, and returns it.
function Group:report(iterations)
    local host, times = self.host, self:times(iterations)
    host.metric("chips", #self.list)
    host.metric("launches", self.launches)
    for _, name in ipairs { "compute", "host", "transfer", "launch" } do
        host.metric(name .. "_seconds_per_iteration", times[name])
    end
    host.metric("host_bytes_per_iteration", times.bytes)
    print(("%d wafers: %.4g us an iteration, %.4g us in PEs, %.4g us of copies, %.4g us of launches; %.4g MB go over the host")
        :format(#self.list, times.seconds * 1e6, times.compute * 1e6, times.transfer * 1e6, times.launch * 1e6, times.bytes / 1e6))
    return times
end

return parts
