/* Descriptors of a PE's program: the operands of vector operations. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse_memory.h"

enum {
    ARCH_WSE_RANK = 4,
    ARCH_WSE_NONE = 0xffff, /* no variable, no task, no operand */
};

/* Numbers in memory: element (i, j, k, l) is number offset + variable + i*stride[0] +
 * j*stride[1] + ... of the array, the last extent fastest. Rank 1 is CSL's mem1d, more
 * are mem4d. `variable` is read when an operation on the descriptor starts (CSL:
 * increment_dsd_offset). With ARCH_WSE_NONE, all elements must lie in the array. */
typedef struct {
    guint array;
    guint rank;
    guint extents[ARCH_WSE_RANK];
    int strides[ARCH_WSE_RANK];
    int offset;
    guint variable;
} ArchWseMemoryDsd;
bool arch_wse_program_memory_dsd(ArchWseProgram *self,
                                 const ArchWseMemoryDsd *config,
                                 guint *dsd,
                                 GError **error);

/* A stream from the fabric. A queue used for a single color is bound to it from the
 * start. A queue used for several colors is bound to one when an operation on it
 * starts, until an operation on another color starts; the queue must then be empty.
 * Wavelets of an unbound color wait in the router. A color has one queue.
 * `elements_per_wavelet` is 2 for packed 16-bit numbers (simd_32), else 1. */
typedef struct {
    guint color;
    guint queue;
    guint extent; /* in elements */
    guint elements_per_wavelet;
} ArchWseFabinDsd;
bool arch_wse_program_fabin_dsd(ArchWseProgram *self,
                                const ArchWseFabinDsd *config,
                                guint *dsd,
                                GError **error);

/* A stream to the fabric. A control stream's words are control payloads. */
typedef struct {
    guint color;
    guint queue;
    guint extent;
    guint elements_per_wavelet;
    bool is_control;
    bool is_switch_advanced; /* of the PE's own router, after the last wavelet */
    uint16_t index;          /* upper half of the wavelet of a 16-bit number */
} ArchWseFaboutDsd;
bool arch_wse_program_fabout_dsd(ArchWseProgram *self,
                                 const ArchWseFaboutDsd *config,
                                 guint *dsd,
                                 GError **error);

/* A first-in first-out buffer in the whole array, for one operation that pushes and one
 * that pops; either may be asynchronous. */
bool arch_wse_program_fifo(ArchWseProgram *self,
                           guint array,
                           guint *dsd,
                           GError **error);

/* The same number for every element. */
bool arch_wse_program_immediate(
    ArchWseProgram *self, ArchWseType type, double value, guint *dsd, GError **error);
/* The same for a raw 32-bit word, such as a control payload. */
bool arch_wse_program_word(ArchWseProgram *self,
                           uint32_t bits,
                           guint *dsd,
                           GError **error);
