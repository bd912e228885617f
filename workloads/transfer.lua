-- Moves bytes between host and chip, both ways and by both sides, and checks them.

-- Powers of `factor` from `first` to `last`; always includes `last`.
local function sizes(first, last, factor)
    local list = {}
    local size = first
    while size < last do
        list[#list + 1] = size
        size = size * factor
    end
    list[#list + 1] = last
    return list
end

local function gigabytes_per_second(bytes, seconds)
    return bytes / seconds / 1e9
end

local function row(direction, bytes, seconds, rate)
    return { direction, bytes, string.format("%.6g", seconds * 1e6), string.format("%.4f", rate) }
end

-- The host's DMA: one upload and one download of each size.
local function sweep_dma(host, p, progress)
    local rows, points = {}, {}
    local list = sizes(p.min_bytes, p.max_bytes, 4)
    local address = host.allocate(p.max_bytes)
    for i, bytes in ipairs(list) do
        local sent, received = host.buffer(bytes), host.buffer(bytes)
        sent:fill(bytes)
        local up = host.upload(sent, address)
        local down = host.download(address, received)
        host.check_equal(sent, received, "the bytes that were uploaded")
        local up_rate, down_rate = gigabytes_per_second(bytes, up), gigabytes_per_second(bytes, down)
        rows[#rows + 1] = row("host to device", bytes, up, up_rate)
        rows[#rows + 1] = row("device to host", bytes, down, down_rate)
        points[#points + 1] = {
            bytes = bytes,
            upload_seconds = up, upload_gigabytes_per_second = up_rate,
            download_seconds = down, download_gigabytes_per_second = down_rate,
        }
        progress(i / #list)
    end
    host.metric("dma", points)
    host.table { name = "dma", columns = { "direction", "bytes", "us", "GB/s" }, rows = rows }
end

-- A core that issues commands to the PCIe tile, as fast as the tile takes them.
local function sweep_commands(host, p, progress)
    local rows, points = {}, {}
    local list = sizes(32, 8192, 2)
    local clock_hz = host.number("chip.clock_hz")
    local memory = host.buffer(8192)
    local back = host.buffer(8192)
    local address = host.allocate(8192)
    memory:fill(7)

    local function run(name, kernel)
        return host.wait(host.launch { { name = name, kernel = kernel } })
    end
    for i, bytes in ipairs(list) do
        local read = run("core.reader", function(core)
            for _ = 1, p.commands do
                core.pcie_read(memory, 0, address, bytes)
            end
            core.pcie_barrier()
        end)
        local write = run("core.writer", function(core)
            for _ = 1, p.commands do
                core.pcie_write(back, 0, address, bytes)
            end
            core.pcie_barrier()
        end)
        local point = { bytes = bytes, read_cycles = read, write_cycles = write }
        for name, cycles in pairs { read = read, write = write } do
            local seconds = cycles / clock_hz
            local rate = gigabytes_per_second(bytes * p.commands, seconds)
            point[name .. "_gigabytes_per_second"] = rate
            rows[#rows + 1] = row("device " .. name .. "s host", bytes, seconds / p.commands, rate)
        end
        points[#points + 1] = point
        progress(i / #list)
    end
    host.check_equal(memory, back, "the bytes that the chip read")
    host.metric("commands", points)
    host.table { name = "commands", columns = { "direction", "bytes", "us each", "GB/s" }, rows = rows }
end

return {
    summary = "bytes to chip DRAM and back: GB/s against size, by host DMA and by the chip's own commands",
    chips = { "tensix" },
    parameters = {
        { name = "min_bytes", type = "integer", default = 32, min = 1, max = 1 << 32, help = "smallest DMA transfer" },
        { name = "max_bytes", type = "integer", default = 1 << 26, min = 1, max = 1 << 32, help = "largest DMA transfer" },
        { name = "commands", type = "integer", default = 1000, min = 1, max = 1000000,
          help = "commands a core issues for each size" },
    },
    run = function(host, p)
        if p.min_bytes > p.max_bytes then
            error("min_bytes is larger than max_bytes", 0)
        end
        host.measure(function()
            host.zone("dma", function()
                sweep_dma(host, p, function(part) host.progress(part / 2) end)
            end)
            host.zone("commands", function()
                sweep_commands(host, p, function(part) host.progress(0.5 + part / 2) end)
            end)
        end)
    end,
}
