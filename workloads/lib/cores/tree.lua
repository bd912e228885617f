-- The tree that a routing pattern makes of a grid of cores, checked: every core's sum must
-- reach one root. Of several chips each has a tree of its own, and their roots send to each
-- other as the pattern says for a row of so many cores.

local tree = {}

local function name_of(x, y)
    return ("core[%s,%s]"):format(x, y)
end

local function is_inside(x, y, grid)
    return math.type(x) == "integer" and math.type(y) == "integer" and x >= 0 and x < grid.cols and y >= 0 and
        y < grid.rows
end

-- Asks the pattern about every core.
local function ask(name, pattern, grid)
    local nodes, root = {}, nil
    for y = 0, grid.rows - 1 do
        for x = 0, grid.cols - 1 do
            local px, py = pattern(x, y, grid)
            local node = { x = x, y = y, children = {} }
            nodes[y * grid.cols + x] = node
            if px == nil and py == nil then
                if root ~= nil then
                    error(("routing %s: leaves %s out: it sends to no core, and %s is the root already")
                        :format(name, name_of(x, y), name_of(root.x, root.y)), 0)
                end
                root = node
            elseif not is_inside(px, py, grid) then
                error(("routing %s: %s sends to %s, the grid has columns 0..%d and rows 0..%d")
                    :format(name, name_of(x, y), name_of(px, py), grid.cols - 1, grid.rows - 1), 0)
            else
                node.to = py * grid.cols + px
            end
        end
    end
    if root == nil then
        error(("routing %s: no core is the root, one must send to no other"):format(name), 0)
    end
    return nodes, root
end

-- A core's distance from the root; raises an error if its way does not lead there.
local function hops_of(name, nodes, node)
    local hops, at = 0, node
    while at.to ~= nil do
        at, hops = nodes[at.to], hops + 1
        if hops > #nodes then
            error(("routing %s: leaves %s out: its way never comes to the root"):format(name, name_of(node.x, node.y)), 0)
        end
    end
    return hops
end

-- Raises the heights on the way from a node to the root: hops until the sum of a subtree is
-- there.
local function raise_height(nodes, node, hops)
    local at, height = node, 0
    for _ = 1, hops do
        at, height = nodes[at.to], height + 1
        at.height = math.max(at.height or 0, height)
    end
end

-- tree.make(name, pattern, cols, rows): nodes by row * cols + column, each with x, y, parent,
-- and children in the order in which their sums are expected, low subtrees first; root; hops,
-- the longest way; inputs, the most children.
function tree.make(name, pattern, cols, rows)
    local grid = { cols = cols, rows = rows }
    local nodes, root = ask(name, pattern, grid)
    local result = { cols = cols, rows = rows, nodes = nodes, root = root, hops = 0, inputs = 0 }
    for i = 0, #nodes do
        local hops = hops_of(name, nodes, nodes[i])
        raise_height(nodes, nodes[i], hops)
        result.hops = math.max(result.hops, hops)
    end
    for i = 0, #nodes do
        local node = nodes[i]
        if node.to ~= nil then
            node.parent = nodes[node.to]
            table.insert(node.parent.children, node)
        end
    end
    for i = 0, #nodes do
        local children = nodes[i].children
        table.sort(children, function(a, b) return (a.height or 0) < (b.height or 0) end)
        for order, child in ipairs(children) do
            child.order = order - 1
        end
        result.inputs = math.max(result.inputs, #children)
    end
    return result
end

-- Hops from a node to the root.
local function depth_of(node)
    local depth = 0
    while node.parent do
        node, depth = node.parent, depth + 1
    end
    return depth
end

-- tree.across(name, pattern, size): the trees of a size's chips. `parts` has them by position,
-- each with everything that tree.make returns; nodes also have `chip`, an entry of the list.
-- All roots except one have a parent on another chip and follow its other children, which
-- remain the first `near` ones. root, hops and inputs are those of the whole; `chips` is the
-- tree of chips.
function tree.across(name, pattern, size)
    local list = size.chips
    local result = { parts = {}, chips = tree.make(name, pattern, #list, 1), hops = 0, inputs = 0 }
    for i, chip in ipairs(list) do
        local part = tree.make(name, pattern, chip.cols, size.rows)
        for n = 0, #part.nodes do
            part.nodes[n].chip, part.nodes[n].near = chip, #part.nodes[n].children
        end
        result.parts[i] = part
        result.hops = math.max(result.hops, part.hops + depth_of(result.chips.nodes[i - 1]))
    end
    for i, part in ipairs(result.parts) do
        local above = result.chips.nodes[i - 1]
        for _, below in ipairs(above.children) do
            local root = result.parts[below.x + 1].root
            root.parent, root.order = part.root, #part.root.children
            table.insert(part.root.children, root)
        end
        if not above.parent then
            result.root = part.root
        end
    end
    for _, part in ipairs(result.parts) do
        result.inputs = math.max(result.inputs, part.inputs, #part.root.children)
    end
    return result
end

return tree
