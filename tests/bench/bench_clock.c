/* Clocks of the host, read whenever a run says how far it is. */
#include "tests/bench/bench_clock.h"

#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec now = {0};

    (void) clock_gettime(clock, &now);
    return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

bool bench_clock_observe(gpointer data, const WlProgress *progress)
{
    BenchClock *self = data;
    double wall = seconds_of(CLOCK_MONOTONIC);
    double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);

    if (self->wall > 0 && progress->events > self->events) {
        self->wall_seconds += wall - self->wall;
        self->cpu_seconds += cpu - self->cpu;
    }
    self->events = progress->events;
    self->wall = wall;
    self->cpu = cpu;
    return true;
}
