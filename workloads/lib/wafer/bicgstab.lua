-- Stabilized biconjugate gradients on a wafer, as Rocki et al. 2020 run it: a 7-point matrix
-- with 1 on its diagonal; 2 products, 6 updates and 4 dot products per iteration. The dot
-- products need 3 all-reduces: r0.v; t.s with t.t; r0.r, with r.r for the history. s takes the
-- place of r.

local bicgstab = {
    name = "bicgstab", words = 2, all_reduces = 3,
    -- Some pairs that are read together share banks: p with r, and r0 with r in f32. All three
    -- are also read with v, so they cannot all differ.
    vectors = {
        { names = { "p", "r" }, place = 4, has_ghosts = true },
        { names = { "v" }, place = 0 },
        { names = { "t" }, place = 0 },
        { names = { "x" }, place = 0 },
        { names = { "r0" }, place = 12 },
    },
    tolerances = { fp32 = 1e-3, mixed = 0.1 },
}

function bicgstab.program(m)
    local pe, settings = m.pe, m.settings
    local x, r, p, v, t, r0 = m.x, m.r, m.p, m.v, m.t, m.r0
    local rho, quotient, square = m:scalar("rho"), m:scalar("quotient"), m:scalar("square")
    local alpha, less_alpha = m:factor("alpha"), m:factor("less_alpha")
    local omega, less_omega = m:factor("omega"), m:factor("less_omega")
    local beta = m:factor("beta")
    local square_to = pe:mem1d_dsd { base = square, extent = 1 }
    local coefficients = settings.coefficients
    local function multiply()
        m:exchange("v", p, function() m:own_product(v, p, coefficients) end)
    end

    m:at_start(function()
        m:move(p, r)
        m:move(r0, r)
        m:dot(1, r, r)
        pe:fmovs(m.words[2].one, m.words[1].one)
        m:sum("start")
    end)
    m:when_exchanged("v", function()
        m:add_product(v, coefficients)
        m:dot(1, r0, v)
        m:sum("alpha", 1)
    end)
    m:when_summed("alpha", function()
        pe:scalar_op("div", alpha.scalar, rho, m.value)
        pe:scalar_op("neg", less_alpha.scalar, alpha.scalar)
        m:set_factor(alpha)
        m:set_factor(less_alpha)
        m:update(r, r, less_alpha, v)
        m:exchange("t", r, function() m:own_product(t, r, coefficients) end)
    end)
    m:when_exchanged("t", function()
        m:add_product(t, coefficients)
        m:dot(1, r, t)
        m:dot(2, t, t)
        m:sum("omega")
    end)
    m:when_summed("omega", function()
        pe:fmovs(square_to, m.words[2].one)
        pe:scalar_op("div", omega.scalar, m.value, square)
        pe:scalar_op("neg", less_omega.scalar, omega.scalar)
        m:set_factor(omega)
        m:set_factor(less_omega)
        m:update(x, x, alpha, p)
        m:update(x, x, omega, r)
        m:update(r, r, less_omega, t)
        m:dot(1, r0, r)
        if settings.has_norms then
            m:dot(2, r, r)
        end
        m:sum("rho", settings.has_norms and 2 or 1)
    end)
    m:when_summed("rho", function()
        pe:scalar_op("div", beta.scalar, m.value, rho)
        pe:scalar_op("div", quotient, alpha.scalar, omega.scalar)
        pe:scalar_op("mul", beta.scalar, beta.scalar, quotient)
        pe:scalar_op("mov", rho, m.value)
        m:set_factor(beta)
        m:update(p, p, less_omega, v)
        m:update(p, r, beta, p)
        if m.limit then
            pe:fmovs(square_to, m.words[2].one)
        end
        m:end_iteration(2, square, multiply)
    end)
    m:when_summed("start", function()
        pe:scalar_op("mov", rho, m.value)
        m:keep(2)
        if m.limit then
            pe:fmovs(square_to, m.words[2].one)
        end
        m:unless_done(square, multiply)
    end)
end

-- FLOP per cell and iteration: 2 products with 6 neighbours, 6 updates, 4 or 5 dot products.
function bicgstab.flops(settings)
    return 2 * 12 + 6 * 2 + (settings.has_norms and 5 or 4) * 2
end

return bicgstab
