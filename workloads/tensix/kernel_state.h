/* Lua states of kernels. In each, the script is loaded again. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lua.h>

#include "workloads/sandbox/sandbox.h"
#include "workloads/tensix/kernel_run.h"
#include "workloads/tensix/reads.h"

typedef enum {
    KERNEL_MOVER,
    KERNEL_COMPUTE,
} KernelKind;

/* A state like the script's own, `host`. Fails as wl_script_load(). */
KernelState *kernel_state_new(WlSandbox *host, KernelKind kind, GError **error);
void kernel_state_free(KernelState *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(KernelState, kernel_state_free)

/* Makes the coroutine of a run. With `reads`, those of its arguments are noted, under
 * the name &run->recorder. */
bool kernel_state_begin(KernelState *self,
                        KernelRun *run,
                        Reads **reads,
                        GError **error);
/* Releases the coroutine to the garbage collector. */
void kernel_state_release(KernelState *self, KernelRun *run);

typedef enum {
    KERNEL_YIELDED, /* in a call of the API */
    KERNEL_ENDED,
    KERNEL_FAILED,
} KernelStatus;

/* Resumes a run, in an event of its region. */
KernelStatus kernel_state_try(KernelState *self, KernelRun *run, GError **error);
/* The same. Reports a failure to the region. */
KernelStatus kernel_state_resume(KernelState *self, KernelRun *run);

/* Reports the error of a kernel that has ended to the region; takes `error`. */
void kernel_state_fail_at_end(const KernelRun *run, GError *error);

/* A compute kernel's threads have got to its line `value`: see ArchComputeKernel. */
const char *kernel_run_reached(gpointer data, int32_t value, SimTime when);

/* The pending lines of its kernels. */
struct KernelLines *kernel_state_lines(const KernelState *self);

/* For a state that several regions use. */
void kernel_state_lock(KernelState *self);
void kernel_state_unlock(KernelState *self);
GPtrArray *kernel_state_tapes(const KernelState *self); /* of Tape */
lua_State *kernel_state_lua(const KernelState *self);
