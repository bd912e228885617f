-- Exchange of columns of numbers with neighbouring PEs, as a part of a program for wafers.
--
--   local plan = halo.plan(layout, {
--       mapping = "neighbour", "multicast" or "broadcast", count = numbers of a column, type = "f32" or "f16",
--       reach = 1,                           -- 1 to 4 with "broadcast"; optional
--       axis = "x" or "y",                   -- axis of the exchange; optional, both by default
--       beyond = { west = true },            -- sides where the grid continues on another wafer, reach 1; optional
--       colors = { 0, 1, ... },              -- 8 with "neighbour", 5 with "multicast", 4 with "broadcast"; optional
--       input_queues = { 4, 5, 6, 7 }, output_queues = { 0, 1, 2, 3 },      -- optional
--       priority = "medium",                 -- of its operations; above a task's own with medium; optional, low
--       tasks = { ids, plan.task_count of them: 4 or 8 },
--   })
--   plan:configure(layout)
--   local part = plan:attach(pe, { x =, y =, source = descriptor of the PE's column, done = task })
--   part:start()                             -- in a task; `done` is activated at the end
--   part.received.west ...                   -- the neighbour's column, or nil at an edge; on sides of `beyond`, the
--                                            -- array halo.name("west") of the edge PEs, which the host fills
--   part.columns.west[distance]              -- columns of PEs further away; they begin at
--                                            -- part.places.west[distance] of the array part.arrays.west
--
-- Mappings. `neighbour` has two colors per direction: PEs at even places send on one of them
-- and those at odd places on the other, so routes never change (csl-examples,
-- 7pt-stencil-spmv). With `multicast` a PE sends its column once, to all four neighbours, on one
-- of five colors (Rocki et al. 2020). `broadcast` has one color per direction, on which PEs take turns
-- (wafer/localized_broadcast.lua).
--
-- f16 numbers go two in a wavelet, and with `multicast` operations move two wavelets in a step. Of an
-- odd count the last number travels alone; with a reach of 2 or more all of them do, because several
-- streams come in as one.
--
-- An exchange may start again as soon as it is over. A neighbour can be at most one exchange
-- ahead, because it needs this PE's column to end the next one. Its wavelets wait in the queue,
-- and before that in routers, behind those of this exchange: each descriptor takes only its own
-- extent, and every stream has a queue of its own. Values do not depend on when wavelets
-- arrive: columns have places of their own, and `done` follows all of them.
--
-- Received columns begin SHIFT bytes after a multiple of LINE. Arrays of the program should
-- begin at one: then equal indices of both collide in no bank.

local localized = require("wafer/localized_broadcast")

local LINE, SHIFT = 16, 4               -- bytes
local BYTES = { f32 = 4, f16 = 2 }
local MOVE = { f32 = "fmovs", f16 = "fmovh" }
local PHASE = "halo"
local COUNTERS = 1                      -- variables of a PE
local WORD = 4                          -- bytes of a variable

-- By the direction of streams, in the order of queues and colors, with the side they come from.
local STREAMS = {
    { direction = "east", side = "west", to = "EAST", from = "WEST", dx = 1, dy = 0 },
    { direction = "west", side = "east", to = "WEST", from = "EAST", dx = -1, dy = 0 },
    { direction = "south", side = "north", to = "SOUTH", from = "NORTH", dx = 0, dy = 1 },
    { direction = "north", side = "south", to = "NORTH", from = "SOUTH", dx = 0, dy = -1 },
}

local AXES = { x = { 1, 2 }, y = { 3, 4 } }      -- streams along them
local BOTH = { 1, 2, 3, 4 }

local halo = {}

-- halo.name(side), halo.first(type): the array for columns from that side, and the index of the
-- nearest column's first number.
function halo.name(side)
    return "halo_" .. side
end

function halo.first(type)
    return SHIFT // BYTES[type]
end

-- Two colors per direction. A stream's role has: is_sending, distances (of the senders), out
-- and input (colors), before and after (control wavelets), payload.
local neighbour = { colors = 8, tasks = 4, period = 2, simd = "simd_32" }

local function place_of(stream, x, y)
    return stream.dx ~= 0 and x or y
end

function neighbour.role(plan, s, x, y)
    local index, extent = localized.index(plan.layout, STREAMS[s].direction, x, y)
    local parity = place_of(STREAMS[s], x, y) % 2
    return {
        is_sending = index < extent - 1, distances = index > 0 and { 1 } or {},
        out = plan.colors[2 * s - 1 + parity], input = plan.colors[2 * s - parity], before = 0, after = 0,
    }
end

function neighbour.key(plan, s, x, y)
    local index, extent = localized.index(plan.layout, STREAMS[s].direction, x, y)
    return ("%s%s%d"):format(index == 0 and "f" or "", index == extent - 1 and "l" or "", place_of(STREAMS[s], x, y) % 2)
end

-- PEs at first, first + 2, ... up to last along the stream's axis.
local function every_second(layout, stream, first, last)
    last = last - (last - first) % 2
    if stream.dx ~= 0 then
        return { first, 0, last, layout.rows - 1, dx = 2, dy = 1 }
    end
    return { 0, first, layout.columns - 1, last, dx = 1, dy = 2 }
end

function neighbour.configure(plan, layout)
    for _, s in ipairs(plan.streams) do
        local stream = STREAMS[s]
        local ending = (stream.dx ~= 0 and layout.columns or layout.rows) - 1
        local step = stream.dx + stream.dy
        for parity = 0, 1 do
            local color = plan.colors[2 * s - 1 + parity]
            -- Senders have a PE after them, receivers a PE before them.
            local senders = { first = step > 0 and 0 or 1, last = step > 0 and ending - 1 or ending }
            local first = senders.first + (senders.first + parity) % 2
            if first <= senders.last then
                local last = senders.last - (senders.last - first) % 2
                layout:set_color_config(every_second(layout, stream, first, last), color,
                    { routes = { rx = "RAMP", tx = stream.to } })
                layout:set_color_config(every_second(layout, stream, first + step, last + step), color,
                    { routes = { rx = stream.from, tx = "RAMP" } })
            end
        end
    end
end

-- Every PE sends once, on a color of its own to all four neighbours. Of five colors those of a PE
-- and its neighbours differ.
local multicast = { colors = 5, tasks = 4, period = 5, simd = "simd_64" }

local function own_color(plan, x, y)
    return plan.colors[1 + (x + 2 * y) % multicast.colors]
end

-- The place of a neighbour's color among those of all four.
local function rank_of(plan, s, x, y)
    local rank, own = 1, own_color(plan, x - STREAMS[s].dx, y - STREAMS[s].dy)
    for _, other in ipairs(STREAMS) do
        rank = rank + (own_color(plan, x - other.dx, y - other.dy) < own and 1 or 0)
    end
    return rank
end

function multicast.role(plan, s, x, y)
    local stream, layout = STREAMS[s], plan.layout
    local index = localized.index(layout, stream.direction, x, y)
    return {
        is_sending = s == plan.streams[1] and layout.columns * layout.rows > 1, distances = index > 0 and { 1 } or {},
        out = own_color(plan, x, y), input = own_color(plan, x - stream.dx, y - stream.dy), before = 0, after = 0,
        input_queue = plan.input_queues[rank_of(plan, s, x, y)],
    }
end

function multicast.key(plan, s, x, y)
    local index, extent = localized.index(plan.layout, STREAMS[s].direction, x, y)
    return ("%s%s%d"):format(index == 0 and "f" or "", index == extent - 1 and "l" or "", place_of(STREAMS[s], x, y) % multicast.period)
end

-- PEs with the same color and the same neighbours: every fifth of each row.
function multicast.configure(plan, layout)
    local columns, rows = layout.columns, layout.rows
    local function set(x, y, last_x, last_y)
        local tiles = { x, y, last_x, last_y, dx = multicast.period, dy = multicast.period }
        local tx = {}
        for _, s in ipairs(BOTH) do
            local stream = STREAMS[s]
            local to_x, to_y = x + stream.dx, y + stream.dy
            if to_x >= 0 and to_x < columns and to_y >= 0 and to_y < rows then
                tx[#tx + 1] = stream.to
                layout:set_color_config(tiles, own_color(plan, to_x, to_y), { routes = { rx = stream.to, tx = "RAMP" } })
            end
        end
        if #tx > 0 then
            layout:set_color_config(tiles, own_color(plan, x, y), { routes = { rx = "RAMP", tx = tx } })
        end
    end
    -- The first, every fifth of the inner ones, and the last.
    local function each(extent, f)
        f(0, 0)
        for first = 1, math.min(multicast.period, extent - 2) do
            f(first, extent - 2)
        end
        if extent > 1 then
            f(extent - 1, extent - 1)
        end
    end
    each(rows, function(y, last_y)
        each(columns, function(x, last_x) set(x, y, last_x, last_y) end)
    end)
end

-- One color per direction.
local broadcast = { colors = 4, tasks = 8, period = 2, simd = "simd_32" }

function broadcast.role(plan, s, x, y)
    local index, extent = localized.index(plan.layout, STREAMS[s].direction, x, y)
    local before, after = plan.groups:controls(index)
    return {
        is_sending = plan.groups:is_sending(index, extent), distances = plan.groups:arrivals(index),
        out = plan.colors[s], input = plan.colors[s], before = before, after = after, payload = plan.payload,
    }
end

function broadcast.key(plan, s, x, y)
    local index, extent = localized.index(plan.layout, STREAMS[s].direction, x, y)
    local reach, period = plan.groups.reach, plan.groups.period
    return ("%d%s"):format(index < reach and index or reach + (index - reach) % period,
        plan.groups:is_sending(index, extent) and "" or "l")
end

function broadcast.configure(plan, layout)
    for _, s in ipairs(plan.streams) do
        plan.groups:configure(layout, STREAMS[s].direction, plan.colors[s])
    end
end

local MAPPINGS = { neighbour = neighbour, multicast = multicast, broadcast = broadcast }

local function numbers_from(first, count)
    local numbers = {}
    for i = 1, count do
        numbers[i] = first + i - 1
    end
    return numbers
end

-- Numbers from one received column to the next.
local function pitch(plan)
    local line = LINE // BYTES[plan.type]
    return (plan.count + line - 1) // line * line
end

-- halo.task_count(mapping): local tasks that the exchange needs.
function halo.task_count(mapping)
    return MAPPINGS[mapping].tasks
end

-- halo.period(mapping): after so many PEs along an axis roles repeat, with a reach of 1.
function halo.period(mapping)
    return MAPPINGS[mapping].period
end

local function streams_of(settings)
    return settings.axis and AXES[settings.axis] or BOTH
end

-- halo.bytes{ count =, type =, reach =, axis = }: the most memory of a PE that the exchange
-- takes.
function halo.bytes(settings)
    local reach = settings.reach or 1
    local senders = reach == 1 and 1 or reach + 1
    local bytes = SHIFT + BYTES[settings.type] * senders * pitch(settings)
    return #streams_of(settings) * ((bytes + LINE - 1) // LINE * LINE) + COUNTERS * WORD
end

local Plan = {}
Plan.__index = Plan

function halo.plan(layout, settings)
    local mapping, reach = MAPPINGS[settings.mapping], settings.reach or 1
    assert(mapping, "mapping: expected neighbour, multicast or broadcast")
    assert(mapping ~= multicast or not settings.axis, "axis: multicast goes to all sides")
    assert(reach == 1 or mapping == broadcast, "reach: more than 1 needs broadcast")
    assert(MOVE[settings.type], "type: expected f32 or f16")
    local groups = mapping == broadcast and localized.with_reach(reach) or nil
    local plan = {
        layout = layout, mapping = mapping, count = settings.count, type = settings.type, streams = streams_of(settings),
        simd = settings.type == "f16" and (reach == 1 or settings.count % 2 == 0) and mapping.simd or nil,
        groups = groups, payload = groups and groups:payload(layout),
        colors = settings.colors or numbers_from(0, mapping.colors), tasks = settings.tasks,
        input_queues = settings.input_queues or numbers_from(4, #STREAMS),
        output_queues = settings.output_queues or numbers_from(0, #STREAMS),
        priority = settings.priority, beyond = settings.beyond or {}, task_count = mapping.tasks, color_count = mapping.colors, period = reach + 1, bytes = halo.bytes(settings),
    }
    assert(#plan.colors >= mapping.colors, "colors: too few")
    assert(#plan.tasks >= mapping.tasks, "tasks: too few")
    return setmetatable(plan, Plan)
end

-- Routes and switches of all its colors.
function Plan:configure(layout)
    self.mapping.configure(self, layout)
end

-- PEs with equal keys have the same program.
local function key(plan, axis, x, y)
    local keys = {}
    for _, s in ipairs(plan.streams) do
        if s == AXES[axis][1] or s == AXES[axis][2] then
            keys[#keys + 1] = plan.mapping.key(plan, s, x, y)
        end
    end
    return table.concat(keys, " ")
end

function Plan:column_key(x)
    return key(self, "x", x, 0)
end

function Plan:row_key(y)
    return key(self, "y", 0, y)
end

-- The array of a stream's columns, and their descriptors by distance.
local function declare_receive(plan, pe, s, role)
    local senders, step = #role.distances, pitch(plan)
    local shift = halo.first(plan.type)
    local array = pe:array {
        name = halo.name(STREAMS[s].side), type = plan.type, count = shift + senders * step, align = LINE,
    }
    local columns, places = {}, {}
    for turn, distance in ipairs(role.distances) do
        places[distance] = shift + (turn - 1) * step
        columns[distance] = pe:mem1d_dsd { base = array, extent = plan.count, offset = places[distance] }
    end
    return {
        array = array, places = places, columns = columns,
        to = senders == 1 and columns[role.distances[1]]
            or pe:mem4d_dsd { base = array, extents = { senders, plan.count }, strides = { step, 1 }, offset = shift },
        from = pe:fabin_dsd {
            color = role.input, input_queue = role.input_queue or plan.input_queues[s], extent = senders * plan.count, simd = plan.simd,
        },
    }
end

-- The column of a PE on another wafer, which the host writes.
local function declare_beyond(plan, pe, side)
    local first = halo.first(plan.type)
    local array = pe:array { name = halo.name(side), type = plan.type, count = first + pitch(plan), align = LINE }
    return pe:mem1d_dsd { base = array, extent = plan.count, offset = first }
end

local function declare_send(plan, pe, s, role)
    local queue = plan.output_queues[s]
    local function controls(count)
        return count > 0 and pe:fabout_dsd { color = role.out, output_queue = queue, extent = count, control = true } or nil
    end
    return {
        data = pe:fabout_dsd {
            color = role.out, output_queue = queue, extent = plan.count, simd = plan.simd,
        },
        before = controls(role.before), after = controls(role.after), payload = role.payload,
    }
end

local Part = {}
Part.__index = Part

-- A stream and the stream in return have ended.
local function bind_join(part, stream, streams)
    local pe = part.pe
    pe:bind_local_task(stream.joined, "halo_joined_" .. stream.name, function()
        if stream.send and stream.receive then
            pe:block(stream.joined)
        end
        if streams == 1 then
            pe:activate(part.done)
            return
        end
        pe:add(part.joined, 1)
        pe:when(part.joined, "==", streams, function()
            pe:assign(part.joined, 0)
            pe:activate(part.done)
        end)
    end)
    if stream.send and stream.receive then
        pe:block(stream.joined)
    end
end

-- Options for the end of a sent stream, beside that of the received one.
local function sent(part, stream)
    local options = { async = true, priority = part.priority }
    options[stream.receive and "unblock" or "activate"] = stream.joined
    return options
end

local function bind_controls(part, stream)
    local pe, send = part.pe, stream.send
    pe:bind_local_task(stream.controls, "halo_controls_" .. stream.name, function()
        pe:phase(PHASE)
        pe:mov32(send.after, pe:word(send.payload), sent(part, stream))
        pe:phase("")
    end)
end

-- plan:attach(pe, { x =, y =, source =, done = }): arrays, queues and tasks in the PE (x, y).
function Plan:attach(pe, it)
    local part = setmetatable({
        pe = pe, priority = self.priority, move = MOVE[self.type], source = it.source, done = it.done, streams = {}, received = {}, columns = {},
        arrays = {}, places = {},
    }, Part)
    for _, s in ipairs(self.streams) do
        local way = STREAMS[s]
        local role = self.mapping.role(self, s, it.x, it.y)
        local stream = { name = way.direction, joined = self.tasks[s], controls = self.tasks[#STREAMS + s] }
        -- Needed even if nothing arrives: the color of a broadcast leads to the RAMP for a
        -- moment.
        if #role.distances > 0 or role.after > 0 and role.is_sending then
            pe:initialize_queue { input_queue = role.input_queue or self.input_queues[s], color = role.input }
        end
        if #role.distances > 0 then
            stream.receive = declare_receive(self, pe, s, role)
            part.arrays[way.side], part.places[way.side] = stream.receive.array, stream.receive.places
            part.columns[way.side], part.received[way.side] = stream.receive.columns, stream.receive.columns[1]
        elseif self.beyond[way.side] then
            part.received[way.side] = declare_beyond(self, pe, way.side)
        end
        if role.is_sending then
            stream.send = declare_send(self, pe, s, role)
        end
        if stream.send or stream.receive then
            part.streams[#part.streams + 1] = stream
        end
    end
    part.joined = #part.streams > 1 and pe:variable { name = "halo_joined_" .. part.streams[1].name, value = 0 } or nil
    for _, stream in ipairs(part.streams) do
        bind_join(part, stream, #part.streams)
        if stream.send and stream.send.after then
            bind_controls(part, stream)
        end
    end
    return part
end

local function start_send(part, stream)
    local pe, send = part.pe, stream.send
    if send.before then
        pe:mov32(send.before, pe:word(send.payload))
    end
    pe[part.move](pe, send.data, part.source,
        send.after and { async = true, activate = stream.controls, priority = part.priority } or sent(part, stream))
end

-- Emits the start of the exchange.
function Part:start()
    local pe = self.pe
    if #self.streams == 0 then
        pe:activate(self.done)
        return
    end
    pe:phase(PHASE)
    for _, stream in ipairs(self.streams) do
        if stream.receive then
            pe[self.move](pe, stream.receive.to, stream.receive.from, { async = true, activate = stream.joined, priority = self.priority })
        end
    end
    for _, stream in ipairs(self.streams) do
        if stream.send then
            start_send(self, stream)
        end
    end
    pe:phase("")
end

return halo
