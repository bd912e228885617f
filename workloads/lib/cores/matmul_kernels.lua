-- The kernels of a matrix product on a grid of cores: C = A B. A core computes a block of C, of
-- `rows` x `columns` tiles, in steps of `depth` tiles along the inner dimension. Blocks of A come
-- along a row of cores and those of B along a column, or each core reads its own.
--
-- The fields of `args` are those that lib/cores/matmul_plan.lua makes.

local kernels = {}

local A, B, PARTIAL, OUT = 0, 1, 24, 16     -- circular buffers
kernels.A, kernels.B, kernels.PARTIAL, kernels.OUT = A, B, PARTIAL, OUT

-- Reads `rows` x `columns` tiles of a matrix in DRAM whose rows are `all` tiles long.
local function read_tiles(matrix, first, rows, columns, all, to, tile_bytes)
    for i = 0, rows - 1 do
        for j = 0, columns - 1 do
            noc_async_read_tile(first + i * all + j, matrix, to)
            to = to + tile_bytes
        end
    end
    noc_async_read_barrier()
end

-- A line of cores takes part in a step: waits until all others have room for a block, sends it with
-- `send`, and says so. A multicast follows the one before on the same way.
local function send_along(line, send)
    noc_semaphore_wait(get_semaphore(line.ready), line.cores - 1)
    noc_semaphore_set(get_semaphore(line.ready), 0)
    send()
    noc_semaphore_set(get_semaphore(line.sent), 1)
    noc_semaphore_set_multicast(get_semaphore(line.sent),
        get_noc_multicast_addr(line.x0, line.y0, line.x1, line.y1, get_semaphore(line.sent)), line.cores - 1)
end

-- Asks core (x, y) for the block of this step and waits for it.
local function receive_from(line, x, y)
    noc_semaphore_set(get_semaphore(line.sent), 0)
    noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(line.ready)), 1)
    noc_semaphore_wait(get_semaphore(line.sent), 1)
end

-- One operand's blocks, all of `tiles` tiles, from DRAM: the first core of a line reads them for all,
-- or each core its own.
local function blocks_from_dram(args, cb, line, tiles, read)
    for step = 0, args.steps - 1 do
        cb_reserve_back(cb, tiles)
        local to = get_write_ptr(cb)
        if line.is_first then
            read(step, to)
            if line.cores > 1 then
                send_along(line, function()
                    noc_async_write_multicast(to, get_noc_multicast_addr(line.x0, line.y0, line.x1, line.y1, to),
                        tiles * get_tile_size(cb), line.cores - 1)
                end)
                noc_async_writes_flushed()
            end
        else
            receive_from(line, line.first_x, line.first_y)
        end
        cb_push_back(cb, tiles)
    end
    noc_async_write_barrier()
    noc_async_atomic_barrier()
end

-- Sends the strips of a step to a row of cores: rows of the shard are longer.
local function send_strips(args, line, from, to)
    local bytes = args.depth * get_tile_size(A)
    for i = 0, args.rows - 1 do
        if line.cores > 1 then
            noc_async_write_multicast_loopback_src(from, get_noc_multicast_addr(line.x0, line.y0, line.x1, line.y1, to),
                bytes, line.cores, i + 1 < args.rows)
        else
            noc_async_write(from, get_noc_addr(to), bytes)
        end
        from, to = from + args.steps_of_shard * bytes, to + bytes
    end
end

-- The blocks of A from shards in L1: the core that has the columns of a step sends them to its row.
local function blocks_from_shards(args, line)
    local tiles, tile_bytes = args.rows * args.depth, get_tile_size(A)
    for step = 0, args.steps - 1 do
        local sender = step // args.steps_of_shard
        cb_reserve_back(A, tiles)
        if sender == line.place then
            local from = args.a + step % args.steps_of_shard * args.depth * tile_bytes
            local to = get_write_ptr(A)
            if line.cores > 1 then
                send_along(line, function() send_strips(args, line, from, to) end)
            else
                send_strips(args, line, from, to)
            end
            noc_async_write_barrier()
        else
            receive_from(line, sender, line.y0)
        end
        cb_push_back(A, tiles)
    end
    noc_async_atomic_barrier()
end

-- All blocks of an operand lie in L1, one after the other.
local function blocks_are_there(args, cb, tiles)
    cb_reserve_back(cb, args.steps * tiles)
    cb_push_back(cb, args.steps * tiles)
end

-- Mover: the blocks of A.
function kernels.in0(args)
    if args.from == "l1" then
        blocks_are_there(args, A, args.rows * args.depth)
    elseif args.from == "sharded" then
        blocks_from_shards(args, args.row)
    else
        blocks_from_dram(args, A, args.row, args.rows * args.depth, function(step, to)
            read_tiles(args.a, args.first_row * args.inner + step * args.depth, args.rows, args.depth, args.inner, to,
                get_tile_size(A))
        end)
    end
end

-- Writes the block of C to DRAM, a row of tiles as soon as it is there.
local function write_block(args)
    local tile_bytes = get_tile_size(OUT)
    for i = 0, args.rows - 1 do
        cb_wait_front(OUT, args.columns)
        local from = get_read_ptr(OUT)
        for j = 0, args.columns - 1 do
            noc_async_write_tile((args.first_row + i) * args.all_columns + args.first_column + j, args.c, from + j * tile_bytes)
        end
        noc_async_writes_flushed()
        cb_pop_front(OUT, args.columns)
    end
    noc_async_write_barrier()
end

-- Mover: the blocks of B, then the block of C.
function kernels.in1(args)
    if args.from == "l1" then
        blocks_are_there(args, B, args.depth * args.columns)
    else
        blocks_from_dram(args, B, args.column, args.depth * args.columns, function(step, to)
            read_tiles(args.b, step * args.depth * args.all_columns + args.first_column, args.depth, args.columns,
                args.all_columns, to, get_tile_size(B))
        end)
    end
    if args.c then
        write_block(args)
    else
        cb_wait_front(OUT, args.rows * args.columns)
    end
end

-- The products of one step for `high` x `wide` tiles of C at (row, column), in Dst.
local function multiply(args, row, column)
    for k = 0, args.depth - 1 do
        if args.is_blocked then
            matmul_block(A, B, row * args.depth + k, k * args.columns + column, 0, false, args.wide, args.high, args.depth)
        else
            for i = 0, args.high - 1 do
                for j = 0, args.wide - 1 do
                    matmul_tiles(A, B, (row + i) * args.depth + k, k * args.columns + column + j, i * args.wide + j)
                end
            end
        end
    end
end

-- The whole block stays in Dst over all steps.
local function sum_in_dst(args)
    tile_regs_acquire()
    for _ = 1, args.steps do
        cb_wait_front(A, args.rows * args.depth)
        cb_wait_front(B, args.depth * args.columns)
        multiply(args, 0, 0)
        cb_pop_front(A, args.rows * args.depth)
        cb_pop_front(B, args.depth * args.columns)
    end
    tile_regs_commit()
    tile_regs_wait()
    for i = 0, args.rows * args.columns - 1 do
        cb_reserve_back(OUT, 1)
        pack_tile(i, OUT)
        cb_push_back(OUT, 1)
    end
    tile_regs_release()
end

-- Takes the sums of earlier steps back into Dst.
local function reload(args)
    local tiles = args.high * args.wide
    copy_tile_to_dst_init_short_with_dt(A, PARTIAL)
    cb_wait_front(PARTIAL, tiles)
    for i = 0, tiles - 1 do
        copy_tile(PARTIAL, i, i)
    end
    cb_pop_front(PARTIAL, tiles)
    reconfig_data_format(B, A)
    mm_init_short(A, B)
end

-- Packs `high` x `wide` tiles, into their places in the block of C or one after the other.
local function pack_part(args, row, column)
    for i = 0, args.high - 1 do
        for j = 0, args.wide - 1 do
            pack_tile(i * args.wide + j, OUT, (row + i) * args.columns + column + j)
        end
    end
end

local function pack_partial(args)
    local tiles = args.high * args.wide
    cb_reserve_back(PARTIAL, tiles)
    for i = 0, tiles - 1 do
        pack_tile(i, PARTIAL)
    end
    cb_push_back(PARTIAL, tiles)
end

-- One step for the whole block. In the last one, rows of tiles leave as soon as they are there.
local function take_step(args, step)
    local is_last = step == args.steps - 1
    local adds_in_l1 = args.partials == "l1"
    for row = 0, args.rows - 1, args.high do
        for column = 0, args.columns - 1, args.wide do
            tile_regs_acquire()
            if step > 0 and not adds_in_l1 then
                reload(args)
            end
            multiply(args, row, column)
            tile_regs_commit()
            tile_regs_wait()
            if is_last or adds_in_l1 then
                pack_part(args, is_last and 0 or row, column)
            else
                pack_partial(args)
            end
            tile_regs_release()
        end
        if is_last then
            cb_push_back(OUT, args.high * args.columns)
        end
    end
end

-- Sums of steps leave Dst: the packers add them up in L1, or they come back.
local function sum_of_steps(args)
    cb_reserve_back(OUT, args.rows * args.columns)
    for step = 0, args.steps - 1 do
        cb_wait_front(A, args.rows * args.depth)
        cb_wait_front(B, args.depth * args.columns)
        if args.partials == "l1" and step < 2 then
            pack_reconfig_l1_acc(step)
        end
        take_step(args, step)
        cb_pop_front(A, args.rows * args.depth)
        cb_pop_front(B, args.depth * args.columns)
    end
end

-- Compute: the block of C.
function kernels.compute(args)
    mm_block_init(A, B, OUT)
    if args.partials == "dst" then
        sum_in_dst(args)
    else
        sum_of_steps(args)
    end
end

return kernels
