-- Grids of 1 to 56 cores for the weak-scaling figures. The paper gives the number of cores but
-- not their arrangement; these grids are as square as possible.

return {
    { rows = 1, cols = 1 }, { rows = 1, cols = 2 }, { rows = 2, cols = 2 }, { rows = 2, cols = 3 },
    { rows = 3, cols = 3 }, { rows = 3, cols = 4 }, { rows = 4, cols = 4 }, { rows = 4, cols = 5 },
    { rows = 5, cols = 5 }, { rows = 5, cols = 6 }, { rows = 6, cols = 6 }, { rows = 6, cols = 7 },
    { rows = 7, cols = 7 }, { rows = 7, cols = 8 },
}
