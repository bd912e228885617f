// A chip, or a mesh of them, as programs see it.
#include <gridloom/failure.hpp>
#include <tt-metalium/device.hpp>

#include "machine.hpp"
#include "memory.hpp"

namespace tt::tt_metal
{

namespace
{

// On all Wormhole chips, whatever rows are harvested.
constexpr std::size_t virtual_first = 18;

void check_core(const CoreCoord &core, const CoreCoord &grid)
{
    if (core.x >= grid.x || core.y >= grid.y) {
        gridloom::refuse("core {} is outside of the grid of {} x {}", core, grid.x,
                         grid.y);
    }
}

}  // namespace

tt::ARCH IDevice::arch() const
{
    for (const tt::ARCH arch : {tt::ARCH::GRAYSKULL, tt::ARCH::WORMHOLE_B0,
                                tt::ARCH::BLACKHOLE, tt::ARCH::QUASAR}) {
        if (tt::format_as(arch) == gridloom::machine().arch) {
            return arch;
        }
    }
    return tt::ARCH::Invalid;
}

CoreCoord IDevice::compute_with_storage_grid_size() const
{
    return {gridloom::machine().columns, gridloom::machine().rows};
}

CoreCoord IDevice::logical_grid_size() const
{
    return compute_with_storage_grid_size();
}

CoreCoord IDevice::dram_grid_size() const
{
    return {gridloom::machine().dram_banks, 1};
}

int IDevice::num_dram_channels() const
{
    return static_cast<int>(gridloom::machine().dram_banks);
}

std::uint32_t IDevice::l1_size_per_core() const
{
    return static_cast<std::uint32_t>(gridloom::machine().l1_end);
}

std::uint32_t IDevice::dram_size_per_channel() const
{
    return static_cast<std::uint32_t>(gridloom::machine().dram_bank_bytes);
}

int IDevice::get_clock_rate_mhz() const
{
    return static_cast<int>(gridloom::machine().clock_hz / 1000000);
}

CoreCoord IDevice::worker_core_from_logical_core(const CoreCoord &core) const
{
    check_core(core, logical_grid_size());
    return {core.x + virtual_first, core.y + virtual_first};
}

std::vector<CoreCoord>
IDevice::worker_cores_from_logical_cores(const std::vector<CoreCoord> &cores) const
{
    std::vector<CoreCoord> workers;

    for (const CoreCoord &core : cores) {
        workers.push_back(worker_core_from_logical_core(core));
    }
    return workers;
}

CoreCoord IDevice::virtual_core_from_logical_core(const CoreCoord &core,
                                                  CoreType type) const
{
    if (type != CoreType::WORKER) {
        gridloom::refuse("only worker cores have virtual coordinates here");
    }
    return worker_core_from_logical_core(core);
}

CoreCoord IDevice::logical_core_from_dram_channel(std::uint32_t channel) const
{
    check_core({channel, 0}, dram_grid_size());
    return {channel, 0};
}

std::uint32_t IDevice::dram_channel_from_logical_core(const CoreCoord &core) const
{
    check_core(core, dram_grid_size());
    return static_cast<std::uint32_t>(core.x);
}

std::uint32_t IDevice::get_noc_unicast_encoding(std::uint8_t,
                                                const CoreCoord &core) const
{
    return static_cast<std::uint32_t>(core.y << 6 | core.x);
}

CoreRangeSet IDevice::worker_cores(HalProgrammableCoreType, SubDeviceId part) const
{
    const CoreCoord grid = compute_with_storage_grid_size();

    if (*part < parts_.size()) {
        return parts_[*part].cores();
    }
    return CoreRange({0, 0}, {grid.x - 1, grid.y - 1});
}

std::optional<DeviceAddr> IDevice::lowest_occupied_compute_l1_address() const
{
    const DeviceAddr lowest = allocator()->memory(BufferType::L1).lowest();

    return lowest == gridloom::machine().l1_end ? std::nullopt : std::optional(lowest);
}

bool IDevice::is_mmio_capable() const
{
    return id() == 0;
}

void IDevice::enable_program_cache()
{
}

void IDevice::disable_and_clear_program_cache()
{
}

void IDevice::clear_program_cache()
{
}

SubDeviceManagerId
IDevice::create_sub_device_manager(std::initializer_list<SubDevice> parts,
                                   DeviceAddr local_l1_size)
{
    return create_sub_device_manager(std::span(parts.begin(), parts.size()),
                                     local_l1_size);
}

SubDeviceManagerId IDevice::create_sub_device_manager(std::span<const SubDevice> parts,
                                                      DeviceAddr)
{
    gridloom::say_once("sub-devices change nothing here: they only name cores");
    divisions_.emplace_back(parts.begin(), parts.end());
    return SubDeviceManagerId(divisions_.size() - 1);
}

void IDevice::load_sub_device_manager(SubDeviceManagerId manager)
{
    if (*manager >= divisions_.size()) {
        gridloom::refuse("there is no sub-device manager {}", *manager);
    }
    parts_ = divisions_[*manager];
    part_ids_.clear();
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        part_ids_.emplace_back(static_cast<std::uint8_t>(part));
    }
}

void IDevice::clear_loaded_sub_device_manager()
{
    parts_.clear();
    part_ids_ = {SubDeviceId(0)};
}

void IDevice::remove_sub_device_manager(SubDeviceManagerId)
{
}

void IDevice::set_sub_device_stall_group(std::span<const SubDeviceId>)
{
}

void IDevice::reset_sub_device_stall_group()
{
}

const std::vector<SubDeviceId> &IDevice::get_sub_device_ids() const
{
    return part_ids_;
}

std::uint32_t IDevice::num_sub_devices() const
{
    return static_cast<std::uint32_t>(part_ids_.size());
}

}  // namespace tt::tt_metal
