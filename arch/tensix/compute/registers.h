/* SrcA, SrcB and Dst of a core: unpackers fill them, math computes in them, packers
 * read them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/compute/costs.h"
#include "arch/tensix/compute/packer.h"
#include "arch/tensix_compute.h"

enum {
    SRC_SLOTS_LIMIT = 11, /* calls whose operands may be under way */
};

typedef struct TensixRegisters TensixRegisters;

typedef struct {
    bool is_dst_fp32;
    bool is_ieee;
    guint dst_tiles; /* in a half */
    guint fidelity;
} TensixRegistersConfig;

TensixRegisters *tensix_registers_new(TensixRegistersConfig config);
void tensix_registers_free(TensixRegisters *self);

/* A tile in L1. */
typedef struct {
    const guint8 *bytes;
    ArchFormat format;
} TensixRegistersTile;

/* Operands of the call in `slot`; `b` may be NULL. */
void tensix_registers_unpack(TensixRegisters *self,
                             guint slot,
                             const ArchComputeCall *call,
                             const TensixRegistersTile *a,
                             const TensixRegistersTile *b);

/* 32-bit numbers straight into a tile of Dst. */
void tensix_registers_unpack_dst(TensixRegisters *self,
                                 guint half,
                                 guint tile,
                                 const TensixRegistersTile *from);

/* Carries out a call on `half`: of the FPU, with the operands in `slot`, or of the
 * SFPU. */
void tensix_registers_fpu(TensixRegisters *self,
                          guint half,
                          guint slot,
                          const ArchComputeCall *call);
void tensix_registers_sfpu(TensixRegisters *self,
                           guint half,
                           const ArchComputeCall *call);

/* An instruction on vectors, likewise. */
void tensix_registers_vector(TensixRegisters *self,
                             guint half,
                             const ArchComputeCall *call);

/* Transposes a tile in Dst. */
void tensix_registers_transpose(TensixRegisters *self, guint half, guint tile);

/* A tile of Dst to `to` in L1. */
void tensix_registers_pack(TensixRegisters *self,
                           guint half,
                           guint tile,
                           const TensixPacker *packer,
                           guint8 *to,
                           ArchFormat format);

/* Sets the half to zero. */
void tensix_registers_release(TensixRegisters *self, guint half);
