-- The dot product of two vectors over a grid of cores: lib/dot_product.lua, with the
-- routing patterns of lib/routing.lua.

return require("dot_product").script(require("routing"))
