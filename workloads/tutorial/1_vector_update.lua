-- Step 1: y = a x + y, the vector update of every iterative solver, on Tensix cores.
--
--     gridloom run workloads/tutorial/1_vector_update.lua                          one core, vectors in its L1
--     gridloom run workloads/tutorial/1_vector_update.lua cores=all                all cores, vectors in their L1
--     gridloom run workloads/tutorial/1_vector_update.lua cores=all memory=dram    all cores, vectors in DRAM
--
-- A core has 1.4 MB of memory of its own (L1) and computes on tiles of 1024 numbers. Three
-- kernels run on it at the same time and pass pages of L1 to each other through circular
-- buffers: the reader brings x and y, the compute kernel updates, the writer takes y away.
-- Compare the cycles per tile that the three commands print: more cores are free as long as
-- each has its data at hand; from DRAM all of them share six channels.
--
-- `gridloom new annotations gridloom.lua` makes a file from which editors complete these calls.

local X, Y, OUT = 0, 1, 16          -- circular buffers
local TILE_BYTES = 4096             -- 1024 numbers in single precision

-- Vectors in L1: they are there already, so the reader only says so.
local function resident_reader(args)
    for _, cb in ipairs { X, Y } do
        cb_reserve_back(cb, args.tiles)
        cb_push_back(cb, args.tiles)
    end
end

-- Vectors in DRAM: fetches tile after tile.
local function dram_reader(args)
    for i = args.first, args.first + args.tiles - 1 do
        for cb, vector in pairs { [X] = args.x, [Y] = args.y } do
            cb_reserve_back(cb, 1)              -- waits until a page is free
            noc_async_read_tile(i, vector, get_write_ptr(cb))
            noc_async_read_barrier()            -- waits until the tile has arrived
            cb_push_back(cb, 1)                 -- the compute kernel may use it
        end
    end
end

-- The unit for elementwise work (SFPU) computes in registers, Dst. Dst has room for some tiles.
local function update(args)
    init_sfpu(X, OUT)
    for _ = 1, args.tiles do
        cb_wait_front(X, 1)
        cb_wait_front(Y, 1)
        tile_regs_acquire()
        copy_tile(X, 0, 0)                      -- Dst[0] = x
        mul_unary_tile(0, args.a)               -- Dst[0] = a x
        copy_tile(Y, 0, 1)                      -- Dst[1] = y
        add_binary_tile(0, 1)                   -- Dst[0] = a x + y
        tile_regs_commit()
        cb_reserve_back(OUT, 1)
        tile_regs_wait()
        pack_tile(0, OUT)
        tile_regs_release()
        cb_pop_front(X, 1)
        cb_pop_front(Y, 1)
        cb_push_back(OUT, 1)
    end
end

local function resident_writer(args)
    cb_wait_front(OUT, args.tiles)
    cb_pop_front(OUT, args.tiles)
end

local function dram_writer(args)
    for i = args.first, args.first + args.tiles - 1 do
        cb_wait_front(OUT, 1)                   -- waits until a tile is ready
        noc_async_write_tile(i, args.y, get_read_ptr(OUT))
        noc_async_write_barrier()               -- waits until it has been written
        cb_pop_front(OUT, 1)                    -- the page may be used again
    end
end

-- Where the vectors are, and how they get there and back: { args =, addresses =, put =, get = }.
local function place_in_dram(host, pages)
    local function vector() return host.dram_buffer { pages = pages, page_bytes = TILE_BYTES } end
    local x, y = vector(), vector()
    return {
        args = { x = x, y = y }, addresses = {},
        put = function(from_x, from_y) host.upload(from_x, x) host.upload(from_y, y) end,
        get = function(to) host.download(y, to) end,
    }
end

local function place_in_l1(host, columns, rows, share)
    local cores = { 0, 0, columns - 1, rows - 1 }
    local x = host.l1_allocate { cores = cores, bytes = share, name = "x" }
    local y = host.l1_allocate { cores = cores, bytes = share, name = "y" }
    local function each(f)
        for i = 0, columns * rows - 1 do f(i % columns, i // columns, i * share) end
    end
    return {
        args = {}, addresses = { [X] = x, [Y] = y, [OUT] = y },      -- the new y replaces the old one
        put = function(from_x, from_y)
            each(function(column, row, offset)
                host.l1_write(column, row, x, from_x:part(offset, share))
                host.l1_write(column, row, y, from_y:part(offset, share))
            end)
        end,
        get = function(to)
            local one = host.buffer(share)
            each(function(column, row, offset)
                host.l1_read(column, row, y, one)
                to:put(offset, one)
            end)
        end,
    }
end

-- The reference: double precision, on the host. Returns the largest error.
local function error_of(x, y, result, a)
    local function exact(b) return b:numbers("fp32"):as("double") end

    return (exact(result) - (a * exact(x) + exact(y))):abs():max()
end

---@param host gl.Host
local function run(host, p)
    local columns, rows = 1, 1
    if p.cores == "all" then columns, rows = host.grid() end
    local cores, pages = { 0, 0, columns - 1, rows - 1 }, columns * rows * p.tiles
    local x, y, result = host.buffer(pages * TILE_BYTES), host.buffer(pages * TILE_BYTES), host.buffer(pages * TILE_BYTES)
    x:fill_random("fp32", 1, -1, 1)
    y:fill_random("fp32", 2, -1, 1)
    local place = p.memory == "dram" and place_in_dram(host, pages)
        or place_in_l1(host, columns, rows, p.tiles * TILE_BYTES)
    place.put(x, y)

    local program = host.program()
    for _, cb in ipairs { X, Y, OUT } do
        program:circular_buffer {
            cores = cores, index = cb, format = "fp32", address = place.addresses[cb],
            pages = place.addresses[cb] and p.tiles or 2,       -- two: one is filled while the other is used
        }
    end
    local function share(column, row)
        local first = (row * columns + column) * p.tiles
        return { first = first, tiles = p.tiles, a = p.a, x = place.args.x, y = place.args.y }
    end
    local prefix = p.memory == "dram" and "dram_" or "resident_"
    program:kernel { kernel = prefix .. "reader", processor = "reader", cores = cores, args = share }
    program:kernel { kernel = "update", processor = "compute", cores = cores, args = share, fp32_dst = true }
    program:kernel { kernel = prefix .. "writer", processor = "writer", cores = cores, args = share }
    local launch, cycles = host.launch(program), 0
    host.measure(function() cycles = host.wait(launch) end)

    place.get(result)
    host.check {
        error = error_of(x, y, result, p.a), tolerance = 0x1p-22 * (1 + math.abs(p.a)),
        reference = "a x + y in double precision",
    }
    print(("%d of %d cores, %d tiles each, in %s: %.0f cycles per tile, %.2f FLOP per cycle")
        :format(columns * rows, select(1, host.grid()) * select(2, host.grid()), p.tiles, p.memory,
            cycles / p.tiles, 2 * 1024 * pages / cycles))
end

return {
    summary = "tutorial 1: y = a x + y on one core, on all cores, from DRAM",
    chips = { "tensix" },
    parameters = {
        { name = "cores", type = "choice", default = "one", choices = { "one", "all" }, help = "how many cores" },
        { name = "memory", type = "choice", default = "l1", choices = { "l1", "dram" }, help = "where the vectors are" },
        { name = "tiles", type = "integer", default = 8, min = 1, max = 128, help = "tiles of 1024 numbers per core" },
        { name = "a", type = "number", default = 0.75, help = "the factor of x" },
    },
    kernels = {
        resident_reader = resident_reader, dram_reader = dram_reader, update = update,
        resident_writer = resident_writer, dram_writer = dram_writer,
    },
    run = run,
}
