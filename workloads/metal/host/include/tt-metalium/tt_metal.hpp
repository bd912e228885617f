// Memory and programs of a device, without queues.
#pragma once

#include <tt-metalium/host_api.hpp>

namespace tt::tt_metal::detail
{

// Bytes of a tile, by its older name.
inline std::uint32_t TileSize(DataFormat format)
{
    return tt::tile_size(format);
}

void WriteToBuffer(Buffer &buffer, std::span<const std::uint8_t> data);
void ReadFromBuffer(Buffer &buffer, std::uint8_t *data);

template <typename T> void WriteToBuffer(Buffer &buffer, const std::vector<T> &data)
{
    WriteToBuffer(buffer, std::span(reinterpret_cast<const std::uint8_t *>(data.data()),
                                    data.size() * sizeof(T)));
}
template <typename T>
void WriteToBuffer(const std::shared_ptr<Buffer> &buffer, const std::vector<T> &data)
{
    WriteToBuffer(*buffer, data);
}
template <typename T> void ReadFromBuffer(Buffer &buffer, std::vector<T> &data)
{
    data.resize(buffer.size() / sizeof(T));
    ReadFromBuffer(buffer, reinterpret_cast<std::uint8_t *>(data.data()));
}
template <typename T>
void ReadFromBuffer(const std::shared_ptr<Buffer> &buffer, std::vector<T> &data)
{
    ReadFromBuffer(*buffer, data);
}

void LaunchProgram(IDevice *device,
                   Program &program,
                   bool wait_until_cores_done = true,
                   bool force_slow_dispatch = false);
// Programs are compiled when they start.
void CompileProgram(IDevice *device,
                    Program &program,
                    bool force_slow_dispatch = false);

bool WriteToDeviceL1(IDevice *device,
                     const CoreCoord &core,
                     std::uint32_t address,
                     std::vector<std::uint32_t> &data,
                     CoreType type = CoreType::WORKER);
bool ReadFromDeviceL1(IDevice *device,
                      const CoreCoord &core,
                      std::uint32_t address,
                      std::uint32_t bytes,
                      std::vector<std::uint32_t> &data,
                      CoreType type = CoreType::WORKER);
bool WriteToDeviceDRAMChannel(IDevice *device,
                              int channel,
                              std::uint32_t address,
                              std::vector<std::uint32_t> &data);
bool ReadFromDeviceDRAMChannel(IDevice *device,
                               int channel,
                               std::uint32_t address,
                               std::uint32_t bytes,
                               std::vector<std::uint32_t> &data);

std::map<ChipId, IDevice *> CreateDevices(const std::vector<ChipId> &device_ids,
                                          std::uint8_t num_hw_cqs = 1);
void CloseDevices(const std::map<ChipId, IDevice *> &devices);

void ReadDeviceProfilerResults(IDevice *device,
                               ProfilerReadState state = ProfilerReadState::NORMAL);
// The same; cores or a program that are named change nothing.
template <typename... Rest>
void DumpDeviceProfileResults(IDevice *device, const Rest &...)
{
    ReadDeviceProfilerResults(device);
}

}  // namespace tt::tt_metal::detail

namespace tt::tt_metal
{
using detail::DumpDeviceProfileResults;
}  // namespace tt::tt_metal
