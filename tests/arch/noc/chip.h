/* What the tests of Wormhole's networks share: a chip, timed commands, their ends. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/noc/niu.h"
#include "arch/wormhole_noc.h"
#include "sim/engine.h"

/* Numbers that tests count with, whatever the chip file is fitted to. */
enum {
    ENDS_CYCLES = 20, /* into the network and out of it, there and back */
    HOP_CYCLES = 9,
    RESPONSE_CYCLES = 14,
    ACK_CYCLES = 6,
    CHIP_LIMIT = 10000000, /* cycles: no test comes near */
};

typedef struct {
    SimEngine *engine;
    ArchParams *params;
    ArchWormholeNoc *noc;
    GPtrArray *jobs;
} Chip;

typedef struct {
    Chip *chip;
    ArchNocCommand command;
    SimTime end;
    guint end_count;
} Job;

/* When the last of `flits` of data leaves after the header, at 1 cycle for that and
 * `cost` ten thousandths for each of the others. */
static inline SimTime tail_cycles(uint64_t flits, uint64_t cost)
{
    return flits == 0 ? 0 : 1 + (flits - 1) * cost / 10000;
}

static inline SimTime l1_tail(uint64_t flits)
{
    return tail_cycles(flits, 10225);
}

/* The n300 with the numbers above. */
ArchParams *load_params(void);

static inline void chip_open(Chip *self, bool has_contention, bool has_l1_conflicts)
{
    self->engine = sim_engine_new(sim_engine_config_default());
    self->params = load_params();
    self->noc = arch_wormhole_noc_new(
        sim_engine_region(self->engine, 0), sim_key(UINT32_MAX, 0), self->params,
        (ArchWormholeNocOptions){.has_contention = has_contention,
                                 .has_l1_conflicts = has_l1_conflicts},
        NULL);
    assert_non_null(self->noc);
    self->jobs = g_ptr_array_new_with_free_func(g_free);
}

static inline void chip_close(Chip *self)
{
    arch_wormhole_noc_free(self->noc);
    arch_params_free(self->params);
    sim_engine_free(self->engine);
    g_ptr_array_unref(self->jobs);
}

static inline void job_done(gpointer data)
{
    Job *job = data;

    job->end = sim_region_now(sim_engine_region(job->chip->engine, 0));
    job->end_count++;
}

static inline void job_issue(SimRegion *region G_GNUC_UNUSED, gpointer data)
{
    Job *job = data;

    arch_wormhole_noc_issue(job->chip->noc, &job->command);
}

static inline Job *chip_issue(Chip *self, SimTime when, ArchNocCommand command)
{
    Job *job = g_new0(Job, 1);

    *job = (Job){.chip = self, .command = command};
    job->command.done = job_done;
    job->command.data = job;
    g_ptr_array_add(self->jobs, job);
    sim_region_at(sim_engine_region(self->engine, 0), when, 1, job_issue, job);
    return job;
}

static inline void chip_run(Chip *self)
{
    g_autoptr(GError) error = NULL;

    if (!sim_engine_run(self->engine, CHIP_LIMIT, &error)) {
        fail_msg("%s", error->message);
    }
    for (guint i = 0; i < self->jobs->len; i++) {
        assert_int_equal(((const Job *) g_ptr_array_index(self->jobs, i))->end_count,
                         1);
    }
}

/* How long a command takes alone on a chip of its own. */
static inline SimTime lone_cycles(ArchNocCommand command)
{
    Chip chip;
    chip_open(&chip, true, true);
    Job *job = chip_issue(&chip, 100, command);
    chip_run(&chip);

    SimTime cycles = job->end - 100;
    chip_close(&chip);
    return cycles;
}

/* Flits that left a router of network `noc` for its east or west neighbour, its south
 * or north one, or its own tile. */
static inline uint64_t
chip_flits(const Chip *self, guint noc, ArchTile tile, guint port)
{
    return noc_network_flits(self->noc->nocs[noc].network,
                             tile.x + self->noc->width * tile.y, port);
}
