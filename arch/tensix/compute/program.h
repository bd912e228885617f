/* The calls of a compute kernel. They are checked in program order and kept until all
 * three threads have finished with them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/ledger.h"
#include "arch/tensix_compute.h"

/* In the order of the operations that end them. */
typedef enum {
    DST_FREE,      /* the kernel owns no half */
    DST_ACQUIRED,  /* math may write */
    DST_COMMITTED, /* handed over */
    DST_WAITED,    /* pack may read */
    DST_STATES,
} TensixProgramDst;

/* Who runs a program: all three threads, or one. */
enum {
    TENSIX_PROGRAM_OF_ALL = 3,
};

typedef struct TensixProgram {
    guint thread;           /* or TENSIX_PROGRAM_OF_ALL */
    ArchComputeCall *calls; /* a ring of `capacity`, a power of two */
    ArchPlace *places;      /* of those that were asked for, likewise */
    guint capacity;
    uint64_t begin; /* the oldest call that is kept */
    uint64_t end;   /* the next one to be made */
    const CircularBuffer *buffers;
    TensixCbLedger ledgers[CIRCULAR_BUFFERS];
    TensixProgramDst dst;
    bool is_dst_fp32;
    bool adds_to_l1; /* packs do, from here on */
    guint dst_tiles;
    guint zone_depth;
    uint64_t values_asked; /* calls of READ_VALUE */
} TensixProgram;

void tensix_program_init(TensixProgram *self,
                         guint thread,
                         const CircularBuffer *buffers,
                         bool is_dst_fp32,
                         guint dst_tiles);
void tensix_program_clear(TensixProgram *self);

/* Adds a call, or the products of a block. Fails with ARCH_ERROR_INVALID if it is not
 * allowed here. */
bool tensix_program_add(TensixProgram *self,
                        const ArchComputeCall *call,
                        GError **error);

/* Fails if the kernel must not end here. */
bool tensix_program_check_end(const TensixProgram *self, GError **error);

static inline const ArchComputeCall *tensix_program_at(const TensixProgram *self,
                                                       uint64_t position)
{
    return &self->calls[position & (self->capacity - 1)];
}

/* The place of a call, which was noted with the second of them after the calls from
 * `first` on were added. */
static inline ArchPlace tensix_program_place(const TensixProgram *self,
                                             uint64_t position)
{
    return self->places[position & (self->capacity - 1)];
}

static inline void
tensix_program_note_place(TensixProgram *self, uint64_t first, ArchPlace place)
{
    for (uint64_t i = first; i < self->end; i++) {
        self->places[i & (self->capacity - 1)] = place;
    }
}

/* Whether a call may come here, by the rule of its operation. Fails like
 * tensix_program_add(). */
typedef bool
TensixCheck(TensixProgram *self, const ArchComputeCall *call, GError **error);

TensixCheck tensix_check_pages;
TensixCheck tensix_check_shift;
TensixCheck tensix_check_turn;
TensixCheck tensix_check_math;
TensixCheck tensix_check_cast;
TensixCheck tensix_check_vector;
TensixCheck tensix_check_pack;
TensixCheck tensix_check_accumulate;
TensixCheck tensix_check_relu;
TensixCheck tensix_check_value;
TensixCheck tensix_check_zone;
TensixCheck tensix_check_zone_end;
