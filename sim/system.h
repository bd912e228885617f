/* The world around the chips: hosts, links and host programs, simulated by SimGrid.
 * SimGrid allows one system per process. Time here is in seconds. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/platform.h"

typedef struct SimSystem SimSystem;

/* A program on a host. It may call what stands below under "inside a program". */
typedef void (*SimProgramFunc)(SimSystem *system, gpointer data);

/* `platform` must outlive the system. `paje_path` may be NULL; otherwise SimGrid writes
 * its trace there: programs with their states, and how much of each link's bandwidth a
 * transfer used since that last changed. A link's latency in it is the placeholder of
 * the platform file. The process keeps its signal handlers. Fails with
 * SIM_ERROR_PLATFORM if there was a system before, or if the trace cannot be written.
 */
SimSystem *
sim_system_new(const SimPlatform *platform, const char *paje_path, GError **error);
void sim_system_free(SimSystem *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimSystem, sim_system_free)

/* Gives a link of the platform its numbers; before the run. */
void sim_system_set_link(SimSystem *self,
                         const char *link,
                         double latency_seconds,
                         double bytes_per_second);

/* Starts `func` on `host` at time 0, before the run. It has 16 MiB of stack (8 MiB
 * under the address sanitizer) and may create threads; only itself may call into the
 * system. */
void sim_system_add_program(SimSystem *self,
                            const char *host,
                            const char *name,
                            SimProgramFunc func,
                            gpointer data);

/* Runs until every program has returned. Call once. */
void sim_system_run(SimSystem *self);

/* Simulated seconds; also after the run. */
double sim_system_now(const SimSystem *self);

/* Inside a program. */

/* Times are good to 1e-12 s; a shorter sleep other than 0 lasts that long. */
void sim_system_sleep(SimSystem *self, double seconds);

/* Blocks while `bytes` travel from one host to another over the platform's links: the
 * latencies of the route, then the bytes at the slowest link's rate. Transfers that use
 * a link at the same time share it max-min fairly, whatever their latencies.
 * The platform must have the route (sim_platform_has_route). */
void sim_system_transfer(SimSystem *self,
                         const char *from,
                         const char *to,
                         uint64_t bytes);
