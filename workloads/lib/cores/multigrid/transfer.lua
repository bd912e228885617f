-- Restriction and prolongation along x and y between levels on cores, as matrix products. A level's
-- tiles are those of cores/grid.lua: 64 lines (x) of 16 numbers (y), four squares of 16 x 16, which
-- the FPU takes for a matrix T of 2 x 2 squares. A tile of the other level is the sum of X T Y over a
-- few tiles T: X weighs lines of squares above each other, Y weighs numbers and moves squares to the
-- left or right. Weights are 1, 2 and powers of 1/2, exact in every format. FP32 loses bits in the FPU,
-- which a correction can bear.
--
-- A core reads the tiles it needs from the L1 of the cores that have them. Along z both are sums of
-- tiles: cores/multigrid/smoothing.lua.

local core_grid = require("cores/grid")

local LINES, LINE, SIDE = core_grid.nx, core_grid.ny, 16
local TILE = 1024
local RESTRICTION = 1 / 16              -- 4 times 1/4 of each axis; weights are 1, 2, 1

local AHEAD = 2                         -- layers whose tiles a core has room for
local transfer = { ahead = AHEAD }

-- Circular buffers.
local cb = { from = 0, matrices = 1, part = 2, out = 3 }

-- Kernels. args has: tiles (layers), sources { x =, y = }, groups { x = matrix, products = { { source,
-- matrix } } }, matrices (how many), from (address), tile_bytes, zone.

local function reader(args)
    local sources = args.sources
    cb_reserve_back(cb.matrices, args.matrices)
    cb_push_back(cb.matrices, args.matrices)
    for k = 0, args.tiles - 1 do
        cb_reserve_back(cb.from, #sources)
        local to = get_write_ptr(cb.from)
        for i, source in ipairs(sources) do
            noc_async_read(get_noc_addr(source.x, source.y, args.from + k * args.tile_bytes), to + (i - 1) * args.tile_bytes, args.tile_bytes)
        end
        noc_async_read_barrier()
        cb_push_back(cb.from, #sources)
    end
end

local function writer(args)
    cb_wait_front(cb.out, args.tiles)
    cb_pop_front(cb.out, args.tiles)
end

-- Packs Dst 0.
local function pack(out)
    tile_regs_commit()
    cb_reserve_back(out, 1)
    tile_regs_wait()
    pack_tile(0, out)
    tile_regs_release()
    cb_push_back(out, 1)
end

local function multiply(args)
    for _ = 1, args.tiles do
        cb_wait_front(cb.from, #args.sources)
        mm_init_short(cb.from, cb.matrices)
        for _, group in ipairs(args.groups) do
            tile_regs_acquire()
            for _, product in ipairs(group.products) do
                matmul_tiles(cb.from, cb.matrices, product[1], product[2], 0)
            end
            pack(cb.part)
        end
        cb_pop_front(cb.from, #args.sources)
        cb_wait_front(cb.part, #args.groups)
        mm_init_short(cb.matrices, cb.part)
        tile_regs_acquire()
        for i, group in ipairs(args.groups) do
            matmul_tiles(cb.matrices, cb.part, group.x, i - 1, 0)
        end
        pack(cb.out)
        cb_pop_front(cb.part, #args.groups)
    end
end

local function compute(args)
    mm_init(cb.from, cb.matrices, cb.out)
    cb_wait_front(cb.matrices, args.matrices)
    zone(args.zone, function() multiply(args) end)
end

transfer.kernels = { transfer_reader = reader, transfer_writer = writer, transfer = compute }

-- Host

-- Weights along an axis of cell `from` of one level in cell `to` of the other.
local weigh = {}

function weigh.restrict(from, to)
    local distance = math.abs(from - (2 * to + 1))
    return distance == 0 and 2 or distance == 1 and 1 or 0
end

function weigh.prolong(from, to)
    local distance = math.abs(to - (2 * from + 1))
    return distance == 0 and 1 or distance == 1 and 0.5 or 0
end

-- The first and last cell of the other level with a weight in cells first to last.
local function range_of(way, first, last)
    if way == "restrict" then
        return 2 * first, 2 * last + 2
    end
    return (first - 1) // 2, last // 2
end

-- Matrices, each once, by the list of their numbers { row, column, weight }.
local function collect(table_of, entries)
    local words = {}
    for i, entry in ipairs(entries) do
        words[i] = ("%d %d %g"):format(entry[1], entry[2], entry[3])
    end
    local key = table.concat(words, ",")
    if not table_of[key] then
        table_of[#table_of + 1] = entries
        table_of[key] = #table_of - 1
    end
    return table_of[key]
end

-- X from squares in half `half` of a tile (left: 0) to those in half `to_half` of another, of lines
-- from first_from and first_to on; nil if it is 0. Lines from `limit` on stay 0.
local function lines_matrix(it, first_from, first_to, half, to_half)
    local entries = {}
    for to = 0, LINES - 1 do
        if to // SIDE % 2 == to_half and first_to + to < it.to.nx then
            for from = 0, LINES - 1 do
                local weight = from // SIDE % 2 == half and weigh[it.way](first_from + from, first_to + to) or 0
                if weight > 0 then
                    entries[#entries + 1] = { to // (2 * SIDE) * SIDE + to % SIDE, from // (2 * SIDE) * SIDE + from % SIDE, weight * it.scale }
                end
            end
        end
    end
    return #entries > 0 and collect(it.matrices, entries) or nil
end

-- Y likewise.
local function numbers_matrix(it, first_from, first_to, half, to_half)
    local entries = {}
    for to = 0, LINE - 1 do
        for from = 0, first_to + to < it.to.ny and LINE - 1 or -1 do
            local weight = weigh[it.way](first_from + from, first_to + to)
            if weight > 0 then
                entries[#entries + 1] = { half * SIDE + from, to_half * SIDE + to, weight }
            end
        end
    end
    return #entries > 0 and collect(it.matrices, entries) or nil
end

-- What a core does: the cores that it reads from, and its products.
local function work_of(it, x, y)
    local sources, index, groups = {}, {}, {}
    local function source(sx, sy)
        local key = sx * 4096 + sy
        if not index[key] then
            sources[#sources + 1] = { x = sx, y = sy }
            index[key] = #sources - 1
        end
        return index[key]
    end
    local first_x, last_x = range_of(it.way, x * LINES, math.min((x + 1) * LINES, it.to.nx) - 1)
    local first_y, last_y = range_of(it.way, y * LINE, math.min((y + 1) * LINE, it.to.ny) - 1)
    for sx = math.max(0, first_x) // LINES, math.min(last_x, it.from.nx - 1) // LINES do
        for half = 0, 1 do
            for to_half = 0, 1 do
                local matrix, products = lines_matrix(it, sx * LINES, x * LINES, half, to_half), {}
                for sy = math.max(0, first_y) // LINE, matrix and math.min(last_y, it.from.ny - 1) // LINE or -1 do
                    local right = numbers_matrix(it, sy * LINE, y * LINE, half, to_half)
                    if right then
                        products[#products + 1] = { source(sx, sy), right }
                    end
                end
                if #products > 0 then
                    groups[#groups + 1] = { x = matrix, products = products }
                end
            end
        end
    end
    return { sources = sources, groups = groups }
end

-- A tile of a matrix, square by square.
local function tile_of(host, format, entries)
    local tile = host.buffer(host.tile_bytes(format))
    for _, entry in ipairs(entries) do
        local row, column = entry[1], entry[2]
        local square = row // SIDE * 2 + column // SIDE
        tile:set(format, square * SIDE * SIDE + row % SIDE * SIDE + column % SIDE, entry[3])
    end
    return tile
end

-- transfer.plan(way, from, to, matrices): what each core of the level `to` does; levels are sizes of
-- cores/grid.lua. way: "restrict" or "prolong". Adds to `matrices`, a list that plans share.
function transfer.plan(way, from, to, matrices)
    local it = { way = way, from = from, to = to, matrices = matrices, scale = way == "restrict" and RESTRICTION or 1, work = {}, sources = 0, groups = 0 }
    for x = 0, to.cols - 1 do
        it.work[x] = {}
        for y = 0, to.rows - 1 do
            local work = work_of(it, x, y)
            it.work[x][y] = work
            it.sources, it.groups = math.max(it.sources, #work.sources), math.max(it.groups, #work.groups)
        end
    end
    return it
end

-- transfer.place(host, matrices, format, cores): puts them into L1. Returns the address.
function transfer.place(host, matrices, format, cores)
    local bytes = host.tile_bytes(format)
    local at = host.l1_allocate { cores = cores, bytes = math.max(1, #matrices) * bytes, name = "matrices" }
    local all = host.buffer(math.max(1, #matrices) * bytes)
    for i, entries in ipairs(matrices) do
        all:put((i - 1) * bytes, tile_of(host, format, entries))
    end
    for x = cores[1], cores[3] do
        for y = cores[2], cores[4] do
            host.l1_write(x, y, at, all)
        end
    end
    return at
end

-- transfer.build(host, plan, { format =, layers =, from =, to =, matrices =, zone = }): the program; from, to
-- and matrices are addresses.
function transfer.build(host, plan, it)
    local cores, tile_bytes = { 0, 0, plan.to.cols - 1, plan.to.rows - 1 }, host.tile_bytes(it.format)
    local program = host.program()
    local function buffer(index, pages, address, on)
        program:circular_buffer { cores = on or cores, index = index, pages = pages, format = it.format, address = address }
    end
    buffer(cb.matrices, #plan.matrices, it.matrices)
    buffer(cb.out, it.layers, it.to)
    for x = 0, plan.to.cols - 1 do
        for y = 0, plan.to.rows - 1 do
            local work = plan.work[x][y]
            buffer(cb.from, AHEAD * #work.sources, nil, { x = x, y = y })
            buffer(cb.part, #work.groups, nil, { x = x, y = y })
        end
    end
    local function args(x, y)
        local work = plan.work[x][y]
        return {
            tiles = it.layers, sources = work.sources, groups = work.groups, matrices = #plan.matrices, from = it.from, tile_bytes = tile_bytes,
            zone = it.zone,
        }
    end
    for processor, kernel in pairs { reader = "transfer_reader", writer = "transfer_writer", compute = "transfer" } do
        local is_compute = processor == "compute"
        program:kernel {
            kernel = kernel, processor = processor, cores = cores, args = args, code = is_compute and "large" or nil,
            fp32_dst = is_compute and true or nil, fidelity = is_compute and "hifi4" or nil,
        }
    end
    return program
end

return transfer
