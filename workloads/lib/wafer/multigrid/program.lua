-- The program of a PE in multigrid on a wafer. A PE has a column of cells of each level that it is on
-- (wafer/multigrid/levels.lua). A step that needs the neighbours' columns starts an exchange and notes
-- the function that goes on after it. Functions are made from the last step to the first, so that
-- each knows the next: a step takes an emitter of what follows it and returns its own.
--
-- Sums are in this order: f, down, up, minus 6 times the cell, west, east, north, south. The first
-- four are made during the exchange.
--
-- Restriction adds along z, then along x, then along y. Columns (even, even) send to (odd, even);
-- these, and (even, odd), to the columns (odd, odd) of the next level. Prolongation goes the same
-- ways back. What a PE gets beside that, because streams go to all four sides, it drops.

local levels = require("wafer/multigrid/levels")

local LINE = 16                         -- bytes to which arrays are aligned
local WORD = 4
local VARIABLES = 8                     -- words for variables, and the sum of squares
local DIAGONAL, HALF, RESTRICTION = 6, 0.5, 1 / 16
local ALL = { west = true, east = true, north = true, south = true }
local ROW, COLUMN = { west = true, east = true }, { north = true, south = true }
local EVEN, ODD = 0, 1

local KINDS = {
    fp32 = { type = "f32", bytes = 4, format = "fp32", move = "fmovs", add = "fadds", scale = "fmuls", fuse = "fmacs", dot = "fmacs" },
    mixed = { type = "f16", bytes = 2, format = "fp16", move = "fmovh", add = "faddh", scale = "fmulh", fuse = "fmach", dot = "fmachs" },
}

local program = { kinds = KINDS }

-- Numbers before cell 0 of an array: solutions begin 4 bytes after a line, so that most pairs that are
-- read together lie in different banks.
local function lead_of(kind)
    return 4 // kind.bytes
end

local function rounded(count, kind)
    local line = LINE // kind.bytes
    return (count + line - 1) // line * line
end

-- program.spot(kind, "u" or "f"): the position of cell 0 in the arrays u0, f0, ... of the levels.
function program.spot(kind)
    return lead_of(kind)
end

-- program.bytes(dtype, sizes, cycles, coarse): memory that a PE of all levels needs.
function program.bytes(dtype, sizes, cycles, coarse)
    local kind, numbers = KINDS[dtype], 0
    for _, size in ipairs(sizes) do
        numbers = numbers + 2 * rounded(lead_of(kind) + size.nz + 1, kind)
    end
    numbers = numbers + rounded(sizes[1].nz, kind) + 2 * rounded(lead_of(kind) + sizes[1].nz // 2 + 1, kind) + rounded(coarse, kind)
    return numbers * kind.bytes + (cycles + 1 + VARIABLES) * WORD + levels.bytes(sizes[1].nz, kind.type)
end

local Pe = {}
Pe.__index = Pe

-- Cells of a vector: all, or every second from `parity` on; `shift` layers further.
function Pe:of(vector, shift, parity)
    local count = vector.count
    if not parity then
        return self.pe:mem1d_dsd { base = vector.array, extent = count, offset = vector.first + (shift or 0) }
    end
    return self.pe:mem1d_dsd {
        base = vector.array, extent = (count - parity + 1) // 2, stride = 2, offset = vector.first + (shift or 0) + parity,
    }
end

local function vector(pe, kind, name, count)
    local first = lead_of(kind)
    return { array = pe:array { name = name, type = kind.type, count = first + count + 1, align = LINE }, first = first, count = count }
end

-- A vector with the first `count` cells of an array.
local function first_of(whole, count)
    return { array = whole.array, first = whole.first, count = count }
end

function Pe:zone(name)
    self.pe:zone(name)
end

function Pe:add(to, a, b)
    self.pe[self.kind.add](self.pe, to, a, b)
end

function Pe:fuse(to, a, b, factor)
    self.pe[self.kind.fuse](self.pe, to, a, b, factor)
end

function Pe:scale(to, a, factor)
    self.pe[self.kind.scale](self.pe, to, a, factor)
end

-- An emitter of an exchange and what follows; during it the PE does what meanwhile() emits.
function Pe:exchange(cell, it, meanwhile, after)
    local pe, exchange = self.pe, self.columns
    local stage = pe:fn(("stage%d"):format(self.stages), after)
    self.stages = self.stages + 1
    return function()
        pe:assign(exchange.stage, pe:fn_pointer(stage))
        local is_started = exchange:start(cell, it)
        meanwhile()
        if not is_started then
            pe:call(stage)
        end
    end
end

local function nothing() end

-- to = to + the columns of all sides.
function Pe:add_sides(cell, to, count)
    for i, side in ipairs(levels.sides) do
        if cell.has[side.name] then
            self:add(to, to, self.columns:received(i, count))
        end
    end
end

-- f + down + up, of cells of a parity or of all.
function Pe:add_column(cell, to, parity)
    local u, f = self.u[cell.level], self.f[cell.level]
    self:add(to, self:of(f, 0, parity), self:of(u, -1, parity))
    self:add(to, to, self:of(u, 1, parity))
end

function Pe:residual_of(cell)
    return self:of(first_of(self.r, cell.size.nz))
end

-- During an exchange of u: the part of the residual that needs no other column.
function Pe:own_residual(cell)
    local r = self:residual_of(cell)
    self:add_column(cell, r)
    self:fuse(r, r, self:of(self.u[cell.level]), -DIAGONAL)
end

-- r = f - A u, then `after`.
function Pe:residual(cell, zone, after)
    local count = cell.size.nz
    local source = self:of(self.u[cell.level])
    local exchange = self:exchange(cell, { source = source, sent = count, count = count, from = ALL }, function() self:own_residual(cell) end,
        function()
            self:add_sides(cell, self:residual_of(cell), count)
            after()
        end)
    return function()
        self:zone(zone)
        exchange()
    end
end

-- u = u + weight r
function Pe:correct(cell, weight)
    local u = self:of(self.u[cell.level])
    self:fuse(u, u, self:residual_of(cell), weight)
end

-- Sweeps with weights; the first of a solution that is 0 needs no exchange.
function Pe:sweeps(cell, weights, is_zero, after)
    for i = #weights, 1, -1 do
        local rest = after
        if i == 1 and is_zero then
            after = function()
                self:zone("smooth" .. cell.level)
                self:scale(self:of(self.u[cell.level]), self:of(self.f[cell.level]), weights[1])
                rest()
            end
        else
            after = self:residual(cell, "smooth" .. cell.level, function()
                self:correct(cell, weights[i])
                rest()
            end)
        end
    end
    return after
end

-- Half a sweep: the cells with (i + j + k) % 2 == color. Their neighbours are of the other color.
function Pe:half_sweep(cell, color, after)
    local u, parity = self.u[cell.level], (cell.i + cell.j + color) % 2
    local sum = self:of(first_of(self.r, (cell.size.nz - parity + 1) // 2))
    local count, sent = (cell.size.nz - parity + 1) // 2, (cell.size.nz - (1 - parity) + 1) // 2
    local exchange = self:exchange(cell, { source = self:of(u, 0, 1 - parity), sent = sent, count = count, from = ALL },
        function() self:add_column(cell, sum, parity) end,
        function()
            self:add_sides(cell, sum, count)
            self:scale(self:of(u, 0, parity), sum, 1 / DIAGONAL)
            after()
        end)
    return function()
        self:zone("smooth" .. cell.level)
        exchange()
    end
end

function Pe:color_sweeps(cell, count, first, after)
    for _ = 1, count do
        after = self:half_sweep(cell, 1 - first, after)
        after = self:half_sweep(cell, first, after)
    end
    return after
end

-- All sweeps before or after the coarser levels.
function Pe:smooth(cell, weights, is_before, after)
    local is_zero = is_before and cell.level > 0
    if not self.is_red_black and #weights > 0 then
        return self:sweeps(cell, weights, is_zero, after)
    end
    after = self:color_sweeps(cell, #weights, is_before and 0 or 1, after)
    if not is_zero then
        return after
    end
    return function()
        self.pe[self.kind.move](self.pe, self:of(self.u[cell.level]), 0)
        after()
    end
end

-- The coarsest level: sweeps in a loop, with weights from memory.
function Pe:solve(cell, weights, after)
    local pe, count = self.pe, cell.size.nz
    local source = self:of(self.u[cell.level])
    local it = { source = source, sent = count, count = count, from = ALL }
    local is_lonely = not (cell.has.west or cell.has.east or cell.has.north or cell.has.south)
    if is_lonely then
        return function()
            local is_zero = cell.level > 0
            self:zone("coarse")
            if is_zero then
                self:scale(source, self:of(self.f[cell.level]), weights[1])
            end
            for i = is_zero and 2 or 1, #weights do
                self:own_residual(cell)
                self:correct(cell, weights[i])
            end
            after()
        end
    end
    local number, table_of = pe:variable { name = "number", value = 0 }, pe:array { name = "weights", type = self.kind.type, count = #weights, values = weights }
    local function again()
        self.columns:start(cell, it)
        self:own_residual(cell)
    end
    local stage = pe:fn("sweep", function()
        self:add_sides(cell, self:residual_of(cell), count)
        self:correct(cell, pe:load(table_of, number))
        pe:add(number, 1)
        pe:when(number, "<", #weights, again, after)
    end)
    return function()
        self:zone("coarse")
        pe:assign(number, 1)
        pe:assign(self.columns.stage, pe:fn_pointer(stage))
        if cell.level > 0 then
            self:scale(source, self:of(self.f[cell.level]), weights[1])
            if #weights == 1 then
                after()
            else
                again()
            end
        else
            pe:assign(number, 0)
            again()
        end
    end
end

-- Along z, from r to t: 1, 2, 1.
function Pe:restrict_column(cell)
    local r, count = first_of(self.r, cell.size.nz), cell.size.nz // 2
    local t = self:of(first_of(self.t, count))
    local function every_second(offset)
        return self.pe:mem1d_dsd { base = r.array, extent = count, stride = 2, offset = r.first + offset }
    end
    self:add(t, every_second(0), every_second(2))
    self:fuse(t, t, every_second(1), 2)
end

-- to = one side + the opposite one + 2 from.
function Pe:weigh(to, from, side, count)
    self:add(to, self.columns:received(side, count), self.columns:received(side + 1, count))
    self:fuse(to, to, from, 2)
end

local WEST, NORTH = 1, 3

function Pe:restrict(cell, after)
    local count = cell.size.nz // 2
    local t = self:of(first_of(self.t, count))
    local place = { cell.i % 2, cell.j % 2 }
    local function exchange(sends, from, f)
        return self:exchange(cell, { source = sends and t, sent = sends and count, count = count, from = from }, nothing, f)
    end
    local begin
    if place[1] == EVEN and place[2] == EVEN then
        begin = exchange(true, {}, exchange(false, ALL, after))
    elseif place[1] == ODD and place[2] == EVEN then
        local send = exchange(true, {}, after)
        begin = exchange(false, ROW, function()
            local s = self:of(first_of(self.s, count))
            self:weigh(s, t, WEST, count)
            self.pe[self.kind.move](self.pe, t, s)
            send()
        end)
    elseif place[1] == EVEN then
        begin = exchange(false, COLUMN, exchange(true, {}, after))
    else
        begin = exchange(false, ALL, function()
            local s, f = self:of(first_of(self.s, count)), self:of(self.f[cell.level + 1])
            self:weigh(s, t, WEST, count)
            self:weigh(f, s, NORTH, count)
            self:scale(f, f, RESTRICTION)
            after()
        end)
    end
    return function()
        self:zone("restrict" .. cell.level)
        self:restrict_column(cell)
        begin()
    end
end

-- u = u + the correction c of this column, which has the coarse layers.
function Pe:interpolate(cell, c)
    local u = self.u[cell.level]
    local odd = self:of(u, 0, ODD)
    local function even(from)
        return self.pe:mem1d_dsd { base = u.array, extent = c.count, stride = 2, offset = u.first + 2 * from }
    end
    self:add(odd, odd, self:of(c))
    self:fuse(even(1), even(1), self:of(c), HALF)
    self:fuse(even(0), even(0), self:of(c), HALF)
end

-- c = the mean of two sides, 0 where there is none.
function Pe:average(cell, c, side, count)
    local first, second = levels.sides[side].name, levels.sides[side + 1].name
    local a, b = self.columns:received(side, count), self.columns:received(side + 1, count)
    if cell.has[first] and cell.has[second] then
        self:add(c, a, b)
        self:scale(c, c, HALF)
    else
        self:scale(c, cell.has[first] and a or b, HALF)
    end
end

-- PEs that are not on the next level wait for it here.
function Pe:prolong(cell, after)
    local count = cell.size.nz // 2
    local c = first_of(self.s, count)
    local place = { cell.i % 2, cell.j % 2 }
    local function exchange(source, from, f)
        return self:exchange(cell, { source = source and self:of(source), sent = source and count, count = count, from = from }, nothing, f)
    end
    local function finish(of)
        return function()
            self:interpolate(cell, of)
            after()
        end
    end
    local begin
    if place[1] == EVEN then
        begin = exchange(nil, ROW, function()
            self:zone("prolong" .. cell.level)
            self:average(cell, self:of(c), WEST, count)
            finish(c)()
        end)
    elseif place[1] == ODD and place[2] == EVEN then
        local send = exchange(c, {}, finish(c))
        begin = exchange(nil, COLUMN, function()
            self:zone("prolong" .. cell.level)
            self:average(cell, self:of(c), NORTH, count)
            send()
        end)
    else
        local coarse = self.u[cell.level + 1]
        begin = exchange(coarse, COLUMN, finish(coarse))
    end
    return function()
        self:zone((cell.is_coarse and "prolong" or "wait") .. cell.level)
        begin()
    end
end

-- Steps of a level and of all coarser ones.
function Pe:cycle(cells, index, after)
    local cell, plan = cells[index], self.plan
    if cell.level == #plan.sizes - 1 then
        return self:solve(cell, plan.coarsest, after)
    end
    after = self:smooth(cell, plan.after, false, after)
    after = self:prolong(cell, after)
    if cell.is_coarse then
        after = self:cycle(cells, index + 1, after)
    end
    after = self:restrict(cell, after)
    after = self:residual(cell, "residual" .. cell.level, after)
    return self:smooth(cell, plan.before, true, after)
end

-- The PE's part of the square of the residual's norm, into the history.
function Pe:keep_norm()
    local pe, r = self.pe, self:residual_of(self.finest)
    pe:scalar_op("mov", self.square, self.zero)
    pe[self.kind.dot](pe, self.each_square, self.each_square, r, r)
    pe:fmovs(self.history_now, self.one_square)
end

-- program.emit(pe, settings, cells): settings has kind, plan, cycles, colors, tasks (begin and
-- levels.tasks more), is_red_black.
function program.emit(pe, settings, cells)
    local kind, plan = settings.kind, settings.plan
    local self = setmetatable({
        pe = pe, kind = kind, plan = plan, u = {}, f = {}, stages = 0, finest = cells[1],
        is_red_black = settings.is_red_black,
    }, Pe)
    local layers = plan.sizes[1].nz
    for _, cell in ipairs(cells) do
        self.u[cell.level] = vector(pe, kind, "u" .. cell.level, cell.size.nz)
        self.f[cell.level] = vector(pe, kind, "f" .. cell.level, cell.size.nz)
    end
    self.r = { array = pe:array { name = "r", type = kind.type, count = layers, align = LINE }, first = 0, count = layers }
    self.t, self.s = vector(pe, kind, "t", layers // 2), vector(pe, kind, "s", layers // 2)
    self.square, self.zero = pe:scalar { name = "square", type = "f32", value = 0 }, pe:scalar { name = "zero", type = "f32", value = 0 }
    self.one_square = pe:mem1d_dsd { base = self.square, extent = 1 }
    self.each_square = pe:mem1d_dsd { base = self.square, extent = layers, stride = 0 }
    local done = pe:variable { name = "done", value = 0 }
    local squares = pe:array { name = "squares", type = "f32", count = settings.cycles + 1 }
    self.history_now = pe:mem1d_dsd { base = squares, extent = 1, increment = done }
    self.columns = levels.attach(pe, { colors = settings.colors, count = layers, type = kind.type, tasks = settings.tasks })

    local next_cycle = #settings.tasks
    local cycle = self:cycle(cells, 1, function() pe:activate(settings.tasks[next_cycle]) end)
    pe:bind_local_task(settings.tasks[next_cycle - 1], "cycle", cycle)
    local norm = self:residual(cells[1], "norm", function()
        self:keep_norm()
        pe:iteration_done()
        self:zone("")
        pe:when(done, "<", settings.cycles, function()
            pe:add(done, 1)
            pe:activate(settings.tasks[next_cycle - 1])
        end)
    end)
    pe:bind_local_task(settings.tasks[next_cycle], "norm", norm)
    self.columns:bind()
    pe:activate(settings.tasks[next_cycle])
end

return program
