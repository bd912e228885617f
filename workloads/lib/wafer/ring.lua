-- All-to-all along a line of n PEs, a row or a column: complex number j of each PE goes to PE j.
-- PEs count as in a ring that is folded onto the line: from 0 on over the even places, then back
-- over the odd ones, so that neighbours are at most two places apart.
--
-- Numbers travel both ways around the ring, each the shorter way. In a step a PE sends what it got
-- in the step before, less the number for itself, and gets as much: all PEs send equally many words
-- at once. These pass through memory. Operations from fabric to fabric would wait for each other in
-- a circle.
--
--   local plan = ring.plan(layout, ring.row, n, colors)    -- ring.color_count colors; or ring.column
--   plan:configure(layout)
--   local part = plan:attach(pe, { name = prefix, place =, number = variable, from =, to =,
--       passed = { { array, array }, { array, array } } of n words each,
--       input_queues = { two }, output_queues = { two }, task = one of its own, done = task })
--   part:exchange()                                        -- at the end of a task
--
-- `from` is an array of 4 n words, real parts twice and then imaginary parts twice, since the
-- numbers that go one way may begin anywhere. `to` has n real parts, then n imaginary parts.

local PARTS = 2                 -- words of a complex number
local WAYS = 2                  -- around the ring
local KINDS = 4                 -- colors of a way: even and odd places, every other one of these

local ring = {
    row = { low = "WEST", high = "EAST", is_row = true },
    column = { low = "NORTH", high = "SOUTH" },
    color_count = WAYS * KINDS,
}

-- ring.number(place, count), ring.place(number, count): of the PEs of a line, an even count.
function ring.number(place, count)
    return place % 2 == 0 and place // 2 or count - (place + 1) // 2
end

function ring.place(number, count)
    return number < count // 2 and 2 * number or 2 * (count - number) - 1
end

local Plan, Part = {}, {}
Plan.__index, Part.__index = Plan, Part

-- In a slice of the layout PEs do what those of a line of n PEs do, since all of them do the same.
function ring.plan(layout, axis, n, colors)
    return setmetatable({ axis = axis, colors = colors, n = n, count = axis.is_row and layout.columns or layout.rows }, Plan)
end

-- The place that is `by` numbers further.
function Plan:neighbour(place, by)
    return ring.place((ring.number(place, self.count) + by) % self.count, self.count)
end

-- The color on which a PE sends: way 1 is up in numbers, way 2 down.
function Plan:color(place, way)
    return self.colors[(way - 1) * KINDS + place % 2 * 2 + place // 2 % 2 + 1]
end

function Plan:tiles(layout, place)
    if self.axis.is_row then
        return { place, 0, place, layout.rows - 1 }
    end
    return { 0, place, layout.columns - 1, place }
end

local function steps_of(way)
    return way == 1 and 1 or -1
end

function Plan:configure(layout)
    for way = 1, self.count > 2 and WAYS or 1 do
        for place = 0, self.count - 1 do
            local to = self:neighbour(place, steps_of(way))
            local is_rising, color = to > place, self:color(place, way)
            local ahead, back = is_rising and self.axis.high or self.axis.low, is_rising and self.axis.low or self.axis.high
            layout:set_color_config(self:tiles(layout, place), color, { routes = { rx = "RAMP", tx = ahead } })
            if math.abs(to - place) == 2 then
                layout:set_color_config(self:tiles(layout, (place + to) // 2), color, { routes = { rx = back, tx = ahead } })
            end
            layout:set_color_config(self:tiles(layout, to), color, { routes = { rx = back, tx = "RAMP" } })
        end
    end
end

-- PEs with equal keys have the same program.
function Plan:key(place)
    local ends = place < 2 and "first" or place >= self.count - 2 and "last" or ""
    return ("%s %d"):format(ends, place % 4)
end

function Plan:attach(pe, settings)
    local part = setmetatable({ pe = pe, plan = self, half = self.n // 2 }, Part)
    for name, value in pairs(settings) do
        part[name] = value
    end
    part.cells = { pe:variable { name = settings.name .. "_up", value = 0 }, pe:variable { name = settings.name .. "_down", value = 0 } }
    part.next = pe:variable { name = settings.name .. "_next", value = 0 }
    part:declare_steps()
    return part
end

-- Numbers that a PE gets in a step, on a way.
function Part:count(way, step)
    return way == 1 and self.half - step + 1 or self.half - step
end

function Part:into(way, numbers)
    return self.pe:fabin_dsd { color = self.plan:color(self.plan:neighbour(self.place, -steps_of(way)), way),
        input_queue = self.input_queues[way], extent = numbers * PARTS }
end

function Part:out(way, numbers)
    return self.pe:fabout_dsd { color = self.plan:color(self.place, way), output_queue = self.output_queues[way], extent = numbers * PARTS }
end

-- What is sent in a step: in the first the PE's own numbers, the nearest PE's first.
function Part:source(way, step, numbers)
    local n = self.plan.n
    if step > 1 then
        return self.pe:mem1d_dsd { base = self.passed[way][step % 2 + 1], extent = numbers * PARTS }
    end
    return self.pe:mem4d_dsd { base = self.from, extents = { numbers, PARTS }, strides = { steps_of(way), 2 * n },
        offset = way == 1 and 1 or n - 1, increment = self.number }
end

-- Where the next number that comes belongs.
function Part:advance(way)
    local pe, cell, last = self.pe, self.cells[way], self.plan.n - 1
    pe:add(cell, -steps_of(way))
    if way == 1 then
        pe:when(cell, "<", 0, function() pe:assign(cell, last) end)
    else
        pe:when(cell, ">", last, function() pe:assign(cell, 0) end)
    end
end

function Part:cell(way)
    return self.pe:mem1d_dsd { base = self.to, extent = PARTS, stride = self.plan.n, increment = self.cells[way] }
end

-- Emits what comes in a step: the number for this PE, and those to pass on.
function Part:take(way, step)
    local pe, others = self.pe, self:count(way, step) - 1
    pe:fmovs(self:cell(way), self:into(way, 1))
    if others > 0 then
        pe:fmovs(pe:mem1d_dsd { base = self.passed[way][(step + 1) % 2 + 1], extent = others * PARTS }, self:into(way, others))
    end
end

function Part:send(way, step, options)
    local numbers = self:count(way, step)
    self.pe:fmovs(self:out(way, numbers), self:source(way, step, numbers), options)
end

-- Emits a step. It is over when the task is, which takes what comes, and both operations that
-- send: one activates the task for the next step, the other one unblocks it.
function Part:emit_step(step)
    local pe, task = self.pe, self.task
    pe:phase("transpose")
    if self:count(2, step) > 0 then
        pe:block(task)
        self:send(2, step, { async = true, unblock = task })
    end
    self:send(1, step, { async = true, activate = task })
    for way = 1, WAYS do
        if self:count(way, step) > 0 then
            self:advance(way)
            self:take(way, step)
        end
    end
    pe:phase("")
end

-- A function for each step, because each has lengths of its own: a CSL program would set lengths
-- of descriptors, which grain=stream does not know. The task calls the one that is next.
function Part:declare_steps()
    local pe = self.pe
    local after = pe:fn_pointer(pe:fn(self.name .. "_over", function() pe:activate(self.done) end))
    for step = self.half, 1, -1 do
        local following = after
        after = pe:fn_pointer(pe:fn(("%s_step%d"):format(self.name, step), function()
            pe:assign(self.next, following)
            self:emit_step(step)
        end))
    end
    self.first = after
    pe:bind_local_task(self.task, self.name .. "_step", function() pe:call_pointer(self.next) end)
end

-- Emits the start of the exchange. When it is over for this PE, `done` is activated.
function Part:exchange()
    local pe, number = self.pe, self.number
    pe:fmovs(pe:mem1d_dsd { base = self.to, extent = PARTS, stride = self.plan.n, increment = number },
        pe:mem1d_dsd { base = self.from, extent = PARTS, stride = 2 * self.plan.n, increment = number })
    for way = 1, WAYS do
        pe:assign(self.cells[way], number)
    end
    pe:assign(self.next, self.first)
    pe:activate(self.task)
end

return ring
