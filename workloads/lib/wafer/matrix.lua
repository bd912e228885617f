-- Dense matrices in blocks on a rectangle of PEs, in fp32: how the host cuts them up, checks
-- products, and what a PE does to multiply its blocks.
--
-- A product of blocks is made of `columns` or of `dots` (parameter `inner`). Columns: for each
-- number of the right block, the column of the left one times this number is added to a column
-- of the result, one operation each, as programs in CSL do. Dots: one operation adds up the
-- products of all rows and columns, each into its number.

local room = require("wafer/room")

local WORD = 4                          -- bytes of a number
local LINE = 16                         -- bytes to which arrays are aligned
local ROUNDOFF = 2 ^ -24

local matrix = { word = WORD, line = LINE }

-- Parameters of all products.
matrix.parameters = {
    { name = "inner", type = "choice", default = "columns", choices = { "columns", "dots" },
        help = "what an operation of a PE is: a column times a number, or all sums of products" },
    { name = "values", type = "choice", default = "random", choices = { "random", "exact" },
        help = "numbers between -1 and 1, or -1, 0 and 1, whose sums are checked bit for bit" },
}

-- matrix.filled(host, p, rows, columns, seed): a matrix row by row.
function matrix.filled(host, p, rows, columns, seed)
    local buffer = host.buffer(rows * columns * WORD)
    if p.values == "exact" then
        buffer:fill_random("fp32", seed, -1, 1, 1)
    else
        buffer:fill_random("fp32", seed, -1, 1)
    end
    return buffer
end

-- matrix.blocks(buffer, height, width, rows, columns, is_by_column): blocks of rows x columns
-- for the PEs, each row by row or column by column.
function matrix.blocks(buffer, height, width, rows, columns, is_by_column)
    return buffer:permuted("fp32", { height, rows, width, columns }, is_by_column and { 1, 3, 4, 2 } or { 1, 3, 2, 4 })
end

-- matrix.joined(buffer, height, width, rows, columns): the matrix of blocks that lie column by
-- column.
function matrix.joined(buffer, height, width, rows, columns)
    return buffer:permuted("fp32", { height, width, columns, rows }, { 1, 4, 2, 3 })
end

-- matrix.is_left_by_column(p): how a left block lies in memory.
function matrix.is_left_by_column(p)
    return p.inner == "columns"
end

-- matrix.check_divides(host, p, name, by): ends the run unless parameter `name` is a multiple of
-- parameter `by`.
function matrix.check_divides(host, p, name, by)
    if p[name] % p[by] ~= 0 then
        host.refuse(("%s = %d is no multiple of %s = %d, each PE has an equal part; %d is one"):format(
            name, p[name], by, p[by], math.max(p[name] // p[by], 1) * p[by]))
    end
end

-- matrix.check_room(host, numbers, what): ends the run if a PE has no memory for so many.
function matrix.check_room(host, numbers, what)
    local most = (room.bytes(host) - 8 * LINE) // WORD
    if numbers > most then
        host.refuse(("%s take %d numbers of a PE's memory, which has room for %d; more PEs or a smaller matrix need less")
            :format(what, numbers, most))
    end
end

-- matrix.compare(host, p, found, a, b, rows, inner, columns, roundings): compares with a product
-- in double precision. `roundings` is how often a sum is rounded.
function matrix.compare(host, p, found, a, b, rows, inner, columns, roundings)
    host.check {
        error = found:error("fp32", a:product("fp32", b, rows, inner, columns)),
        tolerance = p.values == "exact" and 0 or (roundings + 1) * ROUNDOFF * inner,
        reference = p.values == "exact" and "the product, bit for bit" or "the product in double precision; every rounding at its worst",
    }
end

-- matrix.offset(host): numbers by which a result begins later than a left block, so that reads
-- of both do not meet in a bank.
function matrix.offset(host)
    return host.number("memory.operand_period_bytes") // 2 // WORD
end

-- The factor of a column is loaded, as in CSL, but the operation has it as an operand that stays
-- where it is: grain=stream knows no operands in registers.
local function emit_columns(pe, of)
    local at_a = pe:variable { name = "at_a", value = 0 }
    local at_b = pe:variable { name = "at_b", value = 0 }
    local at_c = pe:variable { name = "at_c", value = 0 }
    local loaded = pe:variable { name = "loaded", type = "f32", value = 0 }
    local from = pe:mem1d_dsd { base = of.a, extent = of.rows, increment = at_a }
    local factor = pe:mem1d_dsd { base = of.b, extent = of.rows, stride = 0, increment = at_b }
    local into = pe:mem1d_dsd { base = of.c, extent = of.rows, offset = of.offset, increment = at_c }
    return function()
        pe:assign(at_b, 0)
        pe:assign(at_c, 0)
        pe:while_(at_c, "<", of.rows * of.columns, function()
            pe:assign(at_a, 0)
            pe:while_(at_a, "<", of.rows * of.inner, function()
                pe:load(of.b, at_b, loaded)
                pe:fmacs(into, into, from, factor)
                pe:add(at_a, of.rows)
                pe:add(at_b, 1)
            end)
            pe:add(at_c, of.rows)
        end)
    end
end

local function emit_dots(pe, of)
    local extents = { of.columns, of.rows, of.inner }
    local function dsd(base, strides, offset)
        return pe:mem4d_dsd { base = base, extents = extents, strides = strides, offset = offset }
    end
    local into = dsd(of.c, { of.rows, 1, 0 }, of.offset)
    local left, right = dsd(of.a, { 0, of.inner, 1 }), dsd(of.b, { of.inner, 0, 1 })
    return function()
        pe:fmacs(into, into, left, right)
    end
end

-- matrix.product(pe, p, { a =, b =, c =, rows =, inner =, columns =, offset = }): declares what a
-- product of blocks needs. Returns a function that emits c = c + a b. c begins at `offset` of its
-- array; b and c lie column by column.
function matrix.product(pe, p, of)
    return (p.inner == "columns" and emit_columns or emit_dots)(pe, of)
end

return matrix
