-- z = x + y, tile by tile, on a grid of cores: on the FPU or the SFPU, with the vectors in DRAM
-- or resident in L1. The kernels are in lib/cores/vector_addition.lua.

local addition = require("cores/vector_addition")

return {
    summary = "vector addition: tiles through unpackers, FPU or SFPU, and packer",
    chips = { "tensix" },
    parameters = {
        { name = "tiles", type = "integer", default = 256, min = 1, max = 4096, help = "tiles of 1024 numbers per core" },
        { name = "unit", type = "choice", default = "fpu", choices = { "fpu", "sfpu" }, help = "which unit adds" },
        { name = "dtype", type = "choice", default = "bf16", choices = { "bf16", "fp32" }, help = "format of the numbers" },
        { name = "from", type = "choice", default = "dram", choices = { "dram", "l1" }, help = "where the vectors are" },
        { name = "rows", type = "integer", default = 1, min = 1, max = 10, help = "rows of cores" },
        { name = "cols", type = "integer", default = 1, min = 1, max = 8, help = "columns of cores" },
        { name = "compare", type = "switch", default = false, help = "both units, from L1 and from DRAM" },
        { name = "reinit", type = "switch", default = true, help = "SFPU: set up each copy anew, as usual kernels do" },
        { name = "unroll", type = "switch", default = true, help = "SFPU: straight code, beyond the instruction cache" },
    },
    kernels = addition.kernels,
    run = function(host, p)
        host.roof {
            name = ("unpack and pack, %s"):format(p.dtype), unit = "FLOP per cycle", value = addition.roof_rate(host, p),
            source = "unpack.l1_bytes_per_cycle and pack.l1_bytes_per_cycle, one after the other in BF16, "
                .. "as arXiv:2603.23343 figure 3, else the slower",
        }
        if not p.compare then
            addition.add(host, p, p.unit, p.from)
            return
        end
        for _, from in ipairs { "l1", "dram" } do
            local fpu, sfpu = addition.add(host, p, "fpu", from), addition.add(host, p, "sfpu", from)
            host.metric("sfpu_over_fpu_from_" .. from, sfpu / fpu)
            print(("SFPU over FPU, from %s: %.2f"):format(from, sfpu / fpu))
        end
    end,
}
