/* The Lua state in which the kernels of one region run: the script, loaded again.
 * States of different regions may run at the same time. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/sandbox/sandbox.h"
#include "workloads/tensix/kernel_run.h"

typedef enum {
    KERNEL_MOVER,
    KERNEL_COMPUTE,
} KernelKind;

/* As the script's own state, `host`. Fails as wl_script_load(). */
KernelState *kernel_state_new(WlSandbox *host, KernelKind kind, GError **error);
void kernel_state_free(KernelState *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(KernelState, kernel_state_free)

/* Makes the coroutine of a run, of the script's kernel called `function`. */
bool kernel_state_prepare(KernelState *self,
                          KernelRun *run,
                          const char *function,
                          GBytes *arguments,
                          GError **error);
/* Lets the collector have it. */
void kernel_state_release(KernelState *self, KernelRun *run);

typedef enum {
    KERNEL_YIELDED, /* in a call of ours */
    KERNEL_ENDED,
    KERNEL_FAILED,
} KernelStatus;

/* Goes on with a run; in an event of its region. A failure is told to the region. */
KernelStatus kernel_state_resume(KernelState *self, KernelRun *run);

/* Tells the region what is wrong with a kernel that has ended; takes `error`. */
void kernel_state_fail_at_end(const KernelRun *run, GError *error);

/* Passes on what its kernels printed. */
void kernel_state_flush(KernelState *self);
