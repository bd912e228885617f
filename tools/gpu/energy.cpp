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

/* Calls of `body` that keep the GPU busy for a while. */
static long calls_of_a_batch(const std::function<void()> &body,
                             const std::function<void()> &wait)
{
    constexpr double BATCH_SECONDS = 0.012;
    constexpr long MOST = 1L << 20;

    for (long calls = 1; calls < MOST; calls *= 2) {
        double start = now();

        for (long i = 0; i < calls; i++) {
            body();
        }
        wait();
        if (now() - start >= BATCH_SECONDS) {
            return calls;
        }
    }
    return MOST;
}

Energy energy_of(double seconds,
                 const std::function<void()> &body,
                 const std::function<void()> &wait)
{
    constexpr double PATIENCE = 1; /* seconds beside those that are asked for */
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    const long batch = calls_of_a_batch(body, wait);
    double before = 0;
    double latest = energy_joules();
    double begin = now();
    double start = begin;
    double clock = unknown;
    long calls = 0;

    while (std::isfinite(latest) && now() - begin < 2 * seconds + PATIENCE) {
        for (long i = 0; i < batch; i++) {
            body();
        }
        calls += batch;
        /* The GPU is busy while the counter is read, which takes milliseconds. */
        double joules = energy_joules();
        double time = now();

        if (joules != latest && before == 0) {
            before = joules;
            start = time;
        } else if (joules != latest && time - start >= seconds) {
            wait();
            double each = (now() - begin) / (double) calls;

            return {(joules - before) / (time - start) * each, clock, each};
        }
        latest = joules;
        if (std::isnan(clock) && 2 * (time - start) >= seconds) {
            clock = clock_now_hz();
        }
        wait();
    }
    return {unknown, clock, unknown};
}

}  // namespace gpu
