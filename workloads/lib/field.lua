-- Numbers of all cells of a 3D grid that a user gives: by an expression of the place, or by a
-- file. Such a field has the axes x, y, z, and z runs fastest: the file's shape is (nx, ny, nz).
--
-- An expression (lib/expression.lua) has, for each cell, x, y and z between 0 and 1 and i, j, k
-- from 0 on. Beyond the grid all is 0: cell i is at x = (i + 1) / (nx + 1).

local expression = require("expression")

local field = {}

local AXES = { "x", "y", "z", "i", "j", "k" }
local LARGEST = { fp32 = 0x1.fffffep127, bf16 = 0x1.fep127, fp16 = 65504 }

-- The declaration of a parameter that also takes an expression; `words` are its other values,
-- the default first.
function field.parameter(name, words, help)
    return {
        name = name, type = "text", default = words[1],
        help = ("%s: %s, or an expression of x, y, z (0..1) or i, j, k (from 0), such as sin(pi*x)"):format(help,
            table.concat(words, ", ")),
    }
end

-- A field from an expression, all cells at once; nil if that is impossible, or if some value is none.
local function evaluate_arrays(host, name, text, size, format, words)
    if not host.is_functional or not expression.suits_arrays(text) then return nil end
    local shape, at = { size.nx, size.ny, size.nz }, {}
    for axis, lengths in ipairs { { size.nx, 1, 1 }, { 1, size.ny, 1 }, { 1, 1, size.nz } } do
        at[axis + 3] = host.indices("double", lengths, axis)
        at[axis] = (at[axis + 3] + 1) / (shape[axis] + 1)
    end
    local f = expression.compile(host, { name = name, text = text, words = words, axes = AXES, takes_arrays = true })
    local is_good, values = pcall(f, table.unpack(at))
    if not is_good or type(values) ~= "userdata" and math.type(values) == nil then return nil end
    local all = host.numbers("double", shape, 1):choose(values, 0)
    return all:abs():max() <= LARGEST[format] and all:buffer(format) or nil
end

-- Fills a field from an expression.
local function evaluate(host, name, text, size, format, words)
    local whole = evaluate_arrays(host, name, text, size, format, words)
    if whole then return whole end
    local values = field.buffer(host, size, format)
    local f = expression.compile(host, { name = name, text = text, words = words, axes = AXES })
    local nx, ny, nz = size.nx, size.ny, size.nz
    local at, most = 0, LARGEST[format]
    for i = 0, host.is_functional and nx - 1 or -1 do
        for j = 0, ny - 1 do
            for k = 0, nz - 1 do
                local value = f((i + 1) / (nx + 1), (j + 1) / (ny + 1), (k + 1) / (nz + 1), i, j, k)
                if not expression.is_number(value, most) then
                    host.refuse(("%s=%s: the value of cell (%d, %d, %d) is %s, expected a number that %s has"):format(name, text, i, j, k,
                        tostring(value), format))
                end
                values:set(format, at, value)
                at = at + 1
            end
        end
    end
    return values
end

-- Room for a field; `size` has nx, ny and nz.
function field.buffer(host, size, format)
    return host.buffer(size.nx * size.ny * size.nz * (format == "fp32" and 4 or 2))
end

-- Whether the user gives a field, by a file or an expression, and p[name] is none of the `words`.
function field.is_given(host, p, name, words)
    for _, word in ipairs(words) do
        if p[name] == nil or p[name] == word then
            return host.wants(name)
        end
    end
    return true
end

-- Refuses a right-hand side that is 0 everywhere: there is nothing to solve, and methods divide by
-- its norm.
function field.refuse_zeros(host, name, values)
    if host.is_functional and values:differing(host.buffer(#values)) == 0 then
        host.refuse(("%s: all of it is 0, and so is the solution"):format(name))
    end
end

-- Says if a number of a Laplacian's diagonal is so small that it may not be positive definite.
function field.tell_indefinite(host, diagonal, format)
    local least = diagonal:numbers(format):min()
    if host.is_functional and least < 6 then
        print(("diagonal: %g is below 6, the neighbours' sum: the matrix may not be positive definite"):format(least))
    end
end

-- field.given(host, p, name, size, format, words): the field that the user gave with --in or as an
-- expression in p[name]; nil if p[name] is among `words`. Then sets p[name], for the result.
function field.given(host, p, name, size, format, words)
    local shape = { size.nx, size.ny, size.nz }
    local from_file = host.load(name, { format = format, shape = shape })
    if from_file then
        if host.is_given(name) then
            host.refuse(("%s=%s and --in %s: give one of them"):format(name, p[name], name))
        end
        p[name] = "file"
        return from_file
    end
    if not field.is_given(host, p, name, words) then
        return nil
    end
    return evaluate(host, name, p[name], size, format, words)
end

-- The right-hand side or the diagonal of a system that is solved, likewise.
function field.of_system(host, p, name, size, format, words)
    local given = field.given(host, p, name, size, format, words)
    if given and name == "rhs" then
        field.refuse_zeros(host, name, given)
    elseif given and name == "diagonal" then
        field.tell_indefinite(host, given, format)
    end
    return given
end

-- Saves a field as the output `name`; make() returns it.
function field.save(host, name, size, format, make)
    if host.wants(name) then
        host.save(make(), name, { format = format, shape = { size.nx, size.ny, size.nz } })
    end
end

return field
