/* SrcA, SrcB and Dst of a core: what unpackers bring, math makes and packers take. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/compute/costs.h"
#include "arch/tensix_compute.h"

enum {
    SRC_SLOTS_LIMIT = 9, /* calls whose operands may be under way */
};

typedef struct Registers Registers;

typedef struct {
    bool is_dst_fp32;
    bool is_ieee;
    guint dst_tiles; /* in a half */
    guint fidelity;
} RegistersConfig;

Registers *registers_new(RegistersConfig config);
void registers_free(Registers *self);

/* A tile in L1. */
typedef struct {
    const guint8 *bytes;
    ArchFormat format;
} RegistersTile;

/* Operands of the call in `slot`; `b` may be NULL. */
void registers_unpack(Registers *self,
                      guint slot,
                      const ArchComputeCall *call,
                      const RegistersTile *a,
                      const RegistersTile *b);

/* 32-bit numbers straight into a tile of Dst. */
void registers_unpack_dst(Registers *self, guint half, guint tile, const guint8 *bytes);

/* Carries out a call of the math thread on `half`, with the operands in `slot`. */
void registers_math(Registers *self,
                    guint half,
                    guint slot,
                    const ArchComputeCall *call);

/* Transposes a tile in Dst. */
void registers_transpose(Registers *self, guint half, guint tile);

void registers_pack(
    Registers *self, guint half, guint tile, guint8 *bytes, ArchFormat format);

/* The half holds zeros from now on. */
void registers_release(Registers *self, guint half);
