/* Rooflines: how fast a machine lets a program run, and how fast it ran. */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* A machine that computes at most at `peak` and moves data at most at `bandwidth`, in
 * operations and bytes per unit of time, both above 0. */
typedef struct {
    double peak;
    double bandwidth;
} TraceRoofline;

/* A run on it. */
typedef struct {
    double flops;
    double bytes; /* through the memory that the roofline is of */
    double cycles;
    double seconds;
} TraceRooflineRun;

/* The rate that the machine allows at this intensity, operations per byte:
 * min(peak, intensity * bandwidth). */
double trace_roofline_attainable(const TraceRoofline *self, double intensity);

/* The intensity from which on the peak is the limit. */
double trace_roofline_ridge(const TraceRoofline *self);

/* Reads a run from the text of a result object: counters.flops, the counter called
 * `counter` (sram_bytes, noc_bytes, dram_bytes), cycles and seconds. `name` is for
 * messages. Fails with TRACE_ERROR_READ where the text is no result, or has not moved a
 * byte there or taken a cycle. */
bool trace_roofline_run_read(TraceRooflineRun *run,
                             const char *name,
                             const char *text,
                             const char *counter,
                             GError **error);

/* Operations per byte, and per cycle. */
double trace_roofline_run_intensity(const TraceRooflineRun *run);
double trace_roofline_run_rate(const TraceRooflineRun *run);
