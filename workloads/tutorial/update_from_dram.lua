-- y = a x + y from DRAM to DRAM as in step 1, with two numbers to turn: how many tiles of each
-- vector a kernel has on their way at a time (`block`), and for how many there is room in the
-- circular buffers (`pages`). Steps 4 and 5 use it.

local X, Y, OUT = 0, 1, 16          -- circular buffers
local TILE_BYTES = 4096             -- 1024 numbers in single precision

local function reader(args)
    for first = args.first, args.first + args.tiles - 1, args.block do
        cb_reserve_back(X, args.block)
        cb_reserve_back(Y, args.block)
        zone("fetch", function()                        -- a part that the timeline and the result name
            for i = 0, args.block - 1 do
                noc_async_read_tile(first + i, args.x, get_write_ptr(X) + i * TILE_BYTES)
                noc_async_read_tile(first + i, args.y, get_write_ptr(Y) + i * TILE_BYTES)
            end
            noc_async_read_barrier()                    -- all of them have arrived
        end)
        cb_push_back(X, args.block)
        cb_push_back(Y, args.block)
    end
end

local function update(args)
    init_sfpu(X, OUT)
    for _ = 1, args.tiles do
        cb_wait_front(X, 1)
        cb_wait_front(Y, 1)
        tile_regs_acquire()
        copy_tile(X, 0, 0)
        mul_unary_tile(0, args.a)
        copy_tile(Y, 0, 1)
        add_binary_tile(0, 1)
        tile_regs_commit()
        cb_pop_front(X, 1)
        cb_pop_front(Y, 1)
        cb_reserve_back(OUT, 1)
        tile_regs_wait()
        pack_tile(0, OUT)
        tile_regs_release()
        cb_push_back(OUT, 1)
    end
end

local function writer(args)
    for first = args.first, args.first + args.tiles - 1, args.block do
        cb_wait_front(OUT, args.block)
        zone("store", function()
            for i = 0, args.block - 1 do
                noc_async_write_tile(first + i, args.y, get_read_ptr(OUT) + i * TILE_BYTES)
            end
            noc_async_write_barrier()                   -- all of them are in DRAM
        end)
        cb_pop_front(OUT, args.block)
    end
end

-- The largest error against double precision.
local function error_of(x, y, result, a)
    local function exact(b) return b:numbers("fp32"):as("double") end

    return (exact(result) - (a * exact(x) + exact(y))):abs():max()
end

-- Updates on `it.columns` x `it.rows` cores; `it` has tiles (of a core), block, pages. Returns
-- the cycles, and the bytes that all cores moved.
---@param host gl.Host
local function run(host, it)
    local A = 0.75
    if it.tiles % it.block ~= 0 or it.pages % it.block ~= 0 then
        host.refuse(("tiles=%d and pages=%d must be multiples of block=%d"):format(it.tiles, it.pages, it.block))
    end
    local cores, pages = { 0, 0, it.columns - 1, it.rows - 1 }, it.columns * it.rows * it.tiles
    local function numbers(seed)
        local buffer = host.buffer(pages * TILE_BYTES)
        buffer:fill_random("fp32", seed, -1, 1)
        return buffer, host.dram_buffer { pages = pages, page_bytes = TILE_BYTES }
    end
    local x, dram_x = numbers(1)
    local y, dram_y = numbers(2)
    host.upload(x, dram_x)
    host.upload(y, dram_y)

    local program = host.program()
    for _, cb in ipairs { X, Y, OUT } do
        program:circular_buffer { cores = cores, index = cb, pages = it.pages, format = "fp32" }
    end
    local function share(column, row)
        local first = (row * it.columns + column) * it.tiles
        return { first = first, tiles = it.tiles, block = it.block, a = A, x = dram_x, y = dram_y }
    end
    program:kernel { kernel = "reader", processor = "reader", cores = cores, args = share }
    program:kernel { kernel = "update", processor = "compute", cores = cores, args = share, fp32_dst = true }
    program:kernel { kernel = "writer", processor = "writer", cores = cores, args = share }
    local launch, cycles = host.launch(program), 0
    host.measure(function() cycles = host.wait(launch) end)

    local result = host.buffer(#y)
    host.download(dram_y, result)
    host.check {
        error = error_of(x, y, result, A), tolerance = 0x1p-22 * (1 + A), reference = "a x + y in double precision",
    }
    host.metric("cycles_per_tile", cycles / it.tiles)
    return cycles, 3 * pages * TILE_BYTES
end

return { run = run, kernels = { reader = reader, update = update, writer = writer } }
