-- Conjugate gradients with the Jacobi preconditioner on the 7-point Laplacian, on a wafer.
-- Two all-reduces of one number an iteration: as z = r/6, r.z is r.r/6 and beta the quotient
-- of two r.r. q is -A p, so that one factor serves both updates; q then has z.

local SIXTH = 1 / 6

local pcg = {
    name = "pcg", words = 1, all_reduces = 2,
    -- Pairs that are read together are in different banks: p and q, x and p, r and q, q and
    -- received columns.
    vectors = {
        { names = { "p" }, place = 4, has_ghosts = true },
        { names = { "q" }, place = 0 },
        { names = { "x" }, place = 0 },
        { names = { "r" }, place = 4 },
    },
    tolerances = { fp32 = 1e-4, mixed = 0.05 },     -- of norms against double precision, of the first norm
}

-- Of a cell in an iteration: 5 sums and a multiply-add of the matrix, 3 updates and a
-- scaling, 2 dot products.
function pcg.flops()
    return 5 + 2 + 3 * 2 + 1 + 2 * 2
end

function pcg.program(m)
    local pe = m.pe
    local x, r, p, q = m.x, m.r, m.p, m.q
    local square, sixth, curvature = m:scalar("square"), m:scalar("sixth", SIXTH), m:scalar("curvature")
    local alpha, beta = m:factor("alpha"), m:factor("beta")
    local function multiply()
        m:exchange("product", p)
    end

    m:at_start(function()
        m:scale(p, SIXTH, r)
        m:dot(1, r, r)
        m:sum("start")
    end)
    m:when_exchanged("product", function()
        m:laplacian(q, p)
        m:dot(1, p, q)
        m:sum("curvature")
    end)
    m:when_summed("curvature", function()
        pe:scalar_op("neg", curvature, m.value)
        pe:scalar_op("mul", alpha.scalar, square, sixth)
        pe:scalar_op("div", alpha.scalar, alpha.scalar, curvature)
        m:set_factor(alpha)
        m:update(r, r, alpha, q)
        m:update(x, x, alpha, p)
        m:dot(1, r, r)
        m:sum("square")
    end)
    m:when_summed("square", function()
        pe:scalar_op("div", beta.scalar, m.value, square)
        pe:scalar_op("mov", square, m.value)
        m:set_factor(beta)
        m:scale(q, SIXTH, r)
        m:update(p, q, beta, p)
        m:end_iteration(1, square, multiply)
    end)
    m:when_summed("start", function()
        pe:scalar_op("mov", square, m.value)
        m:keep(1)
        m:unless_done(square, multiply)
    end)
end

return pcg
