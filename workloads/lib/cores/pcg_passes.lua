-- What the kernels of conjugate gradients on cores share: passes over vectors in L1, sums, and how
-- movers learn that the norm is reached.
--
-- A vector is a circular buffer with a page for every tile. A pass that changes one takes tiles from
-- the front and puts them in at the back; a pass that only reads counts from the front. `cb` names
-- the buffers x, r, p, q, product, sum and delta; `args` has format, tiles, block, tolerance and
-- reduction.

local arithmetic = require("cores/pcg_arithmetic")
local reduction = require("cores/reduction")
local vectors = require("cores/tile_vectors")

local passes = {}

local STOP = 0x10000            -- in the semaphore from the reader to the writer

-- Compute

-- Calls f(first tile, how many) for all tiles, block by block.
function passes.each_block(args, f)
    for first = 0, args.tiles - 1, args.block do
        f(first, math.min(args.block, args.tiles - first))
    end
end

-- Leaves the sum of products over all cores at the front of the reduction's result.
function passes.dot(args, cb, a, b)
    arithmetic[args.format].dot(args.block, args.tiles, a, b, cb.product, cb.sum, args.reduction.partial)
    reduction.combine(args.reduction)
end

-- x = x + alpha p, r = r - alpha q
function passes.step(args, cb, alpha)
    local unit = arithmetic[args.format]
    passes.each_block(args, function(first, n)
        unit.scale(n, cb.p, first, alpha, cb.product)
        unit.add(n, cb.x, nil, cb.product, nil, cb.x)
    end)
    passes.each_block(args, function(_, n)
        unit.scale(n, cb.q, nil, alpha, cb.product)
        unit.sub(n, cb.r, nil, cb.product, nil, cb.r)
    end)
    unit.drop(alpha)
end

-- p = z + beta p; z stays if `keeps_z`.
function passes.turn(args, cb, beta, z, keeps_z)
    local unit = arithmetic[args.format]
    passes.each_block(args, function(first, n)
        unit.scale(n, cb.p, nil, beta, cb.product)
        unit.add(n, z, keeps_z and first or nil, cb.product, nil, cb.p)
    end)
    unit.drop(beta)
end

-- Whether the norm at the front of the result is small enough. Uses it up.
function passes.is_reached(args)
    local result = args.reduction.result
    local is_small = false
    cb_wait_front(result, 1)
    if args.tolerance then
        is_small = math.sqrt(read_tile_value(result, 0, 0)) <= args.tolerance
        scalar { add = 1, branch = 1 }      -- the square with the tolerance's, as integers compare
    end
    cb_pop_front(result, 1)
    return is_small
end

function passes.use_up(buffer, pages)
    cb_wait_front(buffer, pages)
    cb_pop_front(buffer, pages)
end

-- The total of the last reduction becomes delta.
function passes.keep_delta(cb, result)
    passes.use_up(cb.delta, 1)
    vectors.copy(1, result, nil, cb.delta)
end

-- Movers

function passes.give(buffer, pages)
    cb_reserve_back(buffer, pages)
    cb_push_back(buffer, pages)
end

-- The reader's part of a sum over all cores.
function passes.receive_sum(args)
    reduction.receive(args.reduction)
    reduction.total(args.reduction)
end

-- Whether the norm after so many others is small enough. The reader keeps it where there is a
-- history, and tells the writer.
function passes.reader_is_reached(args, norms)
    if not args.history and not args.tolerance then
        return false
    end
    local word = load_word(args.total_at)
    if args.history then
        store_words(args.history + 4 * norms, word)
    end
    if not args.tolerance then
        return false
    end
    local is_small = math.sqrt(arithmetic[args.format].number_of(word)) <= args.tolerance
    noc_semaphore_set(get_semaphore(args.told), is_small and STOP or norms + 1)
    return is_small
end

-- The same for the writer, which waits until it is told.
function passes.writer_is_reached(args, norms)
    if not args.tolerance then
        return false
    end
    local told = get_semaphore(args.told)
    noc_semaphore_wait_min(told, norms + 1)
    return load_word(told) >= STOP
end

-- Host

-- The norms of a history of `iterations`, from before the first one on, up to the first that is small
-- enough.
function passes.norms_of(host, history, format, iterations, tolerance)
    local step = 4 // (host.tile_bytes(format) // 1024)     -- numbers of a word
    local norms = { [0] = math.sqrt(history:get(format, 0)) }
    for i = 1, iterations do
        if tolerance and norms[i - 1] <= tolerance then
            break
        end
        norms[i] = math.sqrt(history:get(format, step * i))
    end
    return norms, step
end

return passes
