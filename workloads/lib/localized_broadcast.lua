-- Localized broadcast along rows or columns of PEs: everybody sends a stream to the REACH
-- PEs after it and to itself, on one color for each direction. Jacquelin et al. 2022,
-- section IV.B, with the router positions of csl-examples, 25-pt-stencil.
--
-- PEs have an index along the direction, 0 being the first. Those whose index leaves the
-- same rest modulo REACH + 1 send at once, each to its own group: in its router the color
-- comes from the RAMP (root), in those of the next REACH - 1 it comes from the PE before
-- and goes on (intermediate), in the last one's it only goes to the RAMP (last). After its
-- stream a root sends two control wavelets. The first makes the next PE the root, and the
-- last one an intermediate of the next group's; with the second the root becomes the last
-- of the group before. After REACH + 1 streams all routers are as they were.
--
-- The first PEs have fewer before them. Index 0 is always root, and 1 to REACH - 1 are
-- never last: they go from root to intermediate.

local broadcast = {}

local REACH = 4
local PERIOD = REACH + 1
local COMMANDS, NO_TASK = 8, 31         -- of a control wavelet
broadcast.reach, broadcast.period = REACH, PERIOD

-- Directions in the order of their queues: where streams come from and go to.
local WAYS = {
    east = { from = "WEST", to = "EAST", is_along_rows = true, is_rising = true },
    west = { from = "EAST", to = "WEST", is_along_rows = true, is_rising = false },
    south = { from = "NORTH", to = "SOUTH", is_along_rows = false, is_rising = true },
    north = { from = "SOUTH", to = "NORTH", is_along_rows = false, is_rising = false },
}

local function extent_of(layout, direction)
    return WAYS[direction].is_along_rows and layout.columns or layout.rows
end

-- The index of the PE (x, y) along the direction.
function broadcast.index(layout, direction, x, y)
    local way = WAYS[direction]
    local at = way.is_along_rows and x or y
    return way.is_rising and at or extent_of(layout, direction) - 1 - at
end

-- How far away the PEs are whose streams a PE gets, in the order in which it gets them;
-- 0 is its own.
function broadcast.arrivals(index)
    local distances = {}
    for turn = 0, math.min(REACH, index) do
        distances[#distances + 1] = (index - turn) % PERIOD
    end
    return distances
end

-- A color's routes and positions in the router with this index.
local function configuration(index, extent, way)
    local is_end = index == extent - 1
    local onward = is_end and { "RAMP" } or { way.to, "RAMP" }
    local switches = { current_switch_pos = 0, ring_mode = true, pop_mode = "always_pop" }
    if index == 0 then
        switches.pos1 = { tx = { "RAMP" } }
        return { routes = { rx = "RAMP", tx = onward }, switches = switches }
    end
    switches.pos1 = { rx = "RAMP" }
    switches.pos2 = { tx = { "RAMP" } }
    if index >= REACH then
        switches.pos3 = { rx = way.from }
        switches.current_switch_pos = ({ [0] = 1, [REACH] = 3 })[index % PERIOD] or 0
    end
    return { routes = { rx = way.from, tx = onward }, switches = switches }
end

-- Tiles of the PEs with indices first, first + step, ... <= last.
local function tiles_of(layout, way, extent, first, last, step)
    last = last - (last - first) % step
    if not way.is_rising then
        first, last = extent - 1 - last, extent - 1 - first
    end
    if way.is_along_rows then
        return { first, 0, last, layout.rows - 1, dx = step, dy = 1 }
    end
    return { 0, first, layout.columns - 1, last, dx = 1, dy = step }
end

-- Sets routes and switches of the color in all PEs of the layout.
function broadcast.configure(layout, direction, color)
    local way, extent = WAYS[direction], extent_of(layout, direction)
    local function set(first, last, step)
        if first <= last then
            layout:set_color_config(tiles_of(layout, way, extent, first, last, step), color,
                configuration(first, extent, way))
        end
    end
    local ending = extent - 1
    for index = 0, math.min(REACH, ending) - 1 do
        set(index, index, 1)
    end
    for first = REACH, REACH + PERIOD - 1 do
        set(first, ending - 1, PERIOD)
    end
    set(ending, ending, 1)
end

-- Payloads of the two control wavelets after a stream.
function broadcast.payloads(layout)
    local function payload(is_advanced)
        local commands = {}
        for distance = 0, COMMANDS - 1 do
            commands[distance + 1] = is_advanced[distance] and "SWITCH_ADV" or "NOP"
        end
        return layout:encode_payload { commands = commands, ce_filter = true, task = NO_TASK }
    end
    return payload { [0] = true, [1] = true, [REACH] = true }, payload { [0] = true }
end

-- Positions along an axis of `extent` PEs, in bands { first, last, step } within which
-- arrivals are the same in both directions.
function broadcast.bands(extent)
    local bands = {}
    for at = 0, extent - 1 do
        local is_inside = at >= REACH and extent - 1 - at >= REACH
        if not is_inside then
            bands[#bands + 1] = { first = at, last = at, step = 1 }
        elseif at < REACH + PERIOD then
            local room = extent - 1 - REACH - at
            bands[#bands + 1] = { first = at, last = at + room - room % PERIOD, step = PERIOD }
        end
    end
    return bands
end

return broadcast
