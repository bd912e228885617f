/* NVML through dlopen(), so that nothing is linked that a machine may lack. */
#include "tools/gpu/energy.hpp"

#include <chrono>
#include <cmath>
#include <dlfcn.h>
#include <limits>

namespace gpu
{

namespace
{

using Handle = void *;

struct Nvml {
    int (*version)(char *, unsigned) = nullptr;
    int (*energy)(Handle, unsigned long long *) = nullptr;
    int (*clock)(Handle, int, unsigned *) = nullptr;
    Handle device = nullptr;
    bool is_there = false;
};

template <typename F> bool find(void *library, const char *name, F *function)
{
    *function = (F) dlsym(library, name);
    return *function != nullptr;
}

Nvml open_nvml()
{
    Nvml nvml;
    int (*init)() = nullptr;
    int (*handle)(unsigned, Handle *) = nullptr;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);

    nvml.is_there =
        library != nullptr && find(library, "nvmlInit_v2", &init) &&
        find(library, "nvmlDeviceGetHandleByIndex_v2", &handle) &&
        find(library, "nvmlSystemGetDriverVersion", &nvml.version) &&
        find(library, "nvmlDeviceGetTotalEnergyConsumption", &nvml.energy) &&
        find(library, "nvmlDeviceGetClockInfo", &nvml.clock) && init() == 0 &&
        handle(0, &nvml.device) == 0;
    return nvml;
}

const Nvml &nvml()
{
    static const Nvml only = open_nvml();

    return only;
}

double now()
{
    using namespace std::chrono;

    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string driver_version()
{
    char text[96] = "";

    if (!nvml().is_there || nvml().version(text, sizeof text) != 0) {
        return "";
    }
    return text;
}

double energy_joules()
{
    unsigned long long millijoules = 0;

    if (!nvml().is_there || nvml().energy(nvml().device, &millijoules) != 0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return 1e-3 * (double) millijoules;
}

double clock_now_hz()
{
    constexpr int MULTIPROCESSORS = 1; /* NVML_CLOCK_SM */
    unsigned megahertz = 0;

    if (!nvml().is_there ||
        nvml().clock(nvml().device, MULTIPROCESSORS, &megahertz) != 0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return 1e6 * (double) megahertz;
}

Energy energy_of(double seconds,
                 const std::function<void()> &body,
                 const std::function<void()> &wait)
{
    double before = energy_joules();
    double start = now();
    double clock = std::numeric_limits<double>::quiet_NaN();
    long calls = 0;

    if (!std::isfinite(before)) {
        return {before, clock};
    }
    do {
        body();
        if (std::isnan(clock) && 2 * (now() - start) >= seconds) {
            clock = clock_now_hz();
        }
        wait();
        calls++;
    } while (now() - start < seconds);
    return {(energy_joules() - before) / (double) calls, clock};
}

}  // namespace gpu
