-- Conjugate gradients with the Jacobi preconditioner on the 7-point Laplacian of a 3D grid. On
-- Tensix cores it follows section 7 of arXiv:2603.23343: one fused kernel, by default in BF16, or
-- a kernel for each operation, by default in FP32. On wafers every PE has a column of cells.

local on_wafer = require("wafer/solve")
local solver = require("cores/pcg_solver")

local diagonal = on_wafer.diagonal
local parameters = on_wafer.parameters("fp32", true)
parameters[#parameters + 1] = diagonal.parameter
for i, parameter in ipairs(solver.parameters) do
    parameter.chips = { "tensix" }
    table.insert(parameters, i, parameter)
end

return {
    summary = "preconditioned conjugate gradients on a 3D grid",
    chips = { "tensix", "wse" },
    parameters = parameters,
    kernels = solver.kernels,
    inputs = { on_wafer.inputs[1], on_wafer.inputs[2], diagonal.input },
    outputs = on_wafer.outputs,
    run = function(host, p)
        if host.family == "wse" then
            on_wafer.run(host, p, require("wafer/pcg"))
        else
            solver.run(host, p)
        end
    end,
}
