-- Reduce, broadcast and all-reduce over a rectangle of PEs: lib/wafer/reduce.lua with the
-- patterns of lib/wafer/collective.lua.
return require("wafer/reduce").script(require("wafer/collective").patterns)
