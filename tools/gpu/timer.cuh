/* Times work on the GPU with events. */
#pragma once

#include <algorithm>
#include <chrono>

#include "tools/gpu/device.cuh"
#include "tools/gpu/timing.hpp"

namespace gpu
{

/* Seconds between two points of a stream. */
class Stopwatch
{
  public:
    explicit Stopwatch(cudaStream_t stream = nullptr) : stream_(stream)
    {
        GPU_TRY(cudaEventCreate(&start_));
        GPU_TRY(cudaEventCreate(&stop_));
    }
    ~Stopwatch()
    {
        cudaEventDestroy(start_);
        cudaEventDestroy(stop_);
    }
    Stopwatch(const Stopwatch &) = delete;
    Stopwatch &operator=(const Stopwatch &) = delete;

    void start()
    {
        GPU_TRY(cudaEventRecord(start_, stream_));
    }
    void stop()
    {
        GPU_TRY(cudaEventRecord(stop_, stream_));
    }
    /* Waits for the stop. */
    double seconds()
    {
        float milliseconds = 0;

        GPU_TRY(cudaEventSynchronize(stop_));
        GPU_TRY(cudaEventElapsedTime(&milliseconds, start_, stop_));
        return 1e-3 * (double) milliseconds;
    }

  private:
    cudaStream_t stream_;
    cudaEvent_t start_ = nullptr;
    cudaEvent_t stop_ = nullptr;
};

/* Calls body(i), which enqueues work on `stream`, `warmups` times and then `repeats`
 * times between events, of which each is waited for. i counts all calls, so that bodies
 * can take turns among arrays. prepare() comes before each call and is not timed. */
template <typename Body, typename Prepare>
Timing time_on_device(
    int warmups, int repeats, Body body, cudaStream_t stream, Prepare prepare)
{
    Stopwatch watch(stream);
    Timing timing;

    timing.warmups = warmups;
    for (int i = 0; i < warmups; i++) {
        prepare();
        body(i);
    }
    GPU_TRY(cudaDeviceSynchronize());
    for (int i = 0; i < repeats; i++) {
        prepare();
        watch.start();
        body(warmups + i);
        watch.stop();
        timing.seconds.push_back(watch.seconds());
    }
    GPU_LAUNCHED();
    std::sort(timing.seconds.begin(), timing.seconds.end());
    return timing;
}

template <typename Body>
Timing
time_on_device(int warmups, int repeats, Body body, cudaStream_t stream = nullptr)
{
    return time_on_device(warmups, repeats, body, stream, []() {});
}

/* The same by the host's clock, from an idle GPU until it is idle again. */
template <typename Body, typename Prepare>
Timing time_on_host(int warmups, int repeats, Body body, Prepare prepare)
{
    using Clock = std::chrono::steady_clock;
    Timing timing;

    timing.warmups = warmups;
    for (int i = 0; i < warmups + repeats; i++) {
        prepare();
        GPU_TRY(cudaDeviceSynchronize());
        Clock::time_point start = Clock::now();
        body(i);
        GPU_TRY(cudaDeviceSynchronize());
        if (i >= warmups) {
            timing.seconds.push_back(
                std::chrono::duration<double>(Clock::now() - start).count());
        }
    }
    GPU_LAUNCHED();
    std::sort(timing.seconds.begin(), timing.seconds.end());
    return timing;
}

}  // namespace gpu
