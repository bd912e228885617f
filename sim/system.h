/* The world around the chips: hosts, links and host programs, simulated by SimGrid.
 * SimGrid allows one system per process. Time here is in seconds. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/platform.h"

typedef struct SimSystem SimSystem;

/* A program that another one has started. */
typedef struct SimProgram SimProgram;

/* A gate lets one program pass each time it is opened, first come first served. */
typedef struct SimGate SimGate;

/* A program on a host. It may call the functions below "Inside a program". */
typedef void (*SimProgramFunc)(SimSystem *system, gpointer data);

/* Loads SimGrid ahead of the first system. A process that forks children with a system
 * each calls it once before it forks. Fails with SIM_ERROR_LIBRARY. */
bool sim_system_load(GError **error);

/* `platform` must outlive the system. `paje_path` may be NULL; otherwise SimGrid writes
 * its trace there: the states of programs, and the bandwidth that transfers use on each
 * link, at every change. Link latencies in the trace are those of the platform file.
 * The process keeps its signal handlers. Fails with SIM_ERROR_PLATFORM if there was a
 * system before, or if the trace cannot be written; with SIM_ERROR_LIBRARY if SimGrid
 * cannot be loaded. */
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
 * under the address sanitizer). It may create threads, but those must not call into the
 * system. */
void sim_system_add_program(SimSystem *self,
                            const char *host,
                            const char *name,
                            SimProgramFunc func,
                            gpointer data);

/* The numbers a link has, by its index in the platform. */
typedef struct {
    double latency_seconds;
    double bytes_per_second;
} SimLinkNumbers;
SimLinkNumbers sim_system_link_numbers(const SimSystem *self, guint link);

/* What a link has carried so far: the bytes of all finished transfers, and the time
 * during which at least one was under way, without latencies. */
typedef struct {
    uint64_t bytes;
    double busy_seconds;
} SimLinkUse;
SimLinkUse sim_system_link_use(const SimSystem *self, guint link);

/* A transfer on a link. The texts are borrowed. */
typedef struct {
    guint link;
    guint under_way;     /* transfers on the link from now on */
    const char *program; /* the one that waits for it */
    const char *from;    /* hosts */
    const char *to;
    uint64_t bytes;
    double begin; /* without latencies */
    double now;
    bool is_over; /* false: it begins */
} SimLinkDeed;

/* Reports every transfer on every link, at its begin and at its end. Set it before the
 * run. */
typedef void (*SimLinkFunc)(gpointer data, const SimLinkDeed *deed);
void sim_system_watch_links(SimSystem *self, SimLinkFunc func, gpointer data);

/* The platform given to sim_system_new(); borrowed. */
const SimPlatform *sim_system_platform(const SimSystem *self);

/* Runs until every program has returned. Call once. */
void sim_system_run(SimSystem *self);

/* Simulated seconds; also after the run. */
double sim_system_now(const SimSystem *self);

/* Inside a program. Functions that block, start a program or open a gate let other
 * programs run meanwhile. */

/* The name of the program itself; borrowed. */
const char *sim_system_program(const SimSystem *self);

/* Starts another program on `host`, now. */
SimProgram *sim_system_start(SimSystem *self,
                             const char *host,
                             const char *name,
                             SimProgramFunc func,
                             gpointer data);
/* Blocks until it has returned, and frees the handle. */
void sim_system_join(SimSystem *self, SimProgram *program);

/* Gates may be made and freed inside or outside of programs. Nobody may wait at a gate
 * when it is freed. */
SimGate *sim_gate_new(void);
void sim_gate_free(SimGate *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimGate, sim_gate_free)
void sim_gate_open(SimGate *self);
void sim_gate_pass(SimGate *self);
/* The same, but waits at most `seconds`. */
void sim_gate_pass_within(SimGate *self, double seconds);

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

/* The same without the latencies: returns when the last byte has left. */
void sim_system_send(SimSystem *self, const char *from, const char *to, uint64_t bytes);
