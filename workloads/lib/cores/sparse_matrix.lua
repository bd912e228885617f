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

-- The parameters of a workload that takes these matrices; `names` are those that it takes.
function matrices.parameters(names)
    return {
        { name = "matrix", type = "choice", default = "poisson7", choices = names,
          help = "poisson7, poisson5: grids; banded; graph: a random graph's; arrow: one dense row and column"
              .. (names[#names] == "random" and "; random: rows of any length" or "") },
        { name = "nx", type = "integer", default = 32, min = 1, max = 4096, help = "poisson: cells along x" },
        { name = "ny", type = "integer", default = 32, min = 1, max = 4096, help = "poisson: cells along y" },
        { name = "nz", type = "integer", default = 32, min = 1, max = 4096, help = "poisson7: cells along z" },
        { name = "n", type = "integer", default = 8192, min = 1, max = 1 << 24, help = "others: rows" },
        { name = "entries", type = "integer", default = 8, min = 1, max = 4096,
          help = "banded: diagonals on either side; graph, random: entries of a row in the mean" },
    }
end

-- The matrix that the parameters describe.
function matrices.make(host, p)
    return families[p.matrix](host, p)
end

return matrices
