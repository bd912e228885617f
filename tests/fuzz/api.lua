-- Calls functions of the API in an order and with arguments that the text `input` draws;
-- fuzz_api.c puts that text before this file. Errors are what calls are made for.

local place = 0
local function draw()
  place = place + 1
  return input:byte(place) or 0
end
local function more() return place < #input end

local none = {}
local odd = {
  none, true, false, 0, 1, -1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64, 100, 255, 256, 1024,
  4096, 65535, 65536, 65537, 1 << 24, 1 << 31, 1 << 32, 1 << 40, 1 << 53, math.maxinteger,
  math.mininteger, -2, -16, 0.5, 1.5, -0.25, 3.0, 1e-300, 1e300, 0 / 0, 1 / 0, -1 / 0,
  '', 'x', 'u', 'k', '\255\0', 'fp32', 'bf16', 'f32', 'f16', 'u16', 'i16', 'u32',
  'u64', 'i8', 'reader', 'writer', 'compute', 'k', 'c', 'RAMP', 'EAST', 'WEST', 'NORTH', 'SOUTH',
  'dsr_dest', 'dsr_src1', 'sends', 'takes', 'up', 'down', 'host', 'hbm', 'auto', 'wavelet', 'NOP', 'SWITCH_ADV', 'TEARDOWN',
  'interleaved', '==', '<', '>=', 'star', 'box',
}
local words = {
  1, 2, 3, 4, 'name', 'type', 'values', 'value', 'base', 'extent', 'extents', 'stride',
  'strides', 'offset', 'columns', 'rows', 'layout', 'iterations', 'buffer', 'first',
  'count', 'tiles', 'kernel', 'processor', 'cores', 'args', 'index', 'pages',
  'page_bytes', 'format', 'initial', 'bytes', 'address', 'noc', 'x', 'y', 'z', 'routes',
  'rx', 'tx', 'switches', 'filter', 'color', 'queue', 'input_queue', 'output_queue',
  'async', 'activate', 'unblock', 'control', 'priority', 'commands', 'task', 'ce_filter',
  'host', 'channels', 'export', 'ut_id', 'arguments', 'result', 'save_address', 'on_control', 'terminate', 'pes', 'window', 'depth', 'fields', 'sweeps', 'direction', 'results', 'body', 'nx',
  'ny', 'nz', 'data', 'inputs', 'outputs', 'tolerance', 'reference', 'unit', 'limit',
  'words', 'merges', 'arithmetic', 'width', 'height', 'radius', 'weights', 'length',
}
local methods = {
  'fill', 'byte', 'set_byte', 'differing', 'get', 'set', 'part', 'put', 'error', 'total',
  'sum', 'dot', 'merged', 'partials', 'tilize', 'untilize', 'transposed', 'converted',
  'fill_random', 'fill_with', 'stencil', 'laplacian', 'krylov', 'pcg', 'masked', 'wave',
  'product', 'residual', 'hdiff', 'vadvc', 'column_stencil', 'column_dots',
  'stencil_error', 'stencil_exact', 'krylov_residual', 'multigrid', 'hdiff_dst',
  'circular_buffer', 'kernel', 'semaphore',
  'copy_to', 'copy_from', 'stream_to', 'stream_from', 'call', 'launch', 'prepare', 'profile', 'stretch', 'work', 'zones',
  'iterations', 'set_tile_code', 'set_color_config', 'encode_payload',
  'array', 'scalar', 'variable', 'word', 'view', 'fifo', 'fabin_dsd', 'fabout_dsd',
  'mem1d_dsd', 'mem4d_dsd', 'bind_local_task', 'bind_data_task', 'bind_control_task',
  'initialize_queue', 'activate', 'block', 'unblock', 'add', 'assign', 'when',
  'when_scalar', 'while_', 'for_range', 'break_', 'continue_', 'load', 'store', 'load_at',
  'store_at', 'address', 'fn', 'call', 'call_pointer', 'fn_pointer', 'return_',
  'assert_', 'random_seed', 'unblock_cmd_stream', 'as', 'bitcast', 'get_timestamp',
  'get_x_coord', 'get_dsr', 'load_to_dsr', 'pointer', 'set_dsd_base_addr', 'map', 'operate', 'random16', 'set_config', 'get_config', 'dsd_value',
  'set_dsd_length', 'set_dsd_stride', 'set_teardown_handler', 'phase', 'zone', 'set_route', 'teardown_exit', 'scalar_op',
  'increment_dsd_offset', 'iteration_done', 'fadds', 'fmuls', 'fmacs', 'fmovs', 'fmovh',
  'faddh', 'fsubs', 'fmach', 'mov32', 'add16',
  'buffers', 'parts', 'plan', 'resources', 'run', 'use',
}

-- What calls gave, to be given to others.
local pool = {}
local kept = 0
local function keep(...)
  for i = 1, select('#', ...) do
    local value = select(i, ...)
    if type(value) ~= 'nil' and type(value) ~= 'string' then
      pool[kept % 24 + 1] = value
      kept = kept + 1
    end
  end
end

local calls
local function value(depth)
  local kind = draw()
  if kind < 110 then
    local drawn = odd[kind % #odd + 1]
    if drawn == none then return nil end
    return drawn
  elseif kind < 190 or depth > 3 then
    return pool[kind % math.max(#pool, 1) + 1]
  elseif kind < 245 then
    local made = {}
    for i = 1, draw() % 7 do
      made[kind < 205 and i or words[draw() % #words + 1]] = value(depth + 1)
    end
    return made
  end
  local count = draw() % 4
  return function(...)
    keep(...)
    calls(count, ...)
    return value(depth + 1)
  end
end

local function arguments(count)
  if count > 0 then return value(0), arguments(count - 1) end
end

-- Arguments that are right, by name; one of them is then replaced.
local right = {}

local function replaced(list)
  local which = draw()
  if which % 4 > 0 and #list > 0 then
    local changed = list[which % #list + 1]
    if type(changed) == 'table' and which % 3 > 0 then
      local keys = {}
      for key in pairs(changed) do keys[#keys + 1] = key end
      changed[which > 200 and words[draw() % #words + 1] or keys[draw() % #keys + 1]] = value(1)
    else
      list[which % #list + 1] = value(0)
    end
  end
  return table.unpack(list, 1, list.n or #list)
end

local function draw_arguments(name)
  local how = draw()
  if right[name] and how >= 64 then return replaced(right[name]()) end
  return arguments(how % 6)
end

local function names_of(functions)
  local names = {}
  for name, is in pairs(functions) do
    if type(name) == 'string' and type(is) == 'function' then names[#names + 1] = name end
  end
  table.sort(names)
  return names
end

local function try(f, ...)
  local result = table.pack(pcall(f, ...))
  if result[1] then keep(table.unpack(result, 2, result.n)) else print(result[2]) end
end

-- The first method from a drawn one on that the object has.
local function method_of(object)
  local from = draw()
  for i = 1, #methods do
    local name = methods[(from + i) % #methods + 1]
    local is_there, method = pcall(function() return object[name] end)
    if not is_there then return nil end
    if type(method) == 'function' then return name, method end
  end
end

-- A function of the table, or a method of something in the pool or of `own`.
local function call(functions, names, own)
  local which = draw()
  if which < 128 and #names > 0 then
    local name = names[draw() % #names + 1]
    print(name)
    try(functions[name], draw_arguments(name))
    return
  end
  local object = which < 200 and own or pool[which % math.max(#pool, 1) + 1]
  local name, method = method_of(object)
  if name then
    print(':' .. name)
    try(method, object, draw_arguments(name))
  end
end

local host_functions, host_names = {}, {}
calls = function(count, own)
  for _ = 1, count do
    if more() then call(host_functions, host_names, own) end
  end
end

local function one(...)
  local list = table.pack(...)
  return function() return list end
end
local function pages() return { 0, 1 } end
local function row() return { pool[1], pool[2], pool[3], pool[4] } end
local function memory(name)
  return function() return { { name = name, buffer = pool[2], count = 4 } } end
end
right.cb_reserve_back, right.cb_push_back = pages, pages
right.cb_wait_front, right.cb_pop_front = pages, pages
right.copy_tile, right.pack_tile = one(0, 0, 0), one(0, 0)
right.add_tiles, right.mul_tiles = one(0, 0, 0, 0, 0), one(0, 0, 0, 0, 0)
right.get_noc_addr, right.get_dram_noc_addr = one(1, 0, 0x20000), one(0, 0x100)
right.load_word, right.store_words = one(0x20000), one(0x20000, 1, 4)
right.noc_semaphore_set, right.noc_semaphore_wait = one(0x20000, 1), one(0x20000, 1)
right.noc_async_read = function() return { get_noc_addr(1, 0, 0x20000), 0x20000, 32 } end
right.noc_async_write = function() return { 0x20000, get_noc_addr(1, 0, 0x20000), 32 } end
right.noc_semaphore_inc = function() return { get_noc_addr(1, 0, 0x20000), 1 } end
right.copy_to, right.copy_from = memory('u'), memory('u')
right.fmuls, right.fadds, right.fmovs = row, row, row
right.part, right.get, right.set = one(0, 16), one('fp32', 0), one('fp32', 0, 1.5)
right.upload = function() return { pool[1], 0x100 } end
right.download = function() return { 0x100, pool[1] } end
right.measure = function() return { function() end, 1 } end
right.metric, right.number, right.route = one('m', 1), one('clock.clock_hz'), one(0, 1)
right.dram_buffer = function() return { { pages = 4, page_bytes = 2048 } } end
right.l1_allocate = function() return { { cores = { 0, 0, 1, 0 }, bytes = 64 } } end
right.l1_write = function() return { 0, 0, 0x20000, pool[1] } end
right.l1_read = right.l1_write
right.circular_buffer = function()
  return { { index = 1, pages = 2, format = 'bf16', cores = { 0, 0, 1, 0 } } }
end
right.kernel = function()
  return { { kernel = 'k', processor = 'writer', cores = { x = 1, y = 0 }, args = { 1 } } }
end
right.semaphore = function() return { { cores = { 0, 0, 1, 0 }, value = 0 } } end
right.array = function() return { { name = 'v', type = 'f32', values = { 1, 2 } } } end
right.scalar = function() return { { name = 's', type = 'f32', value = 1 } } end
right.mem1d_dsd = function() return { { base = pool[4], extent = 4, stride = 1, offset = 0 } } end
right.fabin_dsd = function() return { { color = 2, extent = 4, input_queue = 2 } } end
right.fabout_dsd = function() return { { color = 2, extent = 4, output_queue = 2 } } end
right.set_color_config = function()
  return { { 0, 0, 1, 0 }, 2, { routes = { rx = 'RAMP', tx = 'EAST' } } }
end
right.encode_payload = function() return { { commands = { 'NOP', 'SWITCH_ADV' }, task = 5 } } end
right.run = function()
  return { { nx = 4, ny = 4, nz = 3, data = 'host', inputs = { pool[2] }, outputs = { pool[2] } } }
end

-- A valid start on each family, from which calls go wrong.
local start = {}
function start.tensix(host)
  local program = host.program()
  local cores = { x = 0, y = 0 }
  program:circular_buffer { index = 0, pages = 2, format = 'bf16', cores = cores }
  program:kernel { kernel = 'k', processor = 'reader', cores = cores, args = { a = 1 } }
  program:kernel { kernel = 'c', processor = 'compute', cores = cores, args = {} }
  keep(program)
  keep(host.dram_buffer { pages = 4, page_bytes = 2048 })
  return program
end
function start.wse(host)
  return host.wafer { columns = 3, rows = 2, layout = function(layout)
    keep(layout)
    layout:set_tile_code({ 0, 0, 2, 1 }, 'p', function(pe)
      local u = pe:array { name = 'u', type = 'f32', values = { 0, 1, 2, 3 } }
      keep(pe, u, pe:mem1d_dsd { base = u, extent = 4 })
      pe:bind_local_task(8, 'go', function()
        calls(draw() % 8, pe)
        pe:iteration_done()
      end)
      pe:activate(8)
      calls(draw() % 8, pe)
    end)
    calls(draw() % 8, layout)
  end }
end
function start.nero(host)
  return host.board { name = 'k', pes = 1, window = { 4, 4, 3 }, depth = 3, format = 'fp32',
    fields = { 'u' }, sweeps = { { name = 'forward', direction = 'up', results = { 'out' },
      body = function(d)
        local names = names_of(d)
        keep(d.field('u'), d.field('u')())
        for _ = 1, draw() % 8 do call(d, names, d) end
        return { pool[draw() % #pool + 1] }
      end } } }
end

local function in_kernel()
  local names = names_of(_G)
  for _ = 1, draw() % 12 do
    if more() then call(_G, names) end
  end
end

return {
  summary = 'calls drawn at random',
  chips = { 'tensix', 'wse', 'nero' },
  parameters = {},
  run = function(host)
    host_functions, host_names = host, names_of(host)
    keep(host.buffer(64), host.buffer(4096))
    for _, family in ipairs { 'tensix', 'wse', 'nero' } do
      local is_made, own = pcall(start[family], host)
      if is_made then keep(own) print(family) else print(own) end
    end
    while more() do calls(1) end
    for i = 1, #pool do
      if type(pool[i]) == 'userdata' then pcall(host.wait, select(2, pcall(host.launch, pool[i]))) end
    end
  end,
  kernels = { k = in_kernel, c = in_kernel },
}
