// A chip, or a mesh of them, as programs see it.
#pragma once

#include <cstdint>
#include <gridloom/format.hpp>
#include <hostdevcommon/common_values.hpp>
#include <memory>
#include <optional>
#include <tt-metalium/allocator.hpp>
#include <tt-metalium/buffer.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/dispatch_core_common.hpp>
#include <tt-metalium/hal_types.hpp>
#include <tt-metalium/sub_device.hpp>
#include <umd/device/types/arch.hpp>
#include <umd/device/types/cluster_descriptor_types.hpp>
#include <vector>

namespace tt::tt_metal
{

class CommandQueue;

// Coordinates of kernels are virtual: those of programs, moved.
class IDevice
{
  public:
    virtual ~IDevice() = default;

    tt::ARCH arch() const;
    virtual ChipId id() const = 0;
    // The chips that it is made of, row by row.
    virtual const std::vector<int> &chips() const = 0;
    virtual bool is_initialized() const = 0;
    virtual bool close() = 0;
    virtual std::uint8_t num_hw_cqs() const = 0;
    virtual CommandQueue &command_queue(std::size_t cq_id = 0) = 0;
    virtual const std::unique_ptr<Allocator> &allocator() const = 0;

    CoreCoord compute_with_storage_grid_size() const;
    CoreCoord logical_grid_size() const;
    CoreCoord dram_grid_size() const;
    int num_dram_channels() const;
    std::uint32_t l1_size_per_core() const;
    std::uint32_t dram_size_per_channel() const;
    int get_clock_rate_mhz() const;
    CoreCoord worker_core_from_logical_core(const CoreCoord &core) const;
    std::vector<CoreCoord>
    worker_cores_from_logical_cores(const std::vector<CoreCoord> &cores) const;
    CoreCoord virtual_core_from_logical_core(const CoreCoord &core,
                                             CoreType type) const;
    CoreCoord logical_core_from_dram_channel(std::uint32_t channel) const;
    std::uint32_t dram_channel_from_logical_core(const CoreCoord &core) const;
    std::uint32_t get_noc_unicast_encoding(std::uint8_t noc,
                                           const CoreCoord &core) const;
    CoreRangeSet worker_cores(HalProgrammableCoreType type, SubDeviceId part) const;
    std::optional<DeviceAddr> lowest_occupied_compute_l1_address() const;
    bool is_mmio_capable() const;

    // Programs are compiled by the simulator, which keeps what it has compiled.
    void enable_program_cache();
    void disable_and_clear_program_cache();
    void clear_program_cache();

    // Cores are shared by all programs; parts of them only name cores.
    SubDeviceManagerId create_sub_device_manager(std::initializer_list<SubDevice> parts,
                                                 DeviceAddr local_l1_size);
    SubDeviceManagerId create_sub_device_manager(std::span<const SubDevice> parts,
                                                 DeviceAddr local_l1_size);
    void load_sub_device_manager(SubDeviceManagerId manager);
    void clear_loaded_sub_device_manager();
    void remove_sub_device_manager(SubDeviceManagerId manager);
    void set_sub_device_stall_group(std::span<const SubDeviceId> parts);
    void reset_sub_device_stall_group();
    const std::vector<SubDeviceId> &get_sub_device_ids() const;
    std::uint32_t num_sub_devices() const;

  private:
    std::vector<std::vector<SubDevice>> divisions_;
    std::vector<SubDevice> parts_;
    std::vector<SubDeviceId> part_ids_{SubDeviceId(0)};
};

using Device = IDevice;

}  // namespace tt::tt_metal
