-- z = x + y on all Tensix cores, with the vectors in DRAM: a start for a program of your own.
--
--     gridloom run FILE tiles=8 --report page.html
--
-- A core runs three kernels at the same time. The reader fetches tiles of 1024 numbers into
-- circular buffers in the core's own memory (L1), the compute kernel makes results of them, and
-- the writer stores those. Names are tt-metal's: workloads/doc/tensix-kernels.md lists them, and
-- `gridloom new annotations gridloom.lua` makes a file from which editors complete and check.

local X, Y, Z = 0, 1, 16                                -- circular buffers, 0 to 31

-- Kernels see this file's functions and constants, and their arguments; nothing of run().
local function reader(args)
    for i = args.first, args.first + args.tiles - 1 do
        for cb, vector in pairs { [X] = args.x, [Y] = args.y } do
            cb_reserve_back(cb, 1)                      -- waits for a free page
            noc_async_read_tile(i, vector, get_write_ptr(cb))
            noc_async_read_barrier()                    -- waits for the data
            cb_push_back(cb, 1)                         -- hands the page to the compute kernel
        end
    end
end

local function compute(args)
    binary_op_init_common(X, Y, Z)
    add_tiles_init(X, Y)
    for _ = 1, args.tiles do
        cb_wait_front(X, 1)
        cb_wait_front(Y, 1)
        tile_regs_acquire()                             -- the result registers are ours
        add_tiles(X, Y, 0, 0, 0)                        -- register tile 0 = x + y
        tile_regs_commit()
        cb_pop_front(X, 1)
        cb_pop_front(Y, 1)
        cb_reserve_back(Z, 1)
        tile_regs_wait()
        pack_tile(0, Z)                                 -- rounds register tile 0 into the page
        tile_regs_release()
        cb_push_back(Z, 1)
    end
end

local function writer(args)
    for i = args.first, args.first + args.tiles - 1 do
        cb_wait_front(Z, 1)
        noc_async_write_tile(i, args.z, get_read_ptr(Z))
        noc_async_write_barrier()
        cb_pop_front(Z, 1)
    end
end

---@param host gl.Host
local function run(host, p)
    local columns, rows = host.grid()
    local cores, pages, page_bytes = { 0, 0, columns - 1, rows - 1 }, columns * rows * p.tiles, host.tile_bytes("bf16")
    local x, y, z = host.buffer(pages * page_bytes), host.buffer(pages * page_bytes), host.buffer(pages * page_bytes)
    x:fill_random("bf16", 1, -1, 1)
    y:fill_random("bf16", 2, -1, 1)
    local function in_dram() return host.dram_buffer { pages = pages, page_bytes = page_bytes } end
    local dram = { x = in_dram(), y = in_dram(), z = in_dram() }
    host.upload(x, dram.x)
    host.upload(y, dram.y)

    local program = host.program()
    for _, cb in ipairs { X, Y, Z } do
        program:circular_buffer { cores = cores, index = cb, pages = 2, format = "bf16" }
    end
    local function share(column, row)                   -- the arguments of one core's kernels
        return { first = (row * columns + column) * p.tiles, tiles = p.tiles, x = dram.x, y = dram.y, z = dram.z }
    end
    for _, kernel in ipairs { "reader", "compute", "writer" } do
        program:kernel { kernel = kernel, processor = kernel, cores = cores, args = share }
    end
    local launch, cycles = host.launch(program), 0
    host.measure(function() cycles = host.wait(launch) end)     -- the time that the result reports

    host.download(dram.z, z)
    host.check_equal(z, x:sum("bf16", y, "fpu"), "sums in the unit's own rounding, bit for bit")
    print(("%d x %d cores, %d tiles each: %.1f cycles per tile"):format(columns, rows, p.tiles, cycles / p.tiles))
end

return {
    summary = "z = x + y on all cores, from DRAM",
    chips = { "tensix" },
    parameters = {
        { name = "tiles", type = "integer", default = 4, min = 1, max = 1024, help = "tiles of 1024 numbers per core" },
    },
    kernels = { reader = reader, compute = compute, writer = writer },
    run = run,
}
