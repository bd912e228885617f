-- Vectors in DRAM that pass through circular buffers tile by tile: the movers' part. Each core
-- has a range of consecutive pages of a vector's DRAM buffer, a page per tile.
--
-- A vector on its way is { cb =, buffer =, first = }: its circular buffer, the DRAM buffer, and
-- the page of its first tile. Circular buffers that the reader fills are rings with room for two
-- blocks: one is used while the next is on its way.

local BLOCK = 8         -- tiles of each vector that a reader has under way

local stream = { ring_pages = 2 * BLOCK, out_pages = 4 }

-- Kernels

-- Issues the reads of n tiles from the tile `from` on.
local function issue(vector, from, n)
    local bytes = get_tile_size(vector.cb)
    cb_reserve_back(vector.cb, n)
    local to = get_write_ptr(vector.cb)
    for i = 0, n - 1 do
        noc_async_read_tile(vector.first + from + i, vector.buffer, to + i * bytes)
    end
end

-- Reader: brings in all tiles of these vectors, side by side. `passed` counts the tiles that have
-- been in each ring; the kernel keeps it from one pass to the next, empty at first. A block ends
-- where a ring does.
function stream.read(vectors, tiles, passed)
    local from = 0
    while from < tiles do
        local n = math.min(BLOCK, tiles - from)
        for _, vector in ipairs(vectors) do
            n = math.min(n, stream.ring_pages - (passed[vector.cb] or 0) % stream.ring_pages)
        end
        for _, vector in ipairs(vectors) do
            issue(vector, from, n)
        end
        noc_async_read_barrier()
        for _, vector in ipairs(vectors) do
            cb_push_back(vector.cb, n)
            passed[vector.cb] = (passed[vector.cb] or 0) + n
        end
        from = from + n
    end
end

-- Writer: stores the front tile of a vector.
function stream.store(vector, tile)
    cb_wait_front(vector.cb, 1)
    noc_async_write_tile(vector.first + tile, vector.buffer, get_read_ptr(vector.cb))
    noc_async_writes_flushed()
    cb_pop_front(vector.cb, 1)
end

-- Writer: stores all tiles of these vectors, which come side by side.
function stream.write(vectors, tiles)
    for tile = 0, tiles - 1 do
        for _, vector in ipairs(vectors) do
            stream.store(vector, tile)
        end
    end
    noc_async_write_barrier()
end

-- Host

-- A DRAM buffer for a vector of a size (cores/grid.lua).
function stream.allocate(host, size, format)
    return host.dram_buffer { pages = size.cols * size.rows * size.pages, page_bytes = host.tile_bytes(format) }
end

return stream
