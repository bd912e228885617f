/* A tape: the calls of a compute kernel, in parts. A part has the calls between two
 * returns to the engine. The coroutine of a tape makes them for all cores on which the
 * kernel reads the same arguments and gets the same numbers from tiles; those take them
 * as workloads/tensix/player.h says.
 *
 * Coroutines of tapes run in a state of their own, run->voices, which all regions
 * share: whoever uses a tape holds its lock. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "arch/tensix_compute.h"
#include "workloads/tensix/kernel_run.h"
#include "workloads/tensix/kernel_state.h"
#include "workloads/tensix/reads.h"

typedef enum {
    TAPE_GOES_ON,
    TAPE_WAITS, /* for the result of a READ_VALUE */
    TAPE_ENDS,
    TAPE_ALONE, /* from its beginning, each core must make the calls itself */
} TapePartEnd;

/* Counted by references: no lock is needed to read one. */
typedef struct {
    ArchComputeCall *calls;
    ArchPlace *places;
    guint count;
    guint reads; /* of arguments, up to its end */
    TapePartEnd end;
} TapePart;

struct Tape {
    KernelRun voice;  /* whose coroutine makes the calls */
    GPtrArray *tapes; /* of its state, which it is one of while it has users */
    guint users;
    Reads *reads;
    GPtrArray *parts;    /* of TapePart: those that are kept */
    guint64 first;       /* the number of the first of them */
    guint kept;          /* calls in them */
    GArray *values;      /* of double: results of READ_VALUE, in order */
    GArray *calls;       /* of ArchComputeCall: of the part in the making */
    GArray *places;      /* likewise */
    bool has_all_places; /* not only those of calls that may wait */
    bool is_alone;       /* the coroutine has come to what each core must do itself */
};

/* A tape with the arguments of `run`. Fails as kernel_state_begin(). */
Tape *tape_new(const KernelRun *run, GError **error);
void tape_free(Tape *self);

/* The part of that number, which is kept. */
static inline TapePart *tape_part(const Tape *self, guint64 number)
{
    return g_ptr_array_index(self->parts, number - self->first);
}

static inline guint64 tape_part_count(const Tape *self)
{
    return self->first + self->parts->len;
}

void tape_part_unref(gpointer part);

/* Has the coroutine go on until it returns to the engine, for a run that wants the next
 * part. `value` is what it waits for, if it does. */
void tape_make_part(Tape *self, const KernelRun *run, double value);

/* Records a call that the coroutine of a tape makes. */
void tape_add(lua_State *L, KernelRun *voice, const ArchComputeCall *call);

/* The kernel is about to do what each core must do itself. In the coroutine of a tape
 * it does not return; else it does nothing. */
void tape_end_here(lua_State *L, KernelRun *run);
/* The same from where no error may be raised. */
void tape_end_soon(KernelRun *run);

/* In a state of compute kernels: sets functions that end a tape or read arguments. */
void tape_open(lua_State *L);
