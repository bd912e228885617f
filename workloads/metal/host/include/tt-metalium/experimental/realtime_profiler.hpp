// Records of programs that have run, handed to the host program.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace tt::tt_metal::experimental
{

struct ProgramRealtimeRecord {
    std::uint32_t runtime_id;
    std::uint32_t chip_id;
    std::uint64_t start_timestamp;  // cycles of all programs before
    std::uint64_t end_timestamp;
    double frequency;  // GHz
    std::span<const std::string_view> kernel_sources;
};

struct ProgramRealtimeRecordBatch {
    std::span<const ProgramRealtimeRecord> records;
    std::uint64_t dropped;
};

using ProgramRealtimeProfilerCallback =
    std::function<void(const ProgramRealtimeRecordBatch &)>;
using ProgramRealtimeProfilerCallbackHandle = std::uint64_t;

ProgramRealtimeProfilerCallbackHandle
RegisterProgramRealtimeProfilerCallback(ProgramRealtimeProfilerCallback callback);
void UnregisterProgramRealtimeProfilerCallback(
    ProgramRealtimeProfilerCallbackHandle handle);
bool IsProgramRealtimeProfilerActive();

}  // namespace tt::tt_metal::experimental
