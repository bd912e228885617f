-- Norms of the residual, from number 0 at the start on: compared, reported, and checked against
-- the user's tolerance.

local history = {}

-- The largest difference between two histories, as far as both go; NaN equals only NaN.
function history.difference(norms, others)
    local worst = 0
    for i = 0, math.min(#norms, #others) do
        local is_same = norms[i] == others[i] or (norms[i] ~= norms[i] and others[i] ~= others[i])
        local apart = is_same and 0 or math.abs(norms[i] - others[i])
        worst = apart == apart and math.max(worst, apart) or math.huge
    end
    return worst
end

-- The same, relative to the first of the others; absolute if that is 0.
function history.relative_difference(norms, others)
    return history.difference(norms, others) / (others[0] == 0 and 1 or others[0])
end

-- Puts the norms into the result. Says and fails if the method broke down on quotients of numbers
-- that had become 0 or nearly 0, though a reference may break down alike.
function history.report(host, norms)
    local list = {}
    local broken
    for i = 0, #norms do
        list[i + 1] = norms[i]
        if not broken and (norms[i] ~= norms[i] or norms[i] == math.huge) then
            broken = i
        end
    end
    host.metric("residual_history", list)
    if broken then
        print(("the method broke down in iteration %d; fewer iterations or a tolerance end before that"):format(broken))
        host.check { error = math.huge, tolerance = 0, reference = "norms of the residual that are numbers" }
    end
end

-- Reports that the requested norm was reached, or that the run ended without it.
function history.check_tolerance(host, p, norms)
    if p.tolerance <= 0 then
        return
    end
    local last = norms[#norms]
    host.metric("is_converged", last <= p.tolerance)
    if not (last <= p.tolerance) then
        print(("tolerance=%g was not reached within %d iterations, the norm of the residual is %g"):format(p.tolerance, #norms, last))
    end
    host.check {
        error = last, tolerance = p.tolerance,
        reference = ("tolerance=%g within iterations=%d, the norm of the residual"):format(p.tolerance, p.iterations),
    }
end

-- Refuses a tolerance in a run without data, which has no norms to stop by.
function history.refuse_tolerance_without_data(host, p)
    if p.tolerance > 0 and not host.is_functional then
        host.refuse(("tolerance = %g: a --timing-only run has no numbers to stop by; leave it out and give iterations"):format(p.tolerance))
    end
end

return history
