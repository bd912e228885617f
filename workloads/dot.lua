-- The dot product of two vectors. On cores: lib/cores/dot_product.lua with the routing patterns
-- of lib/cores/routing.lua. On wafers: lib/wafer/dot.lua.

local wafer = require("wafer/dot")

local script = require("cores/dot_product").script(require("cores/routing"))
local run_on_cores = script.run

script.summary = "dot product: products added where the numbers are, then a sum over all cores or PEs"
script.chips = { "tensix", "wse" }
table.move(wafer.parameters, 1, #wafer.parameters, #script.parameters + 1, script.parameters)
function script.run(host, p)
    return (host.family == "wse" and wafer.run or run_on_cores)(host, p)
end

return script
