-- Fields of lib/field.lua, with the axes x, y, z, as vectors on cores (cores/grid.lua), and back.

local core_grid = require("cores/grid")

local LINES, LINE = core_grid.nx, core_grid.ny

local grid_field = {}

-- Columns and rows of tiles, and layers.
local function tiles_of(size)
    return size.tile_cols or size.cols, size.tile_rows or size.rows, size.layers or size.tiles
end

-- Copies columns along z between a field with nx x ny of them and one with `ny_to`.
local function copy_columns(from, to, nx, ny, ny_from, ny_to, bytes)
    for x = 0, nx - 1 do
        to:put(x * ny_to * bytes, from:part(x * ny_from * bytes, ny * bytes))
    end
    return to
end

-- The vector of a field; outside the grid it is 0.
function grid_field.fold(host, size, format, field)
    local cols, rows, layers = tiles_of(size)
    local column_bytes = #field // (size.nx * size.ny)
    if size.is_padded then
        local whole = host.buffer(cols * LINES * rows * LINE * column_bytes)
        field = copy_columns(field, whole, size.nx, size.ny, size.ny, rows * LINE, column_bytes)
    end
    return field:permuted(format, { cols, LINES, rows, LINE, layers }, { 1, 3, 5, 2, 4 })
end

-- The field of a vector.
function grid_field.unfold(host, size, format, vector)
    local cols, rows, layers = tiles_of(size)
    local whole = vector:permuted(format, { cols, rows, layers, LINES, LINE }, { 1, 4, 2, 5, 3 })
    if not size.is_padded then
        return whole
    end
    local column_bytes = #whole // (cols * LINES * rows * LINE)
    local field = host.buffer(size.nx * size.ny * column_bytes)
    return copy_columns(whole, field, size.nx, size.ny, rows * LINE, size.ny, column_bytes)
end

return grid_field
