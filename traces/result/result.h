/* The result of a run as the JSON object that scripts and tools read. The schema only
 * grows. */
#pragma once

#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#define TRACE_RESULT_SCHEMA_VERSION 1

/* A limit of the machine, for rooflines. */
typedef struct {
    const char *name;
    const char *unit;
    double value;
    double achieved; /* in the same unit; NaN: not known */
    const char *source;
} TraceRoof;

/* Everything is borrowed. Objects may be NULL for none. */
typedef struct {
    const char *gridloom; /* version */
    const char *workload;
    const char *chip;
    const char *chip_digest;
    const char *system; /* of several chips; NULL leaves it and `chips` out */
    guint chips;
    uint64_t seed;
    JsonObject *parameters; /* the values that were in effect */
    JsonObject *given;      /* those that the user gave; NULL leaves it out */
    JsonObject *inputs;     /* files of --in by the arrays' names; likewise */
    JsonObject *chip_used;  /* likewise */
    JsonObject *overrides;
    uint64_t cycles;
    double seconds;
    uint64_t iterations;
    JsonObject *counters; /* flops, sram_bytes, noc_bytes, dram_bytes are added as 0 */
    JsonObject *busy;
    JsonObject *stalls;
    JsonObject *zones;
    JsonObject *metrics;
    const double *energy_joules; /* NULL: not modelled */
    const TraceRoof *roofs;
    gsize roof_count;
    JsonArray *rows; /* a table of the command's own; NULL leaves the member out */
    const char *check_status;
    double max_abs_error;
    double tolerance;
    const char *reference;
    JsonArray *chip_parameters; /* every number of the chip: section, key, value as
                                 * text, unit, confidence, source; NULL leaves the
                                 * member out */
    double wall_seconds;
    uint64_t events;
    uint64_t peak_rss_bytes;
    guint threads;
} TraceResult;

/* Indented, with a line end; the caller frees it. Numbers that JSON cannot hold
 * (infinite, not a number) become null, also in the objects given. */
char *trace_result_to_json(const TraceResult *self);
