-- The kernels of y = A x with a sparse matrix on a core. No unit of a Tensix core follows indices, so
-- the movers do: they gather numbers of x from L1.
--
-- Sliced ELL: a tile has entry k of each row of a slice. The movers take turns at the tiles and
-- gather as many numbers of x, up to the last lane with an entry; the compute kernel multiplies and
-- adds tiles. Other lanes, whose values are 0, keep numbers of earlier tiles. CSR: each mover has a
-- part of the rows and computes them in software.
--
-- The fields of `s` are those that lib/cores/sparse_product.lua makes; `round` counts the products
-- of a kernel from 1.

local kernels = {}

local PAGE = 1024               -- entries, of a tile or of a page of CSR arrays
local OFFSET_BYTES = 4

-- Movers

-- Reader: brings the parts of x that other cores or DRAM have, and tells the writer that all is there.
function kernels.fetch(s, round)
    for _, read in ipairs(s.reads) do
        scalar { load = 3 }                     -- from where, to where, how much
        if s.x then
            noc_async_read_tile(read.page, s.x, s.window + read.to)
        else
            noc_async_read(get_noc_addr(read.x, read.y, s.window + read.from), s.window + read.to, read.bytes)
        end
    end
    noc_async_read_barrier()
    noc_semaphore_set(get_semaphore(s.fetched), round)
end

-- Writer: waits for that.
function kernels.await(s, round)
    noc_semaphore_wait_min(get_semaphore(s.fetched), round)
end

-- Begins to read entries of page `page` of a mover's part, from DRAM.
local function read_page(part, page, to_values, to_offsets)
    noc_async_read_tile(part.first_page + page, part.values, to_values)
    noc_async_read_tile(part.first_page + page, part.offsets, to_offsets)
end

-- Gathers for the tiles of a mover from L1, where all values and offsets are.
local function gather_from_l1(s, part)
    cb_reserve_back(part.cb_values, part.pages)
    cb_push_back(part.cb_values, part.pages)
    for i = 0, part.pages - 1 do
        scalar { load = 1, add = 2 }
        cb_reserve_back(part.cb_gathered, 1)
        gather_numbers(get_write_ptr(part.cb_gathered), s.window, part.offsets_at + i * PAGE * OFFSET_BYTES, part.lanes[i + 1],
            s.bytes)
        cb_push_back(part.cb_gathered, 1)
    end
end

-- The same from DRAM: a tile is on its way while numbers are gathered for the one before.
local function gather_from_dram(s, part)
    local function begin(i)
        cb_reserve_back(part.cb_values, 1)
        read_page(part, i, get_write_ptr(part.cb_values), part.offsets_at + i % 2 * PAGE * OFFSET_BYTES)
    end
    begin(0)
    for i = 0, part.pages - 1 do
        scalar { load = 1, add = 2 }
        noc_async_read_barrier()
        cb_push_back(part.cb_values, 1)
        if i + 1 < part.pages then
            begin(i + 1)
        end
        cb_reserve_back(part.cb_gathered, 1)
        gather_numbers(get_write_ptr(part.cb_gathered), s.window, part.offsets_at + i % 2 * PAGE * OFFSET_BYTES,
            part.lanes[i + 1], s.bytes)
        cb_push_back(part.cb_gathered, 1)
    end
end

-- The place of entry k of a mover's part of CSR arrays, and how many follow there.
local function entries_in_l1(s, part)
    return function(k)
        return part.values_at + k * s.bytes, part.offsets_at + k * OFFSET_BYTES, math.huge
    end
end

-- In DRAM: two pages are in L1 at a time, the second on its way.
local function entries_in_dram(s, part)
    local here = -1
    local function begin(page)
        if page < part.pages then
            read_page(part, page, part.values_at + page % 2 * PAGE * s.bytes, part.offsets_at + page % 2 * PAGE * OFFSET_BYTES)
        end
    end
    begin(0)
    return function(k)
        local page, at = k // PAGE, k % PAGE
        if page ~= here then
            noc_async_read_barrier()
            begin(page + 1)
            here = page
        end
        return part.values_at + (page % 2 * PAGE + at) * s.bytes, part.offsets_at + (page % 2 * PAGE + at) * OFFSET_BYTES, PAGE - at
    end
end

-- The nearest BF16 to a single, ties to even.
local function to_bf16(bits)
    scalar { add = 5 }
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16 & 0xffff
end

-- Stores the sum of row `row` of the core; two of 2 bytes make a word.
local function store_sum(s, row, bits, lower)
    local lane = row % s.slice
    local at = s.y_at + (row // s.slice * PAGE + lane) * s.bytes
    if s.bytes == 4 then
        store_words(at, bits)
    elseif lane % 2 == 1 then
        store_words(at - 2, lower | to_bf16(bits) << 16)
    else
        return to_bf16(bits)
    end
end

-- The rows of a mover: sums of products in software.
local function add_up_rows(s, part)
    local entry_at = (part.values and entries_in_dram or entries_in_l1)(s, part)
    local k, lower = 0, nil
    for i = 0, part.rows - 1 do
        local left, bits = string.unpack("<I4", part.lengths, 4 * i + 1), 0
        scalar { load = 1, add = 4 }            -- where the row ends, and the addresses
        while left > 0 do
            local values, offsets, room = entry_at(k)
            local count = math.min(left, room)
            bits = gather_dot(values, s.window, offsets, count, s.bytes, bits)
            k, left = k + count, left - count
        end
        lower = store_sum(s, part.first + i, bits, lower)
    end
    if lower then
        store_sum(s, part.first + part.rows, 0, lower)
    end
end

-- A mover's part of the product, once x is there.
function kernels.gather(s, part)
    if s.layout == "csr" then
        add_up_rows(s, part)
    elseif part.pages > 0 then
        (part.values and gather_from_dram or gather_from_l1)(s, part)
    end
end

-- Compute: tiles of the sum of products, packed into `out`.

-- The FPU adds products up in a Dst of 32 bits.
local function multiply_on_fpu(values, gathered)
    mul_tiles(values, gathered, 0, 0, 0)
end

local function multiply_on_sfpu(values, gathered)
    copy_tile(values, 0, 1)
    copy_tile(gathered, 0, 2)
    mul_binary_tile(1, 2)
    add_binary_tile(0, 1)
end

function kernels.multiply(s, out)
    local multiply = s.unit == "fpu" and multiply_on_fpu or multiply_on_sfpu
    local turn = 0
    for _, width in ipairs(s.widths) do
        scalar { load = 1 }
        tile_regs_acquire()
        if s.unit == "fpu" then
            mul_tiles_init(s.parts[1].cb_values, s.parts[1].cb_gathered)
        else
            copy_tile_to_dst_init_short(s.parts[1].cb_values)
        end
        for _ = 1, width do
            local part = s.parts[turn + 1]
            cb_wait_front(part.cb_values, 1)
            cb_wait_front(part.cb_gathered, 1)
            multiply(part.cb_values, part.cb_gathered)
            cb_pop_front(part.cb_values, 1)
            cb_pop_front(part.cb_gathered, 1)
            turn = 1 - turn
        end
        tile_regs_commit()
        cb_reserve_back(out, 1)
        tile_regs_wait()
        pack_tile(0, out)
        tile_regs_release()
        cb_push_back(out, 1)
    end
end

return kernels
