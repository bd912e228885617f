-- A PE of a Krylov solver: its vectors, words and scalars, and the operations from which a
-- method (wafer/pcg.lua, wafer/bicgstab.lua) makes its program. wafer/solver.lua explains their
-- purpose.

local LINE = 16                     -- bytes to which arrays are aligned
local SIDES = { "west", "east", "north", "south" }

local KINDS = {
    fp32 = { type = "f32", bytes = 4, format = "fp32", move = "fmovs", add = "fadds", scale = "fmuls", fuse = "fmacs", dot = "fmacs" },
    mixed = { type = "f16", bytes = 2, format = "fp16", move = "fmovh", add = "faddh", scale = "fmulh", fuse = "fmach", dot = "fmachs" },
}

local machine = { kinds = KINDS, line = LINE }

-- Vectors that share an array: numbers before the first vector's cell 0, and from one vector to
-- the next. Cell 0 lies `place` bytes after a line, so vectors that are read together lie in
-- different banks. Ghosts are a 0 before and after the cells.
local function shape(settings, spec)
    local bytes, ghosts = KINDS[settings.dtype].bytes, spec.has_ghosts and 1 or 0
    local line = LINE // bytes
    local lead = spec.place // bytes
    assert(lead >= ghosts, "place: no room for the ghost")
    return lead, (lead + settings.layers + ghosts + line - 1) // line * line
end

-- machine.spot(settings, method, "x"): the array of the vector, and the position of its cell 0.
function machine.spot(settings, method, name)
    for _, spec in ipairs(method.vectors) do
        local lead, pitch = shape(settings, spec)
        for i, each in ipairs(spec.names) do
            if each == name then
                return spec.names[1], lead + (i - 1) * pitch
            end
        end
    end
end

-- machine.ghost(side): the array of r beyond an edge, "west" or "east".
function machine.ghost(side)
    return "ghost_" .. side
end

local Machine = {}
Machine.__index = Machine

local function declare_vectors(m, spec)
    local pe, settings = m.pe, m.settings
    local lead, pitch = shape(settings, spec)
    local array = pe:array { name = spec.names[1], type = m.kind.type, count = #spec.names * pitch, align = LINE }
    local function cells(offset, increment)
        return pe:mem1d_dsd { base = array, extent = settings.layers, offset = offset, increment = increment }
    end
    for i, name in ipairs(spec.names) do
        local first = lead + (i - 1) * pitch
        m[name] = {
            cells = cells(first), offset = (i - 1) * pitch,
            piece = function(from, extent, increment)
                return pe:mem1d_dsd { base = array, extent = extent, offset = first + from, increment = increment }
            end,
        }
        if spec.has_ghosts then
            m[name].down, m[name].up = cells(first - 1), cells(first + 1)
        end
    end
    if spec.has_ghosts then
        m.source_at = #spec.names > 1 and pe:variable { name = "source_at", value = 0 } or nil
        m.source = cells(lead, m.source_at)
    end
end

-- Memory and descriptors of a PE; the parts come later. iterations: the most that it will make;
-- has_data: it may stop earlier.
function machine.declare(pe, settings, method, iterations, has_data)
    local m = setmetatable({
        pe = pe, settings = settings, kind = KINDS[settings.dtype], iterations = iterations,
        summed = { stages = {} }, exchanged = { stages = {} }, ghosts = {},
    }, Machine)
    for _, spec in ipairs(method.vectors) do
        declare_vectors(m, spec)
    end
    m.value = pe:array { name = "value", type = "f32", count = method.words }
    m.words = {}
    for i = 1, method.words do
        m.words[i] = {
            one = pe:mem1d_dsd { base = m.value, extent = 1, offset = i - 1 },
            each = pe:mem1d_dsd { base = m.value, extent = settings.layers, stride = 0, offset = i - 1 },
        }
    end
    m.done = pe:variable { name = "done", value = 0 }
    m.summed.stage = pe:variable { name = "summed", value = 0 }
    m.exchanged.stage = pe:variable { name = "exchanged", value = 0 }
    m.history = pe:array { name = "history", type = "f32", count = iterations + 1 }
    m.history_now = pe:mem1d_dsd { base = m.history, extent = 1, increment = m.done }
    m.zero = m:scalar("zero", 0)
    m.limit = has_data and settings.tolerance > 0 and m:scalar("limit", settings.tolerance ^ 2) or nil
    return m
end

-- The columns of r and of the direction beyond the edges, on other wafers, that the PE (x, y)
-- has.
function machine.declare_ghosts(m, beyond, columns, x)
    local pe, layers = m.pe, m.settings.layers
    for side, edge in pairs { west = 0, east = columns - 1 } do
        if beyond[side] and x == edge then
            local array = pe:array { name = machine.ghost(side), type = m.kind.type, count = layers, align = LINE }
            m.ghosts[#m.ghosts + 1] = {
                r = { cells = pe:mem1d_dsd { base = array, extent = layers } },
                p = { cells = m.halo.received[side] },
            }
        end
    end
end

-- A number in f32.
function Machine:scalar(name, value)
    return self.pe:scalar { name = name, type = "f32", value = value or 0 }
end

-- A number that multiplies vectors: `scalar` for arithmetic, `each` as an operand.
function Machine:factor(name)
    local pe, layers = self.pe, self.settings.layers
    local factor = { scalar = self:scalar(name) }
    local operand = factor.scalar
    if self.kind.type == "f16" then
        operand = pe:scalar { name = name .. "_f16", type = "f16", value = 0 }
        factor.from = pe:mem1d_dsd { base = factor.scalar, extent = 1 }
        factor.to = pe:mem1d_dsd { base = operand, extent = 1 }
    end
    factor.each = pe:mem1d_dsd { base = operand, extent = layers, stride = 0 }
    return factor
end

-- Stages: m:when_summed("name", emit) says how the program continues after m:sum("name").
local function add_stage(waiting, name, emit)
    waiting.stages[#waiting.stages + 1] = { name = name, emit = emit }
end

function Machine:at_start(emit)
    self.begin = emit
end

function Machine:when_summed(name, emit)
    add_stage(self.summed, name, emit)
end

function Machine:when_exchanged(name, emit)
    add_stage(self.exchanged, name, emit)
end

-- Notes the stage, if there are several.
local function note_stage(m, waiting, name)
    for i, stage in ipairs(waiting.stages) do
        if stage.name == name then
            if #waiting.stages > 1 then
                m.pe:assign(waiting.stage, i)
            end
            return
        end
    end
    error("no stage " .. name)
end

-- Starts an all-reduce of all words, or of the first `count`.
function Machine:sum(name, count)
    self.pe:zone("all_reduce")
    note_stage(self, self.summed, name)
    self.all_reduce:start(count)
end

-- In phases: sends the root's sums to all PEs, and the sums of all to the root.
function Machine:spread(name)
    self.pe:zone("all_reduce")
    note_stage(self, self.summed, name)
    self.all_reduce:start_broadcast()
end

function Machine:reduce(name)
    self.pe:zone("all_reduce")
    note_stage(self, self.summed, name)
    self.all_reduce:start_reduction()
end

-- Starts an exchange of a vector's columns with the neighbours. meanwhile(), if given, emits work
-- that needs none of them.
function Machine:exchange(name, vector, meanwhile)
    self.pe:zone("halo")
    note_stage(self, self.exchanged, name)
    if self.source_at then
        self.pe:assign(self.source_at, vector.offset)
    end
    self.halo:start()
    if meanwhile then
        meanwhile()
    end
end

-- Emits the code of the noted stage.
local function emit_stage(m, waiting, index)
    local stage = waiting.stages[index]
    if index == #waiting.stages then
        stage.emit()
    else
        m.pe:when(waiting.stage, "==", index, stage.emit, function() emit_stage(m, waiting, index + 1) end)
    end
end

-- m:emit(m.summed), m:emit(m.exchanged): the work of the task that ends a wait.
function Machine:emit(waiting)
    emit_stage(self, waiting, 1)
end

-- Vectors.

function Machine:move(to, from)
    self.pe[self.kind.move](self.pe, to.cells, from.cells)
end

-- to = a + factor * b; to = number * b.
function Machine:update(to, a, factor, b)
    self.pe[self.kind.fuse](self.pe, to.cells, a.cells, b.cells, factor.each)
end

function Machine:scale(to, number, b)
    self.pe[self.kind.scale](self.pe, to.cells, b.cells, number)
end

-- Updates a factor whose scalar has changed; `is_negative`: with the opposite sign.
function Machine:set_factor(factor, is_negative)
    if is_negative then
        self.pe:scalar_op("neg", factor.scalar, factor.scalar)
    end
    if factor.from then
        self.pe:fs2h(factor.to, factor.from)
    end
end

-- The PE's own part of a dot product, into a word (from 1 on) of the next sum.
function Machine:dot(word, a, b)
    local pe, sum = self.pe, self.words[word]
    pe:zone("dot")
    if word == 1 then
        pe:scalar_op("mov", self.value, self.zero)
    else
        pe:fmovs(sum.one, 0)
    end
    pe[self.kind.dot](pe, sum.each, sum.each, a.cells, b.cells)
end

-- to = the neighbours' sum minus 6 times the cell: those of the PE's own column, and, after an
-- exchange of `from`, the others. A method with a vector "diagonal" has the number to multiply
-- by, -6 or another, for each cell.
function Machine:own_laplacian(to, from)
    self.pe[self.kind.add](self.pe, to.cells, from.down, from.up)
end

function Machine:add_laplacian(to, from)
    local pe, add = self.pe, self.kind.add
    pe:zone("product")
    for _, side in ipairs(SIDES) do
        if self.halo.received[side] then
            pe[add](pe, to.cells, to.cells, self.halo.received[side])
        end
    end
    pe[self.kind.fuse](pe, to.cells, to.cells, from.cells, self.diagonal and self.diagonal.cells or -6)
end

-- to = the cell and its neighbours times coefficients: those of the PE's own column, and, after an
-- exchange of `from`, the others. Where they are multiplied as they come (wafer/products.lua), they
-- are added here.
function Machine:own_product(to, from, coefficients)
    local pe, fuse = self.pe, self.kind.fuse
    pe[fuse](pe, to.cells, from.cells, from.down, coefficients[1])
    pe[fuse](pe, to.cells, to.cells, from.up, coefficients[2])
    if self.halo.add then
        pe:zone("product")
        self.halo:add(to.piece)
    end
end

function Machine:add_product(to, coefficients)
    local pe, fuse = self.pe, self.kind.fuse
    pe:zone("product")
    for i, side in ipairs(SIDES) do
        if self.halo.received[side] then
            pe[fuse](pe, to.cells, to.cells, self.halo.received[side], coefficients[2 + i])
        end
    end
end

-- Iterations.

-- Keeps the square of the residual's norm, which is a word of the last sum.
function Machine:keep(word)
    if self.settings.has_norms then
        self.pe:fmovs(self.history_now, self.words[word].one)
    end
end

-- Continues, unless all iterations are done or the square is small enough.
function Machine:unless_done(square, go_on)
    local pe = self.pe
    pe:when(self.done, "<", self.iterations, function()
        if self.limit then
            pe:when_scalar(square, ">", self.limit, go_on)
        else
            go_on()
        end
    end)
end

function Machine:end_iteration(word, square, go_on)
    self.pe:add(self.done, 1)
    self:keep(word)
    self.pe:iteration_done()
    self.pe:zone("")
    self:unless_done(square, go_on)
end

return machine
