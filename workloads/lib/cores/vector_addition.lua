-- z = x + y, tile by tile, on a grid of cores: on the FPU or the SFPU, with the vectors in DRAM
-- or resident in L1. Functions and kernels for scripts.

local A, B, OUT = 0, 1, 16      -- circular buffers
local BLOCK = 16                -- tiles that a reader has in flight
local TILE = 1024               -- numbers in a tile

-- Kernels run in states of their own: they see this file's locals and their arguments.

-- Fetches the core's share of both operands, a block at a time.
local function reader(args)
    local page_bytes = get_tile_size(A)
    for first = 0, args.tiles - 1, BLOCK do
        local count = math.min(BLOCK, args.tiles - first)
        cb_reserve_back(A, count)
        cb_reserve_back(B, count)
        local a, b = get_write_ptr(A), get_write_ptr(B)
        for i = 0, count - 1 do
            noc_async_read_tile(args.first + first + i, args.x, a + i * page_bytes)
            noc_async_read_tile(args.first + first + i, args.y, b + i * page_bytes)
        end
        noc_async_read_barrier()
        cb_push_back(A, count)
        cb_push_back(B, count)
    end
end

-- Stores the results.
local function writer(args)
    local page_bytes = get_tile_size(OUT)
    for first = 0, args.tiles - 1, BLOCK do
        local count = math.min(BLOCK, args.tiles - first)
        cb_wait_front(OUT, count)
        local out = get_read_ptr(OUT)
        for i = 0, count - 1 do
            noc_async_write_tile(args.first + first + i, args.z, out + i * page_bytes)
        end
        noc_async_writes_flushed()
        cb_pop_front(OUT, count)
    end
    noc_async_write_barrier()
end

-- Operands that are already in L1: hands them over, and takes the results as they come.
local function resident_reader(args)
    cb_reserve_back(A, args.tiles)
    cb_push_back(A, args.tiles)
    cb_reserve_back(B, args.tiles)
    cb_push_back(B, args.tiles)
end

local function resident_writer(args)
    cb_wait_front(OUT, args.tiles)
    cb_pop_front(OUT, args.tiles)
end

-- One init, then a tile after another through unpackers, FPU and packer.
local function add_on_fpu(args)
    binary_op_init_common(A, B, OUT)
    add_tiles_init(A, B)
    for _ = 1, args.tiles do
        cb_wait_front(A, 1)
        cb_wait_front(B, 1)
        tile_regs_acquire()
        add_tiles(A, B, 0, 0, 0)
        tile_regs_commit()
        cb_pop_front(A, 1)
        cb_pop_front(B, 1)
        cb_reserve_back(OUT, 1)
        tile_regs_wait()
        pack_tile(0, OUT)
        tile_regs_release()
        cb_push_back(OUT, 1)
    end
end

-- Copies both operands into Dst, each with its own init; then the SFPU adds.
local function add_on_sfpu(args)
    init_sfpu(A, OUT)
    add_binary_tile_init()
    for _ = 1, args.tiles do
        cb_wait_front(A, 1)
        cb_wait_front(B, 1)
        tile_regs_acquire()
        if args.reinit then
            copy_tile_to_dst_init_short_with_dt(B, A)
        end
        copy_tile(A, 0, 0)
        if args.reinit then
            copy_tile_to_dst_init_short_with_dt(A, B)
        end
        copy_tile(B, 0, 1)
        add_binary_tile(0, 1)
        tile_regs_commit()
        cb_pop_front(A, 1)
        cb_pop_front(B, 1)
        cb_reserve_back(OUT, 1)
        tile_regs_wait()
        pack_tile(0, OUT)
        tile_regs_release()
        cb_push_back(OUT, 1)
    end
end

-- Fills the operands; the reference follows the unit's published rounding.
local function make_data(host, p)
    local bytes = p.rows * p.cols * p.tiles * host.tile_bytes(p.dtype)
    local x, y = host.buffer(bytes), host.buffer(bytes)
    x:fill_random(p.dtype, 1, -8, 8)
    y:fill_random(p.dtype, 2, -8, 8)
    return x, y, x:sum(p.dtype, y, p.arithmetic == "ieee" and "ieee" or p.unit)
end

-- The common part of both programs: compute kernels on all cores.
local function add_compute(program, p, cores)
    program:kernel {
        name = "compute", kernel = p.unit == "fpu" and "add_on_fpu" or "add_on_sfpu",
        processor = "compute", cores = cores,
        args = { tiles = p.tiles, reinit = p.reinit },
        code = p.unit == "sfpu" and p.reinit and "large" or "small",
        sfpu = p.unroll and "unrolled" or "looped",
        fp32_dst = p.dtype == "fp32",
    }
end

-- From DRAM to DRAM. Returns the result's bytes, and the cycles.
local function run_from_dram(host, p, x, y)
    local cores = { 0, 0, p.cols - 1, p.rows - 1 }
    local pages = p.rows * p.cols * p.tiles
    local page_bytes = host.tile_bytes(p.dtype)
    local function dram()
        return host.dram_buffer { pages = pages, page_bytes = page_bytes }
    end
    local dram_x, dram_y, dram_z = dram(), dram(), dram()
    host.upload(x, dram_x)
    host.upload(y, dram_y)

    local program = host.program()
    for _, index in ipairs { A, B, OUT } do
        program:circular_buffer { cores = cores, index = index, pages = 2 * BLOCK, format = p.dtype }
    end
    local function share(column, row)
        return { tiles = p.tiles, first = (row * p.cols + column) * p.tiles, x = dram_x, y = dram_y, z = dram_z }
    end
    program:kernel { name = "reader", kernel = "reader", processor = "reader", cores = cores, args = share }
    program:kernel { name = "writer", kernel = "writer", processor = "writer", cores = cores, args = share }
    add_compute(program, p, cores)

    local cycles
    local launch = host.launch(program)
    host.measure(function() cycles = host.wait(launch) end)
    local z = host.buffer(#x)
    host.download(dram_z, z)
    return z, cycles
end

-- Operands resident in L1, with circular buffers on top of them. The result replaces the first
-- operand, page by page.
local at_x, at_y                -- their addresses, the same on all cores

local function run_from_l1(host, p, x, y)
    local cores = { 0, 0, p.cols - 1, p.rows - 1 }
    local share = p.tiles * host.tile_bytes(p.dtype)
    at_x = at_x or host.l1_allocate { cores = cores, bytes = share, name = "x" }
    at_y = at_y or host.l1_allocate { cores = cores, bytes = share, name = "y" }
    for row = 0, p.rows - 1 do
        for column = 0, p.cols - 1 do
            local offset = (row * p.cols + column) * share
            host.l1_write(column, row, at_x, x:part(offset, share))
            host.l1_write(column, row, at_y, y:part(offset, share))
        end
    end

    local program = host.program()
    for index, address in pairs { [A] = at_x, [B] = at_y, [OUT] = at_x } do
        program:circular_buffer { cores = cores, index = index, pages = p.tiles, format = p.dtype, address = address }
    end
    local args = { tiles = p.tiles }
    program:kernel { name = "reader", kernel = "resident_reader", processor = "reader", cores = cores, args = args }
    program:kernel { name = "writer", kernel = "resident_writer", processor = "writer", cores = cores, args = args }
    add_compute(program, p, cores)

    local cycles
    local launch = host.launch(program)
    host.measure(function() cycles = host.wait(launch) end)
    local z, one = host.buffer(#x), host.buffer(share)
    for row = 0, p.rows - 1 do
        for column = 0, p.cols - 1 do
            host.l1_read(column, row, at_x, one)
            z:put((row * p.cols + column) * share, one)
        end
    end
    return z, cycles
end

-- Cycles that unpackers and packer take for the bytes of a tile: in BF16 one after the other, the roof
-- of arXiv:2603.23343, figure 3. Other formats and ways of other widths have none published: the slower
-- of both, for they work at the same time.
local function roof_cycles(host, p)
    local bytes, is_as_published = host.tile_bytes(p.dtype), p.dtype == "bf16"
    local cycles = {}
    for i, unit in ipairs { "unpack", "pack" } do
        local width = host.number(unit .. ".l1_bytes_per_cycle")
        cycles[i] = (3 - i) * bytes / width
        is_as_published = is_as_published and width == host.number(unit .. ".measured_bytes_per_cycle")
    end
    return is_as_published and cycles[1] + cycles[2] or math.max(cycles[1], cycles[2])
end

-- FLOP per cycle under that roof, on all cores.
local function roof_rate(host, p)
    return p.rows * p.cols * TILE / roof_cycles(host, p)
end

-- One addition, checked and reported. Returns its cycles, and FLOP per cycle.
local function add(host, p, unit, from)
    local settings = {}
    for name, value in pairs(p) do
        settings[name] = value
    end
    settings.unit, settings.from = unit, from
    p = settings

    local x, y, expected = make_data(host, p)
    local run = from == "dram" and run_from_dram or run_from_l1
    local z, cycles = run(host, p, x, y)
    host.check_equal(z, expected, "sums in the unit's own rounding, bit for bit")

    local rate, roof = p.rows * p.cols * p.tiles * TILE / cycles, roof_rate(host, p)
    host.metric("flops_per_cycle", rate)
    host.metric("cycles_per_tile", cycles / p.tiles)
    host.metric("roof_flops_per_cycle", roof)
    host.metric("fraction_of_roof", rate / roof)
    print(("%s %s from %s, %d x %d cores: %.2f FLOP/cycle, %.1f cycles/tile; %.0f %% of the pack/unpack roof of %.2f")
        :format(p.unit, p.dtype, p.from, p.rows, p.cols, rate, cycles / p.tiles, 100 * rate / roof, roof))
    return cycles, rate
end

return {
    add = add, roof_rate = roof_rate,
    kernels = {
        reader = reader, writer = writer,
        resident_reader = resident_reader, resident_writer = resident_writer,
        add_on_fpu = add_on_fpu, add_on_sfpu = add_on_sfpu,
    },
}
