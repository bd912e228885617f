/* Descriptors of a PE's program: the operands of vector operations. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse_memory.h"

enum {
    ARCH_WSE_RANK = 4,
    ARCH_WSE_NONE = 0xffff,    /* no variable, no task, no operand */
    ARCH_WSE_ENDLESS = 0x7fff, /* extent of a stream without an end */
};

/* Numbers in memory: element (i, j, k, l) is number offset + variable + i*stride[0] +
 * j*stride[1] + ... of the array, the last extent fastest. Rank 1 is CSL's mem1d, more
 * are mem4d. `variable` is read when an operation on the descriptor starts (CSL:
 * increment_dsd_offset). With ARCH_WSE_NONE, all elements must lie in the array.
 * Without an array (ARCH_WSE_NONE) it is only the shape of values, see below. */
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
 * Wavelets of an unbound color wait in the router. A color has one queue. Color
 * ARCH_WSE_NONE: values of the descriptor say which, here and in fabouts.
 * `elements_per_wavelet` is 2 for packed 16-bit numbers (CSL's simd modes), else 1. The
 * ramp moves a wavelet a cycle. An operation takes one in a step, or, where its rate
 * allows, two of streams that are wide. */
typedef enum {
    ARCH_WSE_NARROW,      /* CSL: simd_32, or none */
    ARCH_WSE_WIDE,        /* waits for two, but for the last (simd_64) */
    ARCH_WSE_WIDE_IF_ANY, /* takes two if they are there (simd_32_or_64) */
} ArchWseWidth;
typedef struct {
    guint color;
    guint queue;
    guint extent; /* in elements */
    guint elements_per_wavelet;
    ArchWseWidth width;
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
    uint8_t zeroed; /* 1 or 2: numbers of the first or second source become 0 once they
                     * are sent (CSL: zero) */
    ArchWseWidth width;
} ArchWseFaboutDsd;
bool arch_wse_program_fabout_dsd(ArchWseProgram *self,
                                 const ArchWseFaboutDsd *config,
                                 guint *dsd,
                                 GError **error);

/* An operation's index moves the descriptor, in words of 16 bits, or is the index of
 * the wavelets (CSL: wavelet_index_offset). */
bool arch_wse_program_indexed(ArchWseProgram *self, guint dsd, GError **error);

/* A first-in first-out buffer in the whole array, for one operation that pushes and one
 * that pops; either may be asynchronous. */
bool arch_wse_program_fifo(ArchWseProgram *self,
                           guint array,
                           guint *dsd,
                           GError **error);

/* Tasks that every push and every pop activates; ARCH_WSE_NONE for none. */
bool arch_wse_program_fifo_tasks(
    ArchWseProgram *self, guint fifo, guint pushed, guint popped, GError **error);

/* The same number for every element. */
bool arch_wse_program_immediate(
    ArchWseProgram *self, ArchWseType type, double value, guint *dsd, GError **error);
/* The same for a raw 32-bit word, such as a control payload. */
bool arch_wse_program_word(ArchWseProgram *self,
                           uint32_t bits,
                           guint *dsd,
                           GError **error);

/* --- Descriptors as values, in two registers: the one that is named and the next. The
 * first has the byte address and, from bit 16 on, the length; the second the number of
 * a descriptor, which gives the rest, and from bit 16 on the stride, or of a stream its
 * color + 1, where 0 is the descriptor's. A FIFO has no length until one is set (CSL:
 * @set_fifo_read_length, _write_length). Length and stride of descriptors of rank 2
 * and more do not change. Addresses have no bounds but the
 * memory, and strides count numbers of the operation's type. --- */

/* In a task: the value of a descriptor. ARCH_WSE_NONE: of memory of rank 1. */
bool arch_wse_program_dsd_value(ArchWseProgram *self,
                                guint dsd,
                                guint variable,
                                GError **error);

typedef enum {
    ARCH_WSE_ADDRESS, /* in bytes */
    ARCH_WSE_OFFSET,  /* bytes to add to the address */
    ARCH_WSE_LENGTH,
    ARCH_WSE_STRIDE,
    ARCH_WSE_COLOR, /* of a stream */
} ArchWseDsdField;
bool arch_wse_program_dsd_set(ArchWseProgram *self,
                              guint variable,
                              ArchWseDsdField field,
                              bool is_variable,
                              int32_t value, /* or a variable's number */
                              GError **error);

/* An operand that operations find in registers when they start. */
typedef enum {
    ARCH_WSE_IN_DSD,     /* a descriptor's value */
    ARCH_WSE_IN_SCALAR,  /* a number, for every element */
    ARCH_WSE_IN_ADDRESS, /* the byte address of a number; as the destination of an
                          * operation whose source 0 is a number, it adds up or so */
} ArchWseRegisterKind;
bool arch_wse_program_register_dsd(ArchWseProgram *self,
                                   ArchWseRegisterKind kind,
                                   guint variable,
                                   guint *dsd,
                                   GError **error);
