/* The energy that the board has used and its clock, as NVML tells them; the library is
 * looked for when a program runs. */
#pragma once

#include <functional>
#include <string>

namespace gpu
{

/* Version of the driver; empty where NVML is not there. */
std::string driver_version();

/* Joules since the driver was loaded; NaN where they are not known. */
double energy_joules();

/* The clock of the multiprocessors now; NaN where it is not known. */
double clock_now_hz();

struct Energy {
    double joules;   /* of one call */
    double clock_hz; /* half way */
    double seconds;  /* of one call */
};

/* Joules of one call of `body`, which enqueues work: keeps the GPU busy with calls,
 * waiting with `wait`, until the counter, which moves about ten times a second, has
 * done so twice with `seconds` between; its rise over the time between, times the time
 * of a call. NaN where something is not known. */
Energy energy_of(double seconds,
                 const std::function<void()> &body,
                 const std::function<void()> &wait);

}  // namespace gpu
