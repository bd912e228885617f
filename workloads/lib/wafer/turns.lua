-- The PEs of a line, a row or a column, send a stream to all PEs of it one after another, from
-- the lowest to the highest. Streams go up on one color and down on another.
--
--   turns.configure(layout, turns.row, colors)         -- { up =, down = }; or turns.column
--   local part = turns.attach(pe, { place = "first", "inner", "last" or "alone", words =, colors =,
--       index = variable, from 0 on, input_queues = { up =, down = }, output_queues =,
--       payloads = turns.payloads(layout) })
--   part:receive(to, turn, options)                    -- in each turn, by all PEs
--   part:send(from)                                    -- then, in the turn of the PE
--
-- Up: at first a router passes on what comes from below. A control wavelet behind a stream
-- turns the sender's switch, which changes nothing, and that of the next PE above, which then
-- sends. Senders get their own stream back. Down: at first a router takes what its PE sends. Two
-- control wavelets behind the stream turn its own switch twice: to pass on and take, and to what
-- comes from above. After the last turn switches stay as they are, so a launch has one round.

local NO_TASK = 31                      -- of a control wavelet
local CONTROLS = { up = 1, down = 2 }   -- of them behind a stream

local turns = {
    row = { low = "WEST", high = "EAST", is_row = true },
    column = { low = "NORTH", high = "SOUTH" },
}

local Part = {}
Part.__index = Part

local function extent_of(layout, axis)
    return axis.is_row and layout.columns or layout.rows
end

-- All PEs with indices first to last.
local function tiles_of(layout, axis, first, last)
    if axis.is_row then
        return { first, 0, last, layout.rows - 1 }
    end
    return { 0, first, layout.columns - 1, last }
end

function turns.configure(layout, axis, colors)
    local ending = extent_of(layout, axis) - 1
    local function up(first, last)
        layout:set_color_config(tiles_of(layout, axis, first, last), colors.up, {
            routes = { rx = axis.low, tx = first == ending and { "RAMP" } or { axis.high, "RAMP" } },
            switches = {
                pos1 = { rx = "RAMP" }, pos2 = { rx = "RAMP" }, current_switch_pos = first == 0 and 1 or 0, pop_mode = "pop_on_advance",
            },
            names = { "Passes", "Sends", "Rests" },
        })
    end
    if ending == 0 then
        layout:set_color_config(tiles_of(layout, axis, 0, 0), colors.up, { routes = { rx = "RAMP", tx = "RAMP" } })
        return
    end
    up(0, 0)
    up(1, ending - 1)
    up(ending, ending)
    layout:set_color_config(tiles_of(layout, axis, 0, 0), colors.down, { routes = { rx = axis.high, tx = "RAMP" } })
    layout:set_color_config(tiles_of(layout, axis, 1, ending), colors.down, {
        routes = { rx = "RAMP", tx = axis.low },
        switches = { pos1 = { tx = { axis.low, "RAMP" } }, pos2 = { rx = axis.high }, pop_mode = "pop_on_advance" },
        names = { "Sends", "Turns", "Passes" },
    })
end

-- turns.payloads(layout): control wavelets. A router removes a command that turns its switch; the
-- last one, which does nothing, goes on to the end of the line.
function turns.payloads(layout)
    local function payload(commands)
        return layout:encode_payload { commands = commands, ce_filter = true, task = NO_TASK }
    end
    return { up = payload { "SWITCH_ADV", "SWITCH_ADV", "NOP" }, down = payload { "SWITCH_ADV", "NOP" } }
end

-- turns.place(at, count): what PE `at` of a line is.
function turns.place(at, count)
    return count == 1 and "alone" or at == 0 and "first" or at == count - 1 and "last" or "inner"
end

function turns.attach(pe, settings)
    local part = setmetatable({ pe = pe, to = {}, from = {}, turn = {}, index = settings.index, payloads = settings.payloads }, Part)
    local is_first = settings.place == "first" or settings.place == "alone"
    local is_last = settings.place == "last" or settings.place == "alone"
    local function declare(way, is_sent, is_received)
        local color, out = settings.colors[way], settings.output_queues[way]
        if is_received then
            part.from[way] = pe:fabin_dsd { color = color, input_queue = settings.input_queues[way], extent = settings.words }
        end
        if is_sent then
            part.to[way] = pe:fabout_dsd { color = color, output_queue = out, extent = settings.words }
            part.turn[way] = not is_last and pe:fabout_dsd { color = color, output_queue = out, extent = 1, control = true } or nil
        end
    end
    declare("up", true, true)
    declare("down", not is_first, not is_last)
    return part
end

-- Emits the turn of this PE. It lasts until all is sent; a PE that went on to work would hold
-- its own stream up. Receives of the turn are emitted before.
function Part:send(from)
    local pe = self.pe
    for _, way in ipairs { "up", "down" } do
        if self.to[way] then
            pe:fmovs(self.to[way], from)
        end
        for _ = 1, self.turn[way] and CONTROLS[way] or 0 do
            pe:mov32(self.turn[way], pe:word(self.payloads[way]))
        end
    end
end

function Part:receive(to, turn, options)
    local pe = self.pe
    local function take(way)
        return function() pe:fmovs(to, self.from[way], options) end
    end
    if self.from.down then
        pe:when(turn, "<=", self.index, take("up"), take("down"))
    else
        take("up")()
    end
end

return turns
