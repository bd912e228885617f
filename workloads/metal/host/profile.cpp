// Times that the simulator has taken in kernels.
#include "profile.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <tt-metalium/experimental/realtime_profiler.hpp>

#include "connection.hpp"
#include "machine.hpp"

namespace gridloom
{

namespace
{

using namespace tt::tt_metal::experimental;

std::map<ProgramRealtimeProfilerCallbackHandle, ProgramRealtimeProfilerCallback> &
callbacks()
{
    static std::map<ProgramRealtimeProfilerCallbackHandle,
                    ProgramRealtimeProfilerCallback>
        all;

    return all;
}

std::filesystem::path profile_folder()
{
    if (const char *folder = std::getenv("TT_METAL_PROFILER_DIR")) {
        return folder;
    }
    const char *home = std::getenv("TT_METAL_HOME");
    return std::filesystem::path(home ? home : ".") / "generated/profiler/.logs";
}

}  // namespace

void write_profile()
{
    const char *is_wanted = std::getenv("TT_METAL_DEVICE_PROFILER");
    JsonWriter json;

    if (!is_wanted || std::string_view(is_wanted) != "1") {
        return;
    }
    json.open('{').key("do").text("profile");
    json.key("path").text(
        std::filesystem::absolute(profile_folder()).lexically_normal().string());
    json.close('}');
    request(json.take());
}

void report_run(const Run &run)
{
    static std::uint64_t now = 0;
    const std::vector<std::string_view> sources(run.sources.begin(), run.sources.end());
    const ProgramRealtimeRecord record{
        .runtime_id = static_cast<std::uint32_t>(run.runtime_id),
        .chip_id = static_cast<std::uint32_t>(run.chip),
        .start_timestamp = now,
        .end_timestamp = now + run.cycles,
        .frequency = static_cast<double>(machine().clock_hz) / 1e9,
        .kernel_sources = sources};

    now += run.cycles;
    for (const auto &[handle, callback] : callbacks()) {
        callback({.records = std::span(&record, 1), .dropped = 0});
    }
}

}  // namespace gridloom

namespace tt::tt_metal::experimental
{

ProgramRealtimeProfilerCallbackHandle
RegisterProgramRealtimeProfilerCallback(ProgramRealtimeProfilerCallback callback)
{
    static ProgramRealtimeProfilerCallbackHandle next = 0;

    gridloom::callbacks()[++next] = std::move(callback);
    return next;
}

void UnregisterProgramRealtimeProfilerCallback(
    ProgramRealtimeProfilerCallbackHandle handle)
{
    gridloom::callbacks().erase(handle);
}

bool IsProgramRealtimeProfilerActive()
{
    return !gridloom::callbacks().empty();
}

}  // namespace tt::tt_metal::experimental
