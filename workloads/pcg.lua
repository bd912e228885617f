-- Conjugate gradients with the Jacobi preconditioner on the 7-point Laplacian of a 3D grid,
-- as arXiv:2603.23343 section 7: one fused kernel in BF16, or a kernel for each operation
-- in FP32.

local solver = require("pcg_solver")

return {
    summary = "preconditioned conjugate gradients on a 3D grid, fused in BF16 or split in FP32",
    chips = { "tensix" },
    parameters = solver.parameters,
    kernels = solver.kernels,
    run = solver.run,
}
