-- The dot product with a fourth routing pattern, as an example of your own: halves of a row are
-- added, then halves of those, and so on; then the same along the first column.
--     gridloom run workloads/experiments/dot_binary.lua routing=binary

local patterns = {}
for name, pattern in pairs(require("cores/routing")) do
    patterns[name] = pattern
end

-- A core sends to the core whose column (or row) is its own without the lowest 1 bit.
function patterns.binary(x, y)
    if x > 0 then
        return x & (x - 1), y
    elseif y > 0 then
        return x, y & (y - 1)
    end
end

return require("cores/dot_product").script(patterns)
