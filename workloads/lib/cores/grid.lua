-- A 3D grid of nx x ny x nz numbers folded onto cores: its size, the order of a vector, and the
-- part of the cores' tiles that the grid does not fill. The cores of several chips form one
-- large grid; cores/chips.lua says who has which columns.
--
-- A core holds a column of tiles, one per layer: 64 lines of 16 numbers each. Lines continue in
-- the next column of cores, the numbers of a line in the next row of cores. A vector has the
-- tiles of one core after the other, down each column of cores.
--
-- A core may also hold `wide` x `high` such columns of tiles side by side. Its own tiles lie
-- layer after layer, in a layer along x and then along y; a vector has one column of tiles after
-- the other, as if each had a core of its own.

local chips = require("cores/chips")

local TILE, LINES, LINE = 1024, 64, 16          -- numbers of a tile, its lines, numbers of one

local grid = { nx = LINES, ny = LINE }          -- a core's part of a layer

-- Parameters of scripts whose cores may have several tiles in a layer.
grid.plane_parameters = {
    { name = "tiles_x", type = "integer", default = 0, min = 0, max = 1024, chips = { "tensix" },
      help = "tiles of a core along x in each layer; 0: as many as nx needs" },
    { name = "tiles_y", type = "integer", default = 0, min = 0, max = 1024, chips = { "tensix" },
      help = "tiles of a core along y in each layer; 0: as many as ny needs" },
}

-- The parameter of scripts whose vectors may be in DRAM.
grid.vectors_parameter = {
    name = "vectors", type = "choice", default = "l1", choices = { "l1", "dram" }, chips = { "tensix" },
    help = "where vectors are: in L1, or in DRAM, from where they pass through L1 tile by tile",
}

-- The parameters of a script: those of the size, then its own.
function grid.parameters(own)
    local all = {
        { name = "nx", type = "integer", default = { tensix = 0, wse = 20 }, min = { tensix = 0, wse = 1 }, max = 65535,
          help = "numbers along x; on tensix 0 or 64 * cols (times tiles_x), what is missing is masked" },
        { name = "ny", type = "integer", default = { tensix = 0, wse = 20 }, min = { tensix = 0, wse = 1 }, max = 65535,
          help = "numbers along y; on tensix 0 or 16 * rows (times tiles_y), what is missing is masked" },
        { name = "nz", type = "integer", default = { tensix = 0, wse = 100 }, min = { tensix = 0, wse = 1 }, max = { tensix = 4096, wse = 32766 },
          help = "numbers along z; on tensix 0 or the tiles of a core" },
        { name = "rows", type = "integer", default = 7, min = 1, max = 64, chips = { "tensix" }, help = "rows of cores; ny is 16 times that" },
        { name = "cols", type = "integer", default = 8, min = 1, max = 64, chips = { "tensix" }, help = "columns of cores; nx is 64 times that" },
        { name = "tiles", type = "integer", default = 64, min = 1, max = 4096, chips = { "tensix" }, help = "tiles of 1024 numbers per core, nz" },
    }
    return table.move(own, 1, #own, #all + 1, all)
end

-- Refuses a size that does not fit the chip.
local function refuse_size(host, given, size, most)
    local cols, rows = host.grid()
    local on_each = size.count > 1 and (" on each of %d chips"):format(size.count) or ""
    host.refuse(("%srows=%d cols=%d%s: %s has %d rows and %d columns of cores, nx is up to %d and ny up to %d")
        :format(given, size.rows, most, on_each, host.chip, rows, cols, size.count * cols * size.wide * LINES, rows * size.high * LINE))
end

-- Refuses rows, cols or tiles that the user gave beside nx, ny, nz and that contradict them.
local function refuse_contradiction(host, p, size)
    local needed = { rows = size.rows, cols = -(-size.cols // size.count), tiles = size.layers }
    for _, name in ipairs { "rows", "cols", "tiles" } do
        if host.is_given(name) and p[name] ~= needed[name] then
            host.refuse(("%s=%d contradicts nx=%d ny=%d nz=%d, which make %s=%d: drop rows, cols and tiles, or nx, ny and nz")
                :format(name, p[name], p.nx, p.ny, p.nz, name, needed[name]))
        end
    end
end

-- Tiles of a core along x or y: what the user wants, or, if the script has the word, as many as
-- it takes to get `columns` of tiles onto `most` cores of the only chip.
local function tiles_along(wanted, columns, most)
    if wanted == nil or wanted > 0 or not columns then
        return math.max(1, wanted or 1)
    end
    return -(-columns // most)
end

-- Sets how many tiles a core has along x and y, and how many cores that takes.
local function fold(host, p, size)
    local cols, rows = host.grid()
    local is_only = size.nx and size.count == 1
    size.wide = tiles_along(p.tiles_x, is_only and size.cols, cols)
    size.high = tiles_along(p.tiles_y, is_only and size.rows, rows)
    if size.nx then
        size.cols, size.rows = -(-size.cols // size.wide), -(-size.rows // size.high)
    end
    if size.wide * size.high > 1 and size.count > 1 then
        host.refuse(("%d x %d tiles of a core in each layer on %d chips: that is for one chip, chips=1"):format(size.wide, size.high,
            size.count))
    end
end

-- Rows, columns and layers of cores and tiles from the user's words: rows, cols, tiles of one
-- chip, or nx, ny, nz of all chips (0 or nil: not given); tiles_x and tiles_y, if the script has
-- them. The result's `cols` is that of all chips, and `chips` is their list (p.chips, or 1 if
-- the script has no such word). `depth` is the name of the number of layers, `tiles` are those
-- of a core in all layers; tile_cols and tile_rows count tiles instead of cores.
function grid.size(host, p)
    local size = { rows = p.rows, layers = p.tiles, depth = "tiles" }
    local nx, ny, nz = p.nx or 0, p.ny or 0, p.nz or 0
    local given = ""
    if nx + ny + nz > 0 then
        if nx < 1 or ny < 1 or nz < 1 then
            host.refuse(("nx=%d ny=%d nz=%d: give all three, or none and rows, cols, tiles"):format(nx, ny, nz))
        end
        size = { cols = -(-nx // LINES), rows = -(-ny // LINE), layers = nz, nx = nx, ny = ny, depth = "nz" }
        given = ("nx=%d ny=%d, "):format(nx, ny)
    end
    size.count = chips.count(host, p.chips, size.cols)
    fold(host, p, size)
    size.cols = size.cols or p.cols * size.count
    if given ~= "" then
        refuse_contradiction(host, p, size)
    end
    local cols, rows = host.grid()
    local most = -(-size.cols // size.count)
    if most > cols or size.rows > rows then
        refuse_size(host, given, size, most)
    end
    size.chips = chips.spread(host, size.count, size.cols)
    size.tile_cols, size.tile_rows = size.cols * size.wide, size.rows * size.high
    size.tiles = size.layers * size.wide * size.high
    size.nx, size.ny, size.nz = size.nx or size.tile_cols * LINES, size.ny or size.tile_rows * LINE, size.layers
    size.is_padded = size.nx < size.tile_cols * LINES or size.ny < size.tile_rows * LINE
    return size
end

-- Sets a script's parameters of the size to what they were: the result says so.
function grid.tell(p, size)
    p.nx, p.ny, p.nz = size.nx, size.ny, size.nz
    p.rows, p.cols, p.tiles = size.rows, -(-size.cols // size.count), size.layers
    if p.tiles_x then
        p.tiles_x, p.tiles_y = size.wide, size.high
    end
    if p.chips then
        p.chips = size.count
    end
end

-- Tells the user the cost of a padded size.
function grid.print_padding(size, what)
    if size.is_padded then
        print(("nx=%d ny=%d are no multiples of %d and %d: tiles are padded, and %s"):format(size.nx, size.ny, LINES, LINE, what))
    end
end

-- Adds to `it` the members that the references of buffers need.
function grid.reference(size, it)
    it.across, it.down, it.layers, it.lines, it.numbers = size.tile_rows, size.tile_cols, size.layers, size.nx, size.ny
    it.core_across, it.core_down = size.high, size.wide
    return it
end

-- The number of a core.
function grid.place(size, x, y)
    return x * size.rows + y
end

-- The chip of a column of cores, and the column on that chip.
function grid.at(size, column)
    if not size.chips then
        return nil, column
    end
    return chips.at(size.chips, column)
end

-- Cores in the order of a vector, of all chips or of one: position, column, row; then the
-- column on the core's chip, and the chip.
function grid.each_core(size, of)
    local core = of and of.first * size.rows - 1 or -1
    local last = of and (of.first + of.cols) * size.rows - 1 or size.rows * size.cols - 1
    return function()
        core = core + 1
        if core <= last then
            local column = core // size.rows
            local chip, x = grid.at(size, column)
            return core, column, core % size.rows, x, chip
        end
    end
end

local NEIGHBOURS = { north = { -1, 0 }, south = { 1, 0 }, west = { 0, -1 }, east = { 0, 1 } }

-- The cores before (north) and after along x, and before (west) and after along y, each { x =,
-- y =, chip = index of its chip if it is another one } with x as the column on that chip, or
-- false where the grid of cores, `cols` and `rows` of `it`, ends.
function grid.neighbours(it, column, row)
    local there, here = {}, grid.at(it, column)
    for side, step in pairs(NEIGHBOURS) do
        local to_column, to_row = column + step[1], row + step[2]
        there[side] = false
        if to_column >= 0 and to_row >= 0 and to_column < it.cols and to_row < it.rows then
            local chip, x = grid.at(it, to_column)
            there[side] = { x = x, y = to_row, chip = chip ~= here and chip.index or nil }
        end
    end
    return there
end

-- Whether some numbers of a column of tiles lie outside the grid; x and y count tiles.
function grid.is_masked(size, x, y)
    return (x + 1) * LINES > size.nx or (y + 1) * LINE > size.ny
end

-- Lines of a column of tiles that lie inside the grid, and numbers of a line.
local function inside_of(size, x, y)
    local lines = math.min(LINES, size.nx - x * LINES)
    local numbers = math.min(LINE, size.ny - y * LINE)
    return math.max(0, lines), math.max(0, numbers)
end

-- For each tile of a core's layer, the index of its mask or false; and the masks' tiles { x, y },
-- each once. At most four differ.
function grid.masks(size, column, row)
    local index, found, different = {}, {}, {}
    for p = 0, size.wide * size.high - 1 do
        local x, y = column * size.wide + p // size.high, row * size.high + p % size.high
        local lines, numbers = inside_of(size, x, y)
        local key = lines * numbers == 0 and 0 or lines * (LINE + 1) + numbers
        if grid.is_masked(size, x, y) and not found[key] then
            found[key] = #different
            different[#different + 1] = { x, y }
        end
        index[p + 1] = found[key] or false
    end
    return index, different
end

-- Tiles that masks take on each core.
function grid.mask_count(size)
    return size.wide * size.high > 1 and 4 or 1
end

-- Masks that a core has.
function grid.mask_total(size, column, row)
    local _, different = grid.masks(size, column, row)
    return #different
end

-- The tile at x and y of a layer, with 1 inside the grid and 0 outside.
function grid.mask(host, size, format, x, y)
    local mask = host.buffer(host.tile_bytes(format))
    for i = 0, TILE - 1 do
        local is_inside = x * LINES + i // LINE < size.nx and y * LINE + i % LINE < size.ny
        mask:set(format, i, is_inside and 1 or 0)
    end
    return mask
end

-- Puts a core's masks into its L1.
function grid.put_masks(device, size, format, column, row, address)
    local _, different = grid.masks(size, column, row)
    local _, x = grid.at(size, column)
    for i, tile in ipairs(different) do
        device.l1_write(x, row, address + (i - 1) * device.tile_bytes(format), grid.mask(device, size, format, tile[1], tile[2]))
    end
end

-- A vector with 0 outside the grid; the vector itself if nothing is outside.
function grid.inside(host, size, format, vector)
    if not size.is_padded or not host.is_functional then
        return vector
    end
    local inside = vector:part(0, #vector)
    local line_bytes = host.tile_bytes(format) // LINES
    local number_bytes = line_bytes // LINE
    local zeros = host.buffer(LINES * line_bytes)
    for column = 0, size.tile_cols * size.tile_rows - 1 do
        local x, y = column // size.tile_rows, column % size.tile_rows
        if grid.is_masked(size, x, y) then
            local lines, numbers = inside_of(size, x, y)
            for tile = column * size.layers, (column + 1) * size.layers - 1 do
                local at = tile * LINES * line_bytes
                for line = 0, numbers < LINE and lines - 1 or -1 do
                    inside:put(at + line * line_bytes + numbers * number_bytes, zeros:part(0, (LINE - numbers) * number_bytes))
                end
                if lines < LINES then
                    inside:put(at + lines * line_bytes, zeros:part(0, (LINES - lines) * line_bytes))
                end
            end
        end
    end
    return inside
end

-- Calls f(its place on the core, its place in the vector), both in tiles, for all tiles of a
-- core that has several in a layer.
local function each_tile(size, core, f)
    local plane, column, row = size.wide * size.high, core // size.rows, core % size.rows
    for p = 0, plane - 1 do
        local first = ((column * size.wide + p // size.high) * size.tile_rows + row * size.high + p % size.high) * size.layers
        for k = 0, size.layers - 1 do
            f(k * plane + p, first + k)
        end
    end
end

-- A core's tiles of a vector, in the order in which the core has them.
function grid.share(host, size, vector, core)
    local bytes = #vector // (size.cols * size.rows)
    local share, tile_bytes = host.buffer(bytes), bytes // size.tiles
    if size.wide * size.high == 1 then
        return vector:part(core * bytes, bytes)
    end
    each_tile(size, core, function(here, there) share:put(here * tile_bytes, vector:part(there * tile_bytes, tile_bytes)) end)
    return share
end

-- Puts a core's tiles into a vector.
function grid.put_share(size, vector, core, share)
    local tile_bytes = #share // size.tiles
    if size.wide * size.high == 1 then
        vector:put(core * #share, share)
        return
    end
    each_tile(size, core, function(here, there) vector:put(there * tile_bytes, share:part(here * tile_bytes, tile_bytes)) end)
end

-- Reads a vector of which each core has `share` bytes at `address`.
function grid.read(host, size, address, share)
    local vector, one = host.buffer(size.rows * size.cols * share), host.buffer(share)
    for core, _, row, x, chip in grid.each_core(size) do
        chip.device.l1_read(x, row, address, one)
        grid.put_share(size, vector, core, one)
    end
    return vector
end

local function greatest_divisor(a, b)
    return b == 0 and a or greatest_divisor(b, a % b)
end

-- Notes in a size whether its vectors are in DRAM: `wanted` is "dram" or not. Pages go round the
-- channels, so a core has a few pages more than tiles where all cores would begin at the same
-- channels.
function grid.set_streamed(host, size, wanted)
    size.is_streamed = wanted == "dram"
    if size.is_streamed and size.count > 1 then
        host.refuse(("vectors=dram on %d chips: that is for one chip, chips=1"):format(size.count))
    end
    size.pages = size.tiles
    while size.is_streamed and greatest_divisor(size.pages, host.number("dram.channel_count")) > 1 do
        size.pages = size.pages + 1
    end
end

-- The page of a core's first tile in DRAM.
function grid.first_page(size, column, row)
    return grid.place(size, column, row) * size.pages
end

-- Refuses buffers of so many bytes that do not fit into L1 beside vectors in DRAM.
function grid.refuse_buffers(host, size, format, bytes)
    local free = host.l1_free(0, 0)
    if bytes > free then
        host.refuse(("%d x %d tiles of a core in each layer in %s: buffers do not fit into L1, %d bytes are missing"):format(size.wide,
            size.high, format, bytes - free))
    end
end

-- Puts a vector into DRAM, core after core, and takes one of so many bytes from there.
function grid.upload(host, size, vector, address)
    local share = #vector // (size.cols * size.rows)
    local pages = share // size.tiles * size.pages
    local all = host.buffer(size.cols * size.rows * pages)
    for core in grid.each_core(size) do
        all:put(core * pages, grid.share(host, size, vector, core))
    end
    host.upload(all, address)
end

function grid.download(host, size, address, bytes)
    local share = bytes // (size.cols * size.rows)
    local pages = share // size.tiles * size.pages
    local all, vector = host.buffer(size.cols * size.rows * pages), host.buffer(bytes)
    host.download(address, all)
    for core in grid.each_core(size) do
        grid.put_share(size, vector, core, all:part(core * pages, share))
    end
    return vector
end

-- Reports bytes to and from DRAM in an iteration of so many seconds.
function grid.report_dram(host, bytes, seconds)
    local rate, roof = bytes / seconds, host.number("dram.channel_count") * host.number("dram.channel_bytes_per_second")
    host.metric("dram_bytes_per_iteration", bytes)
    host.metric("dram_bytes_per_second", rate)
    print(("vectors in DRAM: %.1f MB an iteration, %.1f GB/s, %.1f %% of the channels' %.0f"):format(bytes / 1e6, rate / 1e9,
        100 * rate / roof, roof / 1e9))
end

return grid
