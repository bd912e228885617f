-- Conjugate gradients with the Jacobi preconditioner on the 7-point Laplacian, on a wafer. An
-- iteration has two all-reduces of one number: because z = r/6, r.z is r.r/6 and beta is the
-- quotient of two r.r. q is -A p, so one factor serves both updates; then q holds z.
--
-- On several wafers an iteration is two phases: a new direction, its product and p.q; then
-- updates and r.r. Between them a phase needs the sum from other wafers, and r beyond the
-- edges.

local SIXTH = 1 / 6

local pcg = {
    name = "pcg", words = 1, all_reduces = 2,
    -- Pairs that are read together lie in different banks: p and q, x and p, r and q, q and
    -- received columns.
    vectors = {
        { names = { "p" }, place = 4, has_ghosts = true },
        { names = { "q" }, place = 0 },
        { names = { "x" }, place = 0 },
        { names = { "r" }, place = 4 },
    },
    tolerances = { fp32 = 1e-4, mixed = 0.05 },     -- of norms against double precision, relative to the first norm
}

-- FLOP per cell and iteration: 5 sums and a multiply-add for the matrix, 3 updates and a
-- scaling, 2 dot products.
function pcg.flops()
    return 5 + 2 + 3 * 2 + 1 + 2 * 2
end

-- Scalars of a PE, and its work on the vectors of a phase.
local function operations(m)
    local pe = m.pe
    local x, r, p, q = m.x, m.r, m.p, m.q
    local square, sixth, curvature = m:scalar("square"), m:scalar("sixth", SIXTH), m:scalar("curvature")
    local alpha, beta = m:factor("alpha"), m:factor("beta")
    local it = { square = square }

    function it.begin()
        m:scale(p, SIXTH, r)
    end

    -- With the sum p.q: x, r, and the PE's part of r.r.
    function it.update()
        pe:scalar_op("neg", curvature, m.value)
        pe:scalar_op("mul", alpha.scalar, square, sixth)
        pe:scalar_op("div", alpha.scalar, alpha.scalar, curvature)
        m:set_factor(alpha)
        m:update(r, r, alpha, q)
        m:update(x, x, alpha, p)
        m:dot(1, r, r)
    end

    -- With the sum r.r: the next direction.
    function it.turn()
        pe:scalar_op("div", beta.scalar, m.value, square)
        pe:scalar_op("mov", square, m.value)
        m:set_factor(beta)
        m:scale(q, SIXTH, r)
        m:update(p, q, beta, p)
    end

    -- The same for columns on other wafers, where r is no longer needed.
    function it.begin_ghosts()
        for _, ghost in ipairs(m.ghosts) do
            m:scale(ghost.p, SIXTH, ghost.r)
        end
    end

    function it.turn_ghosts()
        for _, ghost in ipairs(m.ghosts) do
            m:scale(ghost.r, SIXTH, ghost.r)
            m:update(ghost.p, ghost.r, beta, ghost.p)
        end
    end

    -- During an exchange: the part of the product that needs the own column only. After it: the
    -- rest, and the PE's part of p.q.
    function it.multiply_own()
        m:own_laplacian(q, p)
    end

    function it.multiply()
        m:add_laplacian(q, p)
        m:dot(1, p, q)
    end
    return it
end

function pcg.program(m)
    local pe, p, it = m.pe, m.p, operations(m)
    local square = it.square
    local function multiply()
        m:exchange("product", p, it.multiply_own)
    end

    m:at_start(function()
        it.begin()
        m:dot(1, m.r, m.r)
        m:sum("start")
    end)
    m:when_exchanged("product", function()
        it.multiply()
        m:sum("curvature")
    end)
    m:when_summed("curvature", function()
        it.update()
        m:sum("square")
    end)
    m:when_summed("square", function()
        it.turn()
        m:end_iteration(1, square, multiply)
    end)
    m:when_summed("start", function()
        pe:scalar_op("mov", square, m.value)
        m:keep(1)
        m:unless_done(square, multiply)
    end)
end

-- Phases: the values of the launches' variable "phase".
pcg.phases = { start = 0, first = 1, direction = 2, update = 3 }

function pcg.phase_program(m)
    local pe, it, phases = m.pe, operations(m), pcg.phases
    local phase = pe:variable { name = "phase", value = phases.start }

    m:at_start(function()
        pe:when(phase, "==", phases.start, function()
            it.begin()
            m:dot(1, m.r, m.r)
            m:reduce("end")
        end, function() m:spread("spread") end)
    end)
    m:when_summed("spread", function()
        pe:when(phase, "==", phases.update, function()
            it.update()
            m:reduce("end")
        end, function()
            pe:when(phase, "==", phases.first, function()
                pe:scalar_op("mov", it.square, m.value)
                it.begin_ghosts()
            end, function()
                it.turn()
                it.turn_ghosts()
            end)
            m:exchange("product", m.p, it.multiply_own)
        end)
    end)
    m:when_exchanged("product", function()
        it.multiply()
        m:reduce("end")
    end)
    m:when_summed("end", function()
        pe:iteration_done()
        pe:zone("")
    end)
end

return pcg
