-- Sparse matrices to multiply and to solve with, made row by row on the host.

local matrices = {}

-- A new matrix with the rows that row(i, put) makes.
local function build(host, format, rows, columns, row)
    local matrix = host.sparse { rows = rows, columns = columns, format = format }
    local function put(column, value)
        matrix:put(column, value)
    end
    for i = 0, rows - 1 do
        row(i, put)
        matrix:end_row()
    end
    return matrix
end

-- Each cell of a grid minus its neighbours, along as many directions as make up `centre` with 2 each.
-- One pass for all rows: grids are large.
local function poisson(host, format, nx, ny, nz, centre)
    local matrix = host.sparse { rows = nx * ny * nz, columns = nx * ny * nz, format = format }
    local cell, plane = 0, nx * ny
    local function put(is_there, column)
        if is_there then
            matrix:put(column, -1)
        end
    end
    for z = 1, nz do
        for y = 1, ny do
            for x = 1, nx do
                put(z > 1, cell - plane)
                put(y > 1, cell - nx)
                put(x > 1, cell - 1)
                matrix:put(cell, centre)
                put(x < nx, cell + 1)
                put(y < ny, cell + nx)
                put(z < nz, cell + plane)
                matrix:end_row()
                cell = cell + 1
            end
        end
    end
    return matrix
end

local families = {}

function families.poisson7(host, p)
    return poisson(host, p.dtype, p.nx, p.ny, p.nz, 6)
end

function families.poisson5(host, p)
    return poisson(host, p.dtype, p.nx, p.ny, 1, 4)
end

-- `entries` diagonals on either side, each weaker than the last; the diagonal is a little more than
-- the sum of the others.
function families.banded(host, p)
    return build(host, p.dtype, p.n, p.n, function(i, put)
        local sum = 0
        for distance = 1, p.entries do
            sum = sum + 2 / distance
        end
        for column = math.max(0, i - p.entries), math.min(p.n - 1, i + p.entries) do
            put(column, column == i and sum + 1 or -1 / math.abs(column - i))
        end
    end)
end

-- The Laplacian of a random graph, plus 1: each node chooses half of `entries` others.
function families.graph(host, p)
    local neighbours = {}
    for i = 0, p.n - 1 do
        neighbours[i] = {}
    end
    for i = 0, p.n - 1 do
        for _ = 1, p.entries // 2 do
            local other = math.random(0, p.n - 1)
            if other ~= i then
                neighbours[i][other], neighbours[other][i] = true, true
            end
        end
    end
    return build(host, p.dtype, p.n, p.n, function(i, put)
        local degree = 0
        for other in pairs(neighbours[i]) do
            put(other, -1)
            degree = degree + 1
        end
        put(i, degree + 1)
    end)
end

-- A dense first row and column, and the diagonal.
function families.arrow(host, p)
    return build(host, p.dtype, p.n, p.n, function(i, put)
        if i == 0 then
            put(0, p.n)
            for column = 1, p.n - 1 do
                put(column, -1)
            end
        else
            put(0, -1)
            put(i, 2)
        end
    end)
end

-- Rows of 0 to twice `entries` numbers from -1 to 1, anywhere.
function families.random(host, p)
    local columns = p.columns > 0 and p.columns or p.n
    return build(host, p.dtype, p.n, columns, function(_, put)
        local chosen = {}
        for _ = 1, math.random(0, math.min(2 * p.entries, columns)) do
            local column = math.random(0, columns - 1)
            if not chosen[column] then
                chosen[column] = true
                put(column, 2 * math.random() - 1)
            end
        end
    end)
end

-- The arrays of CSR that a user may give as files.
matrices.inputs = {
    { name = "indptr", help = "matrix=file: where the entries of each row begin, and their number" },
    { name = "indices", help = "matrix=file: columns of entries, row after row" },
    { name = "data", help = "matrix=file: their values" },
}

-- Refuses arrays that are no matrix. Returns rows.
local function check_arrays(host, indptr, entries, values)
    local rows = #indptr // 4 - 1
    if rows < 1 then
        host.refuse("indptr has less than two numbers: it says where each row begins, and where the last one ends")
    elseif values ~= entries then
        host.refuse(("data has %d numbers, indices has %d"):format(values, entries))
    end
    local before = 0
    for i = 0, rows do
        local at = math.tointeger(indptr:get("int32", i))
        if i == 0 and at ~= 0 or at < before or i == rows and at ~= entries then
            host.refuse(("indptr[%d] is %d: the first is 0, none is less than the one before, and the last is %d, the length of indices")
                :format(i, at, entries))
        end
        before = at
    end
    return rows
end

-- A matrix in CSR from the user's files.
function families.file(host, p)
    local indptr, indices, data = host.load("indptr", { format = "int32" }), host.load("indices", { format = "int32" }),
        host.load("data", { format = "fp32" })
    if not (indptr and indices and data) then
        host.refuse("matrix=file: the matrix comes with --in indptr=FILE, indices=FILE and data=FILE")
    elseif not host.is_functional then
        host.refuse("matrix=file: a --timing-only run reads no numbers, and so no columns")
    end
    local rows, next_entry = check_arrays(host, indptr, #indices // 4, #data // 4), 0
    return build(host, p.dtype, rows, p.columns and p.columns > 0 and p.columns or rows, function(i, put)
        for k = next_entry, math.tointeger(indptr:get("int32", i + 1)) - 1 do
            put(math.tointeger(indices:get("int32", k)), data:get("fp32", k))
            next_entry = k + 1
        end
    end)
end

-- The parameters of a workload that takes these matrices; `names` are those that it takes.
function matrices.parameters(names)
    return {
        { name = "matrix", type = "choice", default = "poisson7", choices = names,
          help = "poisson7, poisson5: grids; banded; graph: a random graph's; arrow: one dense row and column"
              .. (names[#names] == "random" and "; random: rows of any length" or "") .. "; file: from --in" },
        { name = "nx", type = "integer", default = 32, min = 1, max = 4096, help = "poisson: cells along x" },
        { name = "ny", type = "integer", default = 32, min = 1, max = 4096, help = "poisson: cells along y" },
        { name = "nz", type = "integer", default = 32, min = 1, max = 4096, help = "poisson7: cells along z" },
        { name = "n", type = "integer", default = 8192, min = 1, max = 1 << 24, help = "others: rows" },
        { name = "entries", type = "integer", default = 8, min = 1, max = 4096,
          help = "banded: diagonals on either side; graph, random: entries of a row in the mean" },
    }
end

-- The sizes that a family does not have.
local unused = {
    poisson7 = { "n", "entries" }, poisson5 = { "nz", "n", "entries" }, file = { "nx", "ny", "nz", "n", "entries" },
    banded = { "nx", "ny", "nz" }, graph = { "nx", "ny", "nz" }, arrow = { "nx", "ny", "nz", "entries" }, random = { "nx", "ny", "nz" },
}

-- The matrix that the parameters describe.
function matrices.make(host, p)
    if not host.is_given("matrix") and host.load("indptr") then
        p.matrix = "file"
    end
    for _, name in ipairs(unused[p.matrix]) do
        if host.is_given(name) then
            host.refuse(("%s=%s: not a size of matrix=%s"):format(name, p[name], p.matrix))
        end
    end
    return families[p.matrix](host, p)
end

-- A vector in the order of the user's numbers, or nil: in tiles, as `plan` says, in the order of the
-- matrix's rows if `by_row`.
function matrices.load_vector(host, p, plan, matrix, name, by_row)
    local count = by_row and plan.rows or plan.columns
    local given = host.load(name, { format = p.dtype, shape = { count } })
    if not given then
        return nil
    end
    local vector = host.buffer((count + plan.slice - 1) // plan.slice * host.tile_bytes(p.dtype))
    for i = 0, count - 1 do
        vector:set(p.dtype, i // plan.slice * 1024 + i % plan.slice, given:get(p.dtype, by_row and matrix:origin(i) or i))
    end
    return vector
end

-- Saves a vector in the order of rows if the user wants it, as it was before they were sorted.
function matrices.save_vector(host, p, plan, matrix, name, vector)
    if not host.wants(name) then
        return
    end
    local numbers = host.buffer(plan.rows * plan.bytes)
    for i = 0, plan.rows - 1 do
        numbers:set(p.dtype, matrix:origin(i), vector:get(p.dtype, i // plan.slice * 1024 + i % plan.slice))
    end
    host.save(numbers, name, { format = p.dtype })
end

return matrices
