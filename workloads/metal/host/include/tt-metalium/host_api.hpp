// Devices, programs and buffers of one chip.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <gridloom/absent.hpp>
#include <hostdevcommon/common_values.hpp>
#include <initializer_list>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <tt-logger/tt-logger.hpp>
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/buffer.hpp>
#include <tt-metalium/circular_buffer_config.hpp>
#include <tt-metalium/command_queue.hpp>
#include <tt-metalium/constants.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/device.hpp>
#include <tt-metalium/global_semaphore.hpp>
#include <tt-metalium/kernel_types.hpp>
#include <tt-metalium/mesh_event.hpp>
#include <tt-metalium/program.hpp>
#include <tt-metalium/runtime_args_data.hpp>
#include <tt_stl/assert.hpp>
#include <unistd.h>
#include <unordered_map>
#include <variant>
#include <vector>

namespace tt::tt_metal
{

namespace distributed
{
class MeshDevice;
}  // namespace distributed

// Kernels are searched there, too.
void SetRootDir(const std::string &folder);

std::size_t GetNumAvailableDevices();
std::size_t GetNumPCIeDevices();
ChipId GetPCIeDeviceID(ChipId device_id);
IDevice *CreateDevice(ChipId device_id,
                      std::uint8_t num_hw_cqs = 1,
                      std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
                      std::size_t trace_region_size = DEFAULT_TRACE_REGION_SIZE,
                      const DispatchCoreConfig &dispatch = DispatchCoreConfig{},
                      const std::vector<std::uint32_t> &l1_bank_remap = {},
                      std::size_t worker_l1_size = DEFAULT_WORKER_L1_SIZE);
bool CloseDevice(IDevice *device);

using KernelChoice = std::variant<DataMovementConfig, ComputeConfig>;

Program CreateProgram();
KernelHandle CreateKernel(Program &program,
                          const std::string &path,
                          const CoreSpecification &cores,
                          const KernelChoice &config);
KernelHandle CreateKernelFromString(Program &program,
                                    const std::string &text,
                                    const CoreSpecification &cores,
                                    const KernelChoice &config);

CBHandle CreateCircularBuffer(Program &program,
                              const CoreSpecification &cores,
                              const CircularBufferConfig &config);
const CircularBufferConfig &GetCircularBufferConfig(Program &program, CBHandle buffer);
void UpdateCircularBufferTotalSize(Program &program,
                                   CBHandle buffer,
                                   std::uint32_t bytes);
void UpdateCircularBufferPageSize(Program &program,
                                  CBHandle buffer,
                                  std::uint8_t index,
                                  std::uint32_t bytes);
void UpdateDynamicCircularBufferAddress(Program &program,
                                        CBHandle buffer,
                                        const Buffer &memory);
void UpdateDynamicCircularBufferAddressAndTotalSize(Program &program,
                                                    CBHandle buffer,
                                                    const Buffer &memory,
                                                    std::uint32_t bytes);

// Set to the value whenever the program starts.
std::uint32_t CreateSemaphore(Program &program,
                              const std::variant<CoreRange, CoreRangeSet> &cores,
                              std::uint32_t value);
std::uint32_t CreateSemaphore(Program &program,
                              const std::variant<CoreRange, CoreRangeSet> &cores,
                              std::uint32_t value,
                              CoreType type);
GlobalSemaphore CreateGlobalSemaphore(IDevice *device,
                                      const CoreRangeSet &cores,
                                      std::uint32_t value,
                                      BufferType type = BufferType::L1);
GlobalSemaphore CreateGlobalSemaphore(IDevice &device,
                                      const CoreRangeSet &cores,
                                      std::uint32_t value,
                                      BufferType type = BufferType::L1);

std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig &config);
std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig &config,
                                     DeviceAddr address);
std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig &config);
std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig &config,
                                     DeviceAddr address);
void DeallocateBuffer(Buffer &buffer);
void AssignGlobalBufferToProgram(const std::shared_ptr<Buffer> &buffer,
                                 Program &program);

void SetRuntimeArgs(const Program &program,
                    KernelHandle kernel,
                    const CoreSpecification &cores,
                    std::span<const std::uint32_t> args);
void SetRuntimeArgs(const Program &program,
                    KernelHandle kernel,
                    const CoreSpecification &cores,
                    std::initializer_list<std::uint32_t> args);
void SetRuntimeArgs(const Program &program,
                    KernelHandle kernel,
                    const std::vector<CoreCoord> &cores,
                    const std::vector<std::vector<std::uint32_t>> &args);
void SetCommonRuntimeArgs(const Program &program,
                          KernelHandle kernel,
                          std::span<const std::uint32_t> args);
void SetCommonRuntimeArgs(const Program &program,
                          KernelHandle kernel,
                          std::initializer_list<std::uint32_t> args);
RuntimeArgsData &
GetRuntimeArgs(const Program &program, KernelHandle kernel, const CoreCoord &core);
// By column, then by row.
std::vector<std::vector<RuntimeArgsData>> &GetRuntimeArgs(const Program &program,
                                                          KernelHandle kernel);
RuntimeArgsData &GetCommonRuntimeArgs(const Program &program, KernelHandle kernel);

// Queues carry out at once, in order, whether they block or not.
void EnqueueWriteBuffer(CommandQueue &queue,
                        Buffer &buffer,
                        const void *data,
                        bool blocking);
void EnqueueReadBuffer(CommandQueue &queue, Buffer &buffer, void *data, bool blocking);
void EnqueueProgram(CommandQueue &queue, Program &program, bool blocking);
void Finish(CommandQueue &queue, std::span<const SubDeviceId> parts = {});
void Synchronize(IDevice *device,
                 std::optional<std::uint8_t> cq_id = std::nullopt,
                 std::span<const SubDeviceId> parts = {});
void EnqueueRecordEvent(CommandQueue &queue,
                        const std::shared_ptr<Event> &event,
                        std::span<const SubDeviceId> parts = {});
void EnqueueWaitForEvent(CommandQueue &queue, const std::shared_ptr<Event> &event);
void EventSynchronize(const std::shared_ptr<Event> &event);
bool EventQuery(const std::shared_ptr<Event> &event);
std::uint32_t BeginTraceCapture(IDevice *device, std::uint8_t cq_id);
void EndTraceCapture(IDevice *device, std::uint8_t cq_id, std::uint32_t trace);
void ReplayTrace(IDevice *device,
                 std::uint8_t cq_id,
                 std::uint32_t trace,
                 bool blocking);
void EnqueueTrace(CommandQueue &queue, std::uint32_t trace, bool blocking);
void ReleaseTrace(IDevice *device, std::uint32_t trace);

enum class ProfilerReadState {
    NORMAL,
    ONLY_DISPATCH_CORES,
    LAST_FD_READ
};
void ReadMeshDeviceProfilerResults(distributed::MeshDevice &device,
                                   ProfilerReadState state = ProfilerReadState::NORMAL);

template <typename T>
void EnqueueWriteBuffer(CommandQueue &queue,
                        Buffer &buffer,
                        const std::vector<T> &data,
                        bool blocking)
{
    if (data.size() * sizeof(T) < buffer.size()) {
        gridloom::refuse("{} bytes are written to a buffer of {} bytes",
                         data.size() * sizeof(T), buffer.size());
    }
    EnqueueWriteBuffer(queue, buffer, static_cast<const void *>(data.data()), blocking);
}

template <typename Data>
void EnqueueWriteBuffer(CommandQueue &queue,
                        const std::shared_ptr<Buffer> &buffer,
                        const Data &data,
                        bool blocking)
{
    EnqueueWriteBuffer(queue, *buffer, data, blocking);
}

template <typename T>
void EnqueueReadBuffer(CommandQueue &queue,
                       Buffer &buffer,
                       std::vector<T> &data,
                       bool blocking)
{
    data.resize(buffer.size() / sizeof(T));
    EnqueueReadBuffer(queue, buffer, static_cast<void *>(data.data()), blocking);
}

template <typename T>
void EnqueueReadBuffer(CommandQueue &queue,
                       const std::shared_ptr<Buffer> &buffer,
                       std::vector<T> &data,
                       bool blocking)
{
    EnqueueReadBuffer(queue, *buffer, data, blocking);
}

inline void EnqueueReadBuffer(CommandQueue &queue,
                              const std::shared_ptr<Buffer> &buffer,
                              void *data,
                              bool blocking)
{
    EnqueueReadBuffer(queue, *buffer, data, blocking);
}

}  // namespace tt::tt_metal
