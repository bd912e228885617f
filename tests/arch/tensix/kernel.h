/* A compute kernel for tests: a list of calls on one core whose input buffers are full.
 */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/tensix.h"
#include "arch/tensix_compute.h"
#include "sim/engine.h"

enum {
    KERNEL_IN = 0,   /* full from the start */
    KERNEL_IN2 = 1,  /* likewise */
    KERNEL_OUT = 2,  /* room for all */
    KERNEL_LOOP = 3, /* two buffers of two pages; the first holds one */
    KERNEL_LOOP2 = 4,
};

/* Makes the calls of round `round`. */
typedef void (*KernelRound)(GArray *calls, guint round);

typedef struct {
    KernelRound round;
    guint rounds;
    guint pages; /* of the input and output buffers; 0: as many as rounds */
    ArchFormat format;
    bool is_large;
    bool is_unrolled;
    guint fidelity; /* 0: 1 */
    bool has_empty_inputs;
    bool is_timing_only;
    bool is_dst_fp32; /* also with a narrow format */
    bool has_out_format;
    ArchFormat out_format; /* of the output buffer, if not as the inputs' */
    /* Before the kernel starts, and after it has ended; may be NULL. */
    void (*fill)(guint8 *inputs);
    void (*look)(const guint8 *output);
} KernelTest;

typedef struct {
    SimTime cycles;
    GArray *uses;  /* of ArchTensixUse */
    GArray *zones; /* of ArchTensixZone */
    GError *error; /* of the run */
    char *refusal; /* why a call was refused, or the end */
} KernelResult;

KernelResult kernel_run(const KernelTest *test);
void kernel_result_clear(KernelResult *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(KernelResult, kernel_result_clear)

/* Cycles that one round more takes, in the long run. */
double kernel_slope(KernelTest test, guint rounds);

#define KERNEL_CALL(calls, ...)                                                        \
    do {                                                                               \
        const ArchComputeCall kernel_call = {__VA_ARGS__};                             \
        g_array_append_val((calls), kernel_call);                                      \
    } while (0)
