/* Runs the body of a script on a simulated system, in a process of its own, because
 * SimGrid allows one system in each. What came of it comes back as JSON. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/time.h"

enum {
    MACHINE_OVERRIDES = 8,
};

typedef struct {
    const char *chip;    /* NULL: wormhole_n300 */
    const char *system;  /* NULL: default */
    const char *kernels; /* of the script, by name, without braces; NULL: none */
    uint64_t steps;      /* 0: the default */
    const char *overrides[MACHINE_OVERRIDES];
    bool is_timing_only;
    SimTime limit_cycles;  /* 0: none */
    guint stop_after;      /* reports of progress; 0: never */
    uint64_t memory_bytes; /* 0: the default */
    guint threads;         /* 0: one */
} Machine;

/* What a run left behind. Members of `root`: error, domain, code (of a failure);
 * printed; now, cycles, seconds, iterations, host_seconds, transfer_seconds,
 * launch_seconds, device_seconds, energy_joules (-1 where unknown); check,
 * max_abs_error, reference; metrics, zones, busy, stalls, counters; roofs (achieved, -1
 * where unknown); tables (of CSV); fraction, reports (of progress). */
typedef struct {
    JsonParser *parser;
    JsonObject *root;
} Result;

static inline void result_clear(Result *self)
{
    g_clear_object(&self->parser);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Result, result_clear)

/* `body` is that of run(host, p) and starts in line 2 of t.lua. `machine` may be NULL.
 */
Result machine_run(const char *body, const Machine *machine);

/* A run that must not fail. */
Result machine_run_well(const char *body, const Machine *machine);

/* Members of the root. */
double result_number(const Result *self, const char *name);
const char *result_text(const Result *self, const char *name);
JsonObject *result_object(const Result *self, const char *name);

/* Seconds are good to the clock's own precision. */
void assert_seconds(const Result *self, const char *name, double expected);

/* A run on the usual machine prints this. */
void assert_printed(const char *body, const char *expected);

/* Its error is of this kind, and its first line is `message`. */
void assert_failed(const Result *self, GQuark domain, int code, const char *message);
void assert_fails(const char *body, GQuark domain, int code, const char *message);
