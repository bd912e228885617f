-- The host's part of a product with a sparse matrix: lays the matrix out for each core, in L1 or in
-- DRAM, and describes each core's share to the kernels of lib/cores/sparse_kernels.lua.

local product = {}

local PAGE = 1024               -- entries, of a tile or of a page of CSR arrays
local OFFSET_BYTES = 4
local MOVERS = 2
local GATHERED_PAGES = 2        -- of a mover

-- The circular buffers of a product: values and gathered numbers of each mover.
product.buffers = { values = { 0, 1 }, gathered = { 2, 3 } }

-- Every other tile of a buffer, from tile `first` on.
local function every_other(host, tiles, count, bytes, first)
    local chosen = host.buffer((count - first + 1) // 2 * bytes)
    for i = first, count - 1, 2 do
        chosen:put(i // 2 * bytes, tiles:part(i * bytes, bytes))
    end
    return chosen
end

-- Sliced ELL: tiles for the movers in turn.
local function lay_out_sliced_ell(host, plan, matrix, part)
    local values, offsets, widths, lanes = matrix:sliced_ell {
        first = part.first, rows = part.rows, slice = plan.slice, pieces = part.pieces,
    }
    part.widths, part.tiles, part.gathered = widths, #lanes, 0
    part.movers = {}
    for mover = 1, MOVERS do
        local own = { values = every_other(host, values, #lanes, PAGE * plan.bytes, mover - 1), lanes = {},
            offsets = every_other(host, offsets, #lanes, PAGE * OFFSET_BYTES, mover - 1) }
        for i = mover, #lanes, 2 do
            own.lanes[#own.lanes + 1] = lanes[i]
            part.gathered = part.gathered + lanes[i]
        end
        own.pages = #own.lanes
        part.movers[mover] = own
    end
end

-- The row at which the second mover's part of CSR begins: half of the entries before it, and even.
local function middle_of(matrix, part)
    local all = matrix:entries(part.first, part.rows)
    local low, high = 0, part.rows
    while low < high do
        local middle = (low + high) // 2
        if 2 * matrix:entries(part.first, middle) < all then
            low = middle + 1
        else
            high = middle
        end
    end
    return math.min(part.rows, low + low % 2)
end

local function whole_pages(host, buffer, bytes)
    local pages = (#buffer + PAGE * bytes - 1) // (PAGE * bytes)
    local whole = host.buffer(pages * PAGE * bytes)
    whole:put(0, buffer)
    return whole, pages
end

-- CSR: rows for each mover.
local function lay_out_csr(host, plan, matrix, part)
    local middle = middle_of(matrix, part)
    local bounds = { 0, middle, part.rows }
    part.gathered, part.tiles = matrix:entries(part.first, part.rows), 0
    part.movers = {}
    for mover = 1, MOVERS do
        local first, rows = bounds[mover], bounds[mover + 1] - bounds[mover]
        local values, offsets, pointers, lengths = matrix:csr {
            first = part.first + first, rows = rows, slice = plan.slice, pieces = part.pieces,
        }
        local own = { first = first, rows = rows, lengths = lengths, pointers = pointers }
        own.values, own.pages = whole_pages(host, values, plan.bytes)
        own.offsets = whole_pages(host, offsets, OFFSET_BYTES)
        part.movers[mover] = own
    end
end

-- The most of a number over all cores' movers.
local function most(plan, mover, count)
    local result = 0
    for _, part in ipairs(plan.parts) do
        result = math.max(result, count(part.movers[mover]))
    end
    return result
end

-- Tiles of sliced ELL for a core's rows.
local function count_tiles(plan, matrix, part)
    local tiles = 0
    for first = 0, part.rows - 1, plan.slice do
        local _, most_of_row = matrix:entries(part.first + first, math.min(plan.slice, part.rows - first))
        tiles = tiles + math.max(1, most_of_row)
    end
    return tiles
end

local function refuse_l1(host, plan, matrix_bytes, others)
    host.refuse(("a core's part takes %d KiB of L1, %d for the matrix and %d for vectors and buffers; %d are free: use more cores%s")
        :format((matrix_bytes + others) // 1024, matrix_bytes // 1024, others // 1024, host.l1_free(0, 0) // 1024,
            plan.is_in_l1 and ", a smaller matrix or from=dram" or " or a smaller matrix"))
end

-- Refuses a matrix that one long row makes too large, before it is laid out in the host's memory.
local function check_tiles(host, plan, matrix)
    local tile_bytes, all = PAGE * (plan.bytes + OFFSET_BYTES), 0
    local room = host.number("dram.channel_count") * host.number("dram.channel_bytes")
    for _, part in ipairs(plan.parts) do
        local bytes = count_tiles(plan, matrix, part) * tile_bytes
        all = all + bytes
        if plan.is_in_l1 and bytes > host.l1_free(0, 0) then
            refuse_l1(host, plan, bytes, 0)
        elseif all > room then
            host.refuse(("the matrix takes more than the %d MiB of DRAM that the chip has; layout=csr has no padding"):format(room // 2 ^ 20))
        end
    end
end

-- Lays the matrix out; what it takes is then plan.l1_bytes, per core, with `is_in_l1` or for pages on
-- the way, and plan.matrix_bytes in all.
function product.lay_out(host, p, plan, matrix, is_in_l1)
    plan.layout, plan.is_in_l1, plan.dtype = p.layout, is_in_l1, p.dtype
    plan.matrix_bytes, plan.tile_count, plan.gathered, plan.l1_bytes = 0, 0, 0, 0
    if p.layout ~= "csr" then
        check_tiles(host, plan, matrix)
    end
    for _, part in ipairs(plan.parts) do
        (p.layout == "csr" and lay_out_csr or lay_out_sliced_ell)(host, plan, matrix, part)
        plan.tile_count, plan.gathered = plan.tile_count + part.tiles, plan.gathered + part.gathered
        for _, own in ipairs(part.movers) do
            plan.matrix_bytes = plan.matrix_bytes + #own.values + #own.offsets + (own.pointers and #own.pointers or 0)
        end
    end
    local page_bytes = PAGE * (plan.bytes + OFFSET_BYTES)
    plan.room = {}
    for mover = 1, MOVERS do
        local pages = is_in_l1 and most(plan, mover, function(own) return own.pages end) or p.layout == "csr" and 2 or 3
        local pointers = most(plan, mover, function(own) return own.pointers and #own.pointers or 0 end)
        plan.room[mover] = { pages = pages, pointers = pointers }
        plan.l1_bytes = plan.l1_bytes + pages * page_bytes + pointers
        if p.layout ~= "csr" then
            plan.l1_bytes = plan.l1_bytes + GATHERED_PAGES * PAGE * plan.bytes
        end
    end
end

-- Refuses what does not fit: `others` are bytes that vectors and buffers take beside the matrix.
function product.check_room(host, plan, others)
    if plan.l1_bytes + others > host.l1_free(0, 0) then
        refuse_l1(host, plan, plan.l1_bytes, others)
    end
end

-- The pages of all cores and movers, one after another, in DRAM.
local function put_into_dram(host, plan)
    local pages = 0
    for _, part in ipairs(plan.parts) do
        for _, own in ipairs(part.movers) do
            own.first_page, pages = pages, pages + own.pages
        end
    end
    pages = math.max(1, pages)
    local free = host.number("dram.channel_count") * host.number("dram.channel_bytes")
    if pages * PAGE * (plan.bytes + OFFSET_BYTES) > free then
        host.refuse(("the matrix takes %d MiB of DRAM, the chip has %d"):format(pages * PAGE * (plan.bytes + OFFSET_BYTES) >> 20,
            free // 2 ^ 20))
    end
    for name, bytes in pairs { values = plan.bytes, offsets = OFFSET_BYTES } do
        local whole = host.buffer(pages * PAGE * bytes)
        for _, part in ipairs(plan.parts) do
            for _, own in ipairs(part.movers) do
                whole:put(own.first_page * PAGE * bytes, own[name])
            end
        end
        plan["on_" .. name] = host.dram_buffer { pages = pages, page_bytes = PAGE * bytes }
        host.upload(whole, plan["on_" .. name])
    end
end

local function put_into_l1(host, plan)
    for _, part in ipairs(plan.parts) do
        for mover, own in ipairs(part.movers) do
            local at = plan.at[mover]
            if own.pages > 0 then
                host.l1_write(part.x, part.y, at.values, own.values)
                host.l1_write(part.x, part.y, at.offsets, own.offsets)
            end
        end
    end
end

-- Allocates L1 and moves the matrix to where it stays. The host's copies are given up.
function product.place(host, plan)
    plan.at = {}
    for mover, room in ipairs(plan.room) do
        local function allocate(name, bytes)
            return host.l1_allocate { cores = plan.cores, bytes = math.max(32, bytes), name = name }
        end
        plan.at[mover] = { offsets = allocate("matrix, offsets", room.pages * PAGE * OFFSET_BYTES) }
        if plan.is_in_l1 or plan.layout == "csr" then
            plan.at[mover].values = allocate("matrix, values", room.pages * PAGE * plan.bytes)
        end
        if plan.layout ~= "csr" then
            plan.at[mover].gathered = allocate("gathered", GATHERED_PAGES * PAGE * plan.bytes)
        end
        if room.pointers > 0 then
            plan.at[mover].pointers = allocate("matrix, pointers", room.pointers)
        end
    end
    if plan.is_in_l1 then
        put_into_l1(host, plan)
    else
        put_into_dram(host, plan)
    end
    for _, part in ipairs(plan.parts) do
        for mover, own in ipairs(part.movers) do
            local at = plan.at[mover]
            if own.pointers then
                host.l1_write(part.x, part.y, at.pointers, own.pointers)
            end
            if at.gathered then     -- lanes without an entry are multiplied by 0, so they must hold numbers
                host.l1_write(part.x, part.y, at.gathered, host.buffer(GATHERED_PAGES * PAGE * plan.bytes))
            end
            own.values, own.offsets, own.pointers = nil, nil, nil
        end
    end
end

local function add_buffers(program, plan, part)
    for mover, own in ipairs(part.movers) do
        local function buffer(index, pages, address)
            program:circular_buffer { cores = { x = part.x, y = part.y }, index = index, pages = pages, format = plan.dtype,
                address = address }
        end
        local at = plan.at[mover]
        buffer(product.buffers.values[mover], plan.is_in_l1 and math.max(1, own.pages) or 3, plan.is_in_l1 and at.values or nil)
        buffer(product.buffers.gathered[mover], GATHERED_PAGES, at.gathered)
    end
end

-- What a core's kernels get: see lib/cores/sparse_kernels.lua. `options` has window, the address of x
-- on the core, y_at, that of y, for CSR, and x, a DRAM buffer, unless x is in L1.
local function share_of(plan, part, options, fetched)
    local s = {
        layout = plan.layout, bytes = plan.bytes, slice = plan.slice, unit = plan.dtype == "fp32" and "sfpu" or "fpu",
        window = options.window, y_at = options.y_at, x = options.x, fetched = fetched, widths = part.widths, reads = {}, parts = {},
    }
    for i, read in ipairs(part.reads) do
        local owner = plan.parts[read.owner]
        s.reads[i] = { page = read.page, x = owner and owner.x, y = owner and owner.y, from = read.from, to = read.to, bytes = read.bytes }
    end
    for mover, own in ipairs(part.movers) do
        local at = plan.at[mover]
        s.parts[mover] = {
            pages = own.pages, lanes = own.lanes, first = own.first, rows = own.rows, lengths = own.lengths, first_page = own.first_page,
            values = plan.on_values, offsets = plan.on_offsets, values_at = at.values, offsets_at = at.offsets,
            cb_values = product.buffers.values[mover], cb_gathered = product.buffers.gathered[mover],
        }
    end
    return s
end

-- Adds circular buffers and a semaphore to a program. Returns a function of x and y for the arguments
-- of kernels.
function product.describe(program, plan, options)
    local fetched = program:semaphore { cores = plan.cores, value = 0, name = "x is there" }
    local shares = {}
    for _, part in ipairs(plan.parts) do
        if plan.layout ~= "csr" then
            add_buffers(program, plan, part)
        end
        shares[part.x .. "," .. part.y] = share_of(plan, part, options, fetched)
    end
    return function(x, y)
        return shares[x .. "," .. y]
    end
end

-- What movers can do at most: gathers hold the port of L1 that both share, a cycle a load and some a
-- store; products and sums in software keep each busy. `seconds` are those of `products` products.
function product.roof(host, plan, seconds, products)
    local cycles, source
    if plan.layout == "csr" then
        cycles = (2 * host.number("riscv.l1_load_cycles") + host.number("riscv.float_multiply_cycles")
            + host.number("riscv.float_add_cycles")) / MOVERS
        source = "riscv.l1_load_cycles, float_multiply_cycles and float_add_cycles, of both movers of a core"
    else
        cycles = 2 + host.number("l1.narrow_write_cycles") * plan.bytes / OFFSET_BYTES
        source = "l1.narrow_write_cycles and two loads, of a core's port for movers"
    end
    host.roof {
        name = plan.layout == "csr" and "software floats of movers" or "gathers", unit = "FLOP per second",
        value = 2 / cycles * #plan.parts * host.number("chip.clock_hz"), source = source,
        achieved = 2 * plan.entries * products / seconds,
    }
end

-- Puts what the layout costs into the result, and prints it.
function product.report(host, plan)
    local worst = 0
    for _, part in ipairs(plan.parts) do
        worst = math.max(worst, part.gathered)
    end
    local foreign, reads = 0, 0
    for _, part in ipairs(plan.parts) do
        foreign, reads = foreign + part.foreign * plan.bytes, reads + #part.reads
    end
    local stored = plan.layout == "csr" and plan.entries or plan.tile_count * PAGE
    local metrics = {
        entries = plan.entries, matrix_bytes = plan.matrix_bytes, x_bytes = foreign, x_reads = reads, slice_rows = plan.slice,
        stored_per_entry = stored / math.max(1, plan.entries), gathered_per_entry = plan.gathered / math.max(1, plan.entries),
        imbalance = worst * #plan.parts / math.max(1, plan.gathered), useful_flops = 2 * plan.entries,
    }
    for name, value in pairs(metrics) do
        host.metric(name, value)
    end
    print(("%d x %d with %d entries, %s in slices of %d rows: %.2f numbers stored and %.2f gathered an entry, the fullest core has %.2f of the mean")
        :format(plan.rows, plan.columns, plan.entries, plan.layout, plan.slice, metrics.stored_per_entry, metrics.gathered_per_entry,
            metrics.imbalance))
end

return product
