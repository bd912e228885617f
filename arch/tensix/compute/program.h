/* The calls of a compute kernel, kept until all three threads are through with them,
 * and checked in the order in which the kernel made them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/ledger.h"
#include "arch/tensix_compute.h"

typedef enum {
    DST_FREE,      /* no half is the kernel's */
    DST_ACQUIRED,  /* math may write */
    DST_COMMITTED, /* handed over */
    DST_WAITED,    /* pack may read */
} ProgramDst;

typedef struct {
    ArchComputeCall *calls; /* a ring of `capacity`, a power of two */
    guint capacity;
    uint64_t begin; /* the oldest call that is kept */
    uint64_t end;   /* the next one to be made */
    const CircularBuffer *buffers;
    CbLedger ledgers[CIRCULAR_BUFFERS];
    ProgramDst dst;
    bool is_dst_fp32;
    guint dst_tiles;
    guint zone_depth;
    uint64_t values_asked; /* calls of READ_VALUE */
} Program;

void program_init(Program *self,
                  const CircularBuffer *buffers,
                  bool is_dst_fp32,
                  guint dst_tiles);
void program_clear(Program *self);

/* Fails with ARCH_ERROR_INVALID where the call must not come here. */
bool program_add(Program *self, const ArchComputeCall *call, GError **error);

/* Fails where the kernel must not end here. */
bool program_check_end(const Program *self, GError **error);

static inline const ArchComputeCall *program_at(const Program *self, uint64_t position)
{
    return &self->calls[position & (self->capacity - 1)];
}

/* The name that kernels know a call by. */
const char *program_call_name(ArchComputeOp op);
