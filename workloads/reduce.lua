-- Reduce, broadcast and all-reduce over a rectangle of PEs: lib/wafer_reduce.lua with the
-- patterns of lib/wafer_collective.lua.
return require("wafer_reduce").script(require("wafer_collective").patterns)
