/* The work of programs on cores, added up over a run. */
#pragma once

#include "arch/tensix.h"
#include "arch/tensix_energy.h"
#include "workloads/host/energy.h"
#include "workloads/host/session.h"
#include "workloads/tensix/kernel_state.h"

/* What the chip had done when a program ended, transfers of the host not included. */
typedef struct {
    SimTime end;
    ArchTensixActivity activity;
} CoreActivity;

/* Session.state of a chip with Tensix cores. */
typedef struct {
    GPtrArray *kernels; /* of KernelState or NULL: the movers', then by region */
    GArray *ended;      /* of CoreActivity, as programs ended; old ones go */
} CoreState;

CoreState *core_state_new(void);
void core_state_free(CoreState *self);
CoreState *core_state(const Session *session);

/* The state of the movers, or of the compute kernels of a region, made when first asked
 * for. That of region 0, which has none, is for their tapes. Fails as
 * kernel_state_new(). */
KernelState *
core_kernels(const Session *session, KernelKind kind, guint region, GError **error);

/* Adds the program that has just ended. */
void core_use_add(Session *session, const ArchTensix *tensix);

/* At the end, adds the bytes that network links carried to the counters. */
void core_use_report(SessionRun *run);

/* HostFamily.energy */
void core_use_energy(const Session *session, double seconds, HostEnergy *energy);
