-- The acoustic wave equation, 8th order in space and 2nd in time, for both kinds of chips: a
-- step is u_new = Q u - u_old, Q being 2 and the Laplacian times (dt V / h)^2.

return {
    reach = 4,
    second = { [0] = -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560 },     -- the second derivative's weights, by distance
    factor = 0.1,       -- (dt V / h)^2; waves stay bounded up to 0.205
    flop = 51,          -- of a cell: 25 products and sums, and a difference
}
