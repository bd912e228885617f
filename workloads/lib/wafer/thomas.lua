-- A tridiagonal system in the memory of a PE, solved upwards and then downwards, as a part of a
-- program for wafers.
--
--   local solver = thomas.declare(pe, { kind =, layers =, system = array, first =, pitch =, out = array })
--   solver:emit()                          -- in a task
--
-- Rows of the system are `pitch` numbers apart, with level 0 of each at `first` and a finite
-- number before it. Row 0 is a, the entries below the diagonal, for levels 0 to `layers`, with
-- a(0) and a(layers) 0; row 1 is the diagonal b; row 2 is the right side d. Above the diagonal
-- is -a(k + 1). Rows 1 and 2 are overwritten. In rounded operations
--   v = 1 / (b(k) + n(k - 1) a(k)), n(k) = a(k + 1) v, d(k) = (d(k) - d(k - 1) a(k)) v
--   out(k) = d(k) + n(k) out(k + 1).
--
-- f32: vector operations have a start of their own, scalar ones do not. So BLOCK levels are
-- moved to a place where scalar code finds them, and its results are moved back.
-- f16: there are no scalar operations. A level is three operations on pairs, one number for the
-- system's side and one for the right one, with the quotient between them, in f32: rounded to
-- f32 and then to f16, it is the same as rounded once. There are five rows: 3, the entries
-- above the diagonal, which the caller gives; 4 and 5 belong to the solver. Signs are those of
-- textbooks: n is ccol, and is subtracted.

local WORD = 4                          -- bytes of a scalar
local BLOCK = 8                         -- levels
local SCALARS = 4
local ROWS, PAIRED_ROWS = 3, 6
local A, B, D, ABOVE, DENOMINATOR = 0, 1, 2, 3, 4
local UPWARDS, DOWNWARDS = "upwards", "downwards"      -- zones

local thomas = {}

-- Whether levels are solved by operations on pairs.
function thomas.is_paired(kind)
    return kind.type == "f16"
end

function thomas.rows(kind)
    return thomas.is_paired(kind) and PAIRED_ROWS or ROWS
end

-- thomas.bytes(kind): memory that it needs beside the system.
function thomas.bytes(kind)
    return thomas.is_paired(kind) and (SCALARS + 4) * WORD or (ROWS * (BLOCK + 1) + 3 * BLOCK + SCALARS + 4) * WORD
end

-- Scalar code in blocks.

local Scalars = {}
Scalars.__index = Scalars

-- Single numbers of an array, as scalar operations take them.
local function numbers_of(pe, base, name, first, count)
    local list = {}
    for i = 0, count - 1 do
        list[i] = pe:view { name = ("%s_%d"):format(name, i), base = base, first = first + i, type = "f32", count = 1 }
    end
    return list
end

local function declare_scalars(pe, it)
    local self = setmetatable({ pe = pe, it = it }, Scalars)
    local loaded = pe:array { name = "loaded", type = "f32", count = ROWS * (BLOCK + 1) }
    local solved = pe:array { name = "solved", type = "f32", count = 2 * BLOCK }
    local data = pe:array { name = "data", type = "f32", count = BLOCK }
    self.loaded_array, self.solved_array, self.data_array = loaded, solved, data
    self.loaded = {}
    for row, name in pairs { [A] = "a", [B] = "b", [D] = "d" } do
        self.loaded[row] = numbers_of(pe, loaded, name, row * (BLOCK + 1), BLOCK + 1)
    end
    self.n, self.d = numbers_of(pe, solved, "n", 0, BLOCK), numbers_of(pe, solved, "solved_d", BLOCK, BLOCK)
    self.data = numbers_of(pe, data, "out_of", 0, BLOCK)
    for _, name in ipairs { "product", "denominator", "quotient" } do
        self[name] = pe:scalar { name = name, type = "f32", value = 0 }
    end
    self.one = pe:scalar { name = "one", type = "f32", value = 1 }
    self.level = pe:variable { name = "level", value = 0 }
    return self
end

-- Rows first ... last of the system, from the level in the variable on; source or target of a
-- move.
local function rows_at(self, first, rows, count)
    local it = self.it
    return self.pe:mem4d_dsd {
        base = it.system, extents = { rows, count }, strides = { it.pitch, 1 }, offset = it.first + first * it.pitch, increment = self.level,
    }
end

local function rows_in(self, array, first, rows, count, step)
    return self.pe:mem4d_dsd { base = array, extents = { rows, count }, strides = { step, 1 }, offset = first * step }
end

-- Solves up to `count` levels from the variable on. The level before is the last of the block
-- before; below level 0 it is multiplied by 0.
local function emit_up(self, count)
    local pe, a, b, d = self.pe, self.loaded[A], self.loaded[B], self.loaded[D]
    local function scalar(...)
        pe:scalar_op(...)
    end
    pe:fmovs(rows_in(self, self.loaded_array, A, ROWS, count + 1, BLOCK + 1), rows_at(self, A, ROWS, count + 1))
    for i = 0, count - 1 do
        local before = (i - 1) % BLOCK
        scalar("mul", self.product, self.n[before], a[i])
        scalar("add", self.denominator, b[i], self.product)
        scalar("div", self.quotient, self.one, self.denominator)
        scalar("mul", self.product, self.d[before], a[i])
        scalar("sub", self.product, d[i], self.product)
        scalar("mul", self.n[i], a[i + 1], self.quotient)
        scalar("mul", self.d[i], self.product, self.quotient)
    end
    pe:fmovs(rows_at(self, B, 2, count), rows_in(self, self.solved_array, 0, 2, count, BLOCK))
end

-- The same levels downwards. Above the highest one n is 0.
local function emit_down(self, count)
    local pe = self.pe
    pe:fmovs(rows_in(self, self.solved_array, 0, 2, count, BLOCK), rows_at(self, B, 2, count))
    for i = count - 1, 0, -1 do
        pe:scalar_op("mul", self.product, self.n[i], self.data[i < count - 1 and i + 1 or 0])
        pe:scalar_op("add", self.data[i], self.d[i], self.product)
    end
    pe:fmovs(pe:mem1d_dsd { base = self.it.out, extent = count, increment = self.level },
        pe:mem1d_dsd { base = self.data_array, extent = count })
end

-- All blocks; the last may be shorter.
function Scalars:emit()
    local pe, level, layers = self.pe, self.level, self.it.layers
    local rest = layers % BLOCK
    pe:zone(UPWARDS)
    pe:assign(level, 0)
    if layers > rest then
        pe:while_(level, "<", layers - rest, function()
            emit_up(self, BLOCK)
            pe:add(level, BLOCK)
        end)
    end
    if rest > 0 then
        emit_up(self, rest)
    end
    pe:zone(DOWNWARDS)
    pe:assign(level, layers - rest)
    if rest > 0 then
        emit_down(self, rest)
    end
    pe:add(level, -BLOCK)
    if layers > rest then
        pe:while_(level, ">=", 0, function()
            emit_down(self, BLOCK)
            pe:add(level, -BLOCK)
        end)
    end
    pe:zone("compute")
end

-- Operations on pairs.

local Pairs = {}
Pairs.__index = Pairs

local function declare_pairs(pe, it)
    local self = setmetatable({ pe = pe, it = it, level = pe:variable { name = "level", value = 0 } }, Pairs)
    -- Numbers of level k + offset: `count` of them, `step` rows apart.
    local function level(row, offset, count, step)
        return pe:mem1d_dsd {
            base = it.system, extent = count, stride = step * it.pitch, offset = it.first + row * it.pitch + offset, increment = self.level,
        }
    end
    local products = pe:array { name = "level_products", type = "f16", count = 2 }
    local quotient = pe:scalar { name = "half_quotient", type = "f16" }
    self.before, self.a_twice, self.both = level(B, -1, 2, 1), level(A, 0, 2, 0), level(B, 0, 2, 1)
    self.products = pe:mem1d_dsd { base = products, extent = 2 }
    self.differences, self.divided = level(DENOMINATOR, 0, 2, 1), level(ABOVE, 0, 2, 2)
    self.denominator_half = level(DENOMINATOR, 0, 1, 1)
    self.denominator, self.quotient = pe:scalar { name = "denominator", type = "f32" }, pe:scalar { name = "quotient", type = "f32" }
    self.denominator_single = pe:mem1d_dsd { base = self.denominator, extent = 1 }
    self.quotient_single = pe:mem1d_dsd { base = self.quotient, extent = 1 }
    self.one = pe:scalar { name = "one", type = "f32", value = 1 }
    self.quotient_half = pe:mem1d_dsd { base = quotient, extent = 1 }
    self.quotient_twice = pe:mem1d_dsd { base = quotient, extent = 2, stride = 0 }
    self.n, self.d, self.d_above = level(B, 0, 1, 1), level(D, 0, 1, 1), level(D, 1, 1, 1)
    self.product = pe:mem1d_dsd { base = products, extent = 1 }
    self.d_all = pe:mem1d_dsd { base = it.system, extent = it.layers, offset = it.first + D * it.pitch }
    self.out = pe:mem1d_dsd { base = it.out, extent = it.layers }
    return self
end

function Pairs:emit()
    local pe, level, layers = self.pe, self.level, self.it.layers
    pe:zone(UPWARDS)
    pe:assign(level, 0)
    pe:while_(level, "<", layers, function()
        pe:fmulh(self.products, self.before, self.a_twice)
        pe:fsubh(self.differences, self.both, self.products)
        pe:fh2s(self.denominator_single, self.denominator_half)
        pe:scalar_op("div", self.quotient, self.one, self.denominator)
        pe:fs2h(self.quotient_half, self.quotient_single)
        pe:fmulh(self.both, self.divided, self.quotient_twice)
        pe:add(level, 1)
    end)
    pe:zone(DOWNWARDS)
    pe:assign(level, layers - 2)
    pe:while_(level, ">=", 0, function()
        pe:fmulh(self.product, self.n, self.d_above)
        pe:fsubh(self.d, self.d, self.product)
        pe:add(level, -1)
    end)
    pe:fmovh(self.out, self.d_all)
    pe:zone("compute")
end

function thomas.declare(pe, it)
    return (thomas.is_paired(it.kind) and declare_pairs or declare_scalars)(pe, it)
end

return thomas
