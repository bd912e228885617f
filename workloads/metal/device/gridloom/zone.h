// The profiler: zones to the end of their scope, numbers and events with their time.
#pragma once

#include "gridloom/environment.h"

namespace gridloom
{

struct Zone {
    template <size_t count, size_t length>
    FORCE_INLINE Zone(const char (&name)[count], const char (&file)[length], uint32_t line)
    {
        call(Call::zone_begin, reinterpret_cast<uint32_t>(&name), count - 1, line, reinterpret_cast<uint32_t>(&file),
             length - 1);
    }
    FORCE_INLINE ~Zone() { call(Call::zone_end); }
};

template <size_t count, size_t length>
FORCE_INLINE void stamp(const char (&name)[count], uint64_t value, const char (&file)[length], uint32_t line)
{
    call(Call::stamp, reinterpret_cast<uint32_t>(&name), count - 1, static_cast<uint32_t>(value),
         static_cast<uint32_t>(value >> 32), line, reinterpret_cast<uint32_t>(&file), length - 1);
}

}  // namespace gridloom

#define GRIDLOOM_JOIN_(a, b) a##b
#define GRIDLOOM_JOIN(a, b)  GRIDLOOM_JOIN_(a, b)

#define DeviceZoneScopedN(name)            const gridloom::Zone GRIDLOOM_JOIN(gridloom_zone_, __LINE__)(name, __FILE__, __LINE__)
#define DeviceZoneScopedMainN(name)        DeviceZoneScopedN(name)
#define DeviceZoneScopedMainChildN(name)   DeviceZoneScopedN(name)
#define DeviceZoneScopedSumN1(name)        DeviceZoneScopedN(name)
#define DeviceZoneScopedSumN2(name)        DeviceZoneScopedN(name)
#define DeviceTimestampedData(name, value) gridloom::stamp(name, value, __FILE__, __LINE__)
#define DeviceRecordEvent(id)              gridloom::stamp("", id, __FILE__, __LINE__)
#define DeviceZoneSetCounter(count)
#define DeviceProfilerInit()
