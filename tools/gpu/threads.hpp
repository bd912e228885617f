/* Loops over all cores of the host, for references and random numbers. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace gpu
{

/* body(first, end) for parts of 0 .. count, one a thread. */
template <typename Body> void parallel_parts(size_t count, Body body)
{
    size_t threads = std::max<size_t>(1, std::thread::hardware_concurrency());
    size_t parts = std::min(threads, std::max<size_t>(1, count));
    std::vector<std::thread> running;

    for (size_t i = 1; i < parts; i++) {
        running.emplace_back(body, count * i / parts, count * (i + 1) / parts);
    }
    body(0, count / parts);
    for (std::thread &thread : running) {
        thread.join();
    }
}

/* body(i) for each i in 0 .. count. */
template <typename Body> void parallel_for(size_t count, Body body)
{
    parallel_parts(count, [&body](size_t first, size_t end) {
        for (size_t i = first; i < end; i++) {
            body(i);
        }
    });
}

}  // namespace gpu
