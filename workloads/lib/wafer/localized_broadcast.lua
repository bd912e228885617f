-- Localized broadcast along rows or columns of PEs: every PE sends a stream to the `reach` PEs
-- after it, on one color per direction. Jacquelin et al. 2022, section IV.B, with the router
-- positions of csl-examples, 25-pt-stencil.
--
-- PEs have an index along the direction, from 0 on. PEs whose indices are congruent modulo
-- reach + 1 send at once, each to its own group. In the sender's router the color comes from
-- the RAMP (root); in those of the next reach - 1 PEs it comes from the PE before and goes on
-- (intermediate); in that of the last PE it only goes to the RAMP (last). Intermediates also
-- take the stream that they pass on, and positions change rx or tx but not both; so roots get
-- their own stream back too. After its stream a root sends two control wavelets. The first
-- makes the next PE the root, and the last one an intermediate of the next group. The second no
-- longer leaves the root's router and makes the root the last of the group before. After reach
-- + 1 streams all routers are as they were.
--
-- The first PEs have fewer PEs before them. Index 0 is always root. Indices 1 to reach - 1 are
-- never last: they go from root to intermediate.
--
-- With a reach of 1 there are no intermediates, the next PE is the last one, and streams do not
-- come back to their sender. Between last and root a router is closed: from the RAMP to the
-- RAMP. The control wavelet of the PE before closes it; one of its own opens it as root. Odd
-- indices send that one before their stream. Even indices are root at first: they send it after
-- their stream, and it waits until they have received the other's. The PE with the last index
-- sends nothing.
--
-- Lines may begin and end elsewhere than at the layout's sides: functions take an area, tiles
-- { x0, y0, x1, y1 }, whose lines they mean. Without one they mean all PEs.

local COMMANDS, NO_TASK = 8, 31         -- of a control wavelet

-- Directions: the sides from which streams come and to which they go.
local WAYS = {
    east = { from = "WEST", to = "EAST", is_along_rows = true, is_rising = true },
    west = { from = "EAST", to = "WEST", is_along_rows = true, is_rising = false },
    south = { from = "NORTH", to = "SOUTH", is_along_rows = false, is_rising = true },
    north = { from = "SOUTH", to = "NORTH", is_along_rows = false, is_rising = false },
}

local broadcast = {}
broadcast.__index = broadcast

-- broadcast.with_reach(n): n is 1 to 4. Roles repeat with `period`.
function broadcast.with_reach(reach)
    return setmetatable({ reach = reach, period = reach + 1 }, broadcast)
end

local function whole(layout)
    return { 0, 0, layout.columns - 1, layout.rows - 1 }
end

-- The first PE of an area along a direction's axis, and the number of PEs.
local function line_of(way, area)
    local first, last = area[way.is_along_rows and 1 or 2], area[way.is_along_rows and 3 or 4]
    return first, last - first + 1
end

-- broadcast.index(layout, direction, x, y, area): the index of the PE (x, y) along the direction,
-- and the number of PEs.
function broadcast.index(layout, direction, x, y, area)
    local way = WAYS[direction]
    local first, extent = line_of(way, area or whole(layout))
    local at = (way.is_along_rows and x or y) - first
    return way.is_rising and at or extent - 1 - at, extent
end

-- Areas of lines along the direction if the PEs in the corners take no part.
function broadcast.areas_without_corners(layout, direction)
    local right, bottom = layout.columns - 1, layout.rows - 1
    if WAYS[direction].is_along_rows then
        return { { 0, 1, right, bottom - 1 }, { 1, 0, right - 1, 0 }, { 1, bottom, right - 1, bottom } }
    end
    return { { 1, 0, right - 1, bottom }, { 0, 1, 0, bottom - 1 }, { right, 1, right, bottom - 1 } }
end

-- Distances of the PEs whose streams a PE gets, in the order of arrival; 0 is its own.
function broadcast:arrivals(index)
    if self.reach == 1 then
        return index > 0 and { 1 } or {}
    end
    local distances = {}
    for turn = 0, math.min(self.reach, index) do
        distances[#distances + 1] = (index - turn) % self.period
    end
    return distances
end

-- Whether a PE sends at all.
function broadcast:is_sending(index, extent)
    return self.reach > 1 or index < extent - 1
end

-- Numbers of control wavelets that a sending PE sends before its stream and after it.
function broadcast:controls(index)
    if self.reach > 1 then
        return 0, 2
    end
    return index % 2, 3 - index % 2
end

-- The payload of all control wavelets.
function broadcast:payload(layout)
    local commands = {}
    for distance = 0, COMMANDS - 1 do
        local is_advanced = distance == 0 or distance == 1 or distance == self.reach
        commands[distance + 1] = is_advanced and "SWITCH_ADV" or "NOP"
    end
    return layout:encode_payload { commands = commands, ce_filter = true, task = NO_TASK }
end

local function ring(position, positions)
    local switches = { current_switch_pos = position, ring_mode = true, pop_mode = "always_pop" }
    for i, change in ipairs(positions) do
        switches["pos" .. i] = change
    end
    return switches
end

-- A color's routes and positions in the router with this index, for reach 1: root, closed,
-- last, closed.
local function pair_configuration(index, extent, way)
    if index == extent - 1 then
        return { routes = { rx = way.from, tx = "RAMP" }, names = { "Last" } }
    end
    local closed, closed_again = { tx = { "RAMP" } }, { rx = "RAMP" }
    return {
        routes = { rx = "RAMP", tx = way.to },
        switches = index == 0 and ring(0, { closed, closed_again })
            or ring(index % 2 == 0 and 0 or 2, { closed, { rx = way.from }, closed_again }),
        names = index == 0 and { "Root", "Closed", "Closed" } or { "Root", "Closed", "Last", "Closed" },
    }
end

-- The same for reach 2 to 4: intermediate, root, then the change to last.
local function group_configuration(self, index, extent, way)
    local onward = index == extent - 1 and { "RAMP" } or { way.to, "RAMP" }
    if index == 0 then
        return {
            routes = { rx = "RAMP", tx = onward }, switches = ring(0, { { tx = { "RAMP" } } }),
            names = { "Root", "Closed" },
        }
    end
    local positions, position = { { rx = "RAMP" }, { tx = { "RAMP" } } }, 0
    local names = { "Intermediate", "Root", "Closed" }
    if index >= self.reach then
        positions[3] = { rx = way.from }
        names[4] = "Last"
        position = ({ [0] = 1, [self.reach] = 3 })[index % self.period] or 0
    end
    return { routes = { rx = way.from, tx = onward }, switches = ring(position, positions), names = names }
end

-- Tiles of the PEs with indices first, first + step, ... <= last.
local function tiles_of(area, way, first, last, step)
    local begin, extent = line_of(way, area)
    last = last - (last - first) % step
    if not way.is_rising then
        first, last = extent - 1 - last, extent - 1 - first
    end
    if way.is_along_rows then
        return { begin + first, area[2], begin + last, area[4], dx = step, dy = 1 }
    end
    return { area[1], begin + first, area[3], begin + last, dx = 1, dy = step }
end

-- Sets routes and switches of the color in all PEs of the layout or area.
function broadcast:configure(layout, direction, color, area)
    local way = WAYS[direction]
    area = area or whole(layout)
    local _, extent = line_of(way, area)
    local function set(first, last, step)
        if first > last then
            return
        end
        local configuration = self.reach == 1 and pair_configuration(first, extent, way)
            or group_configuration(self, first, extent, way)
        layout:set_color_config(tiles_of(area, way, first, last, step), color, configuration)
    end
    local ending = extent - 1
    if self.reach == 1 and ending == 0 then
        return
    end
    for index = 0, math.min(self.reach, ending) - 1 do
        set(index, index, 1)
    end
    for first = self.reach, self.reach + self.period - 1 do
        set(first, ending - 1, self.period)
    end
    set(ending, ending, 1)
end

-- Positions along an axis of `extent` PEs from `begin` on, as bands { first, last, step } within
-- which arrivals are the same in both directions.
function broadcast:bands(extent, begin)
    local reach, period = self.reach, self.period
    local bands = {}
    begin = begin or 0
    for at = 0, extent - 1 do
        local is_inside = at >= reach and extent - 1 - at >= reach
        if not is_inside then
            bands[#bands + 1] = { first = begin + at, last = begin + at, step = 1 }
        elseif at < reach + period then
            local room = extent - 1 - reach - at
            bands[#bands + 1] = { first = begin + at, last = begin + at + room - room % period, step = period }
        end
    end
    return bands
end

return broadcast
