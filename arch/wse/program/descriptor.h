/* Descriptors: the operands of vector operations, as the PEs read them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse_dsd.h"

typedef enum {
    WSE_MEMORY,
    WSE_FABRIC_IN,
    WSE_FABRIC_OUT,
    WSE_FIFO,
    WSE_IMMEDIATE,
    /* What an operation finds in registers, and turns into one of the others. */
    WSE_VALUE,
    WSE_REGISTER,
    WSE_POINTER,
} WseDsdKind;

typedef struct {
    WseDsdKind kind;
    ArchWseType type;
    uint8_t bytes; /* of an element; 0 for the fabric: the operation decides */
    uint8_t rank;
    uint8_t elements_per_wavelet;
    bool is_wide;    /* a step of an operation moves up to two wavelets */
    bool is_patient; /* and waits for both */
    uint8_t color;
    uint8_t queue;
    bool is_control;
    bool is_switch_advanced;
    bool is_indexed;
    uint8_t zeroed;     /* of a fabout: operand that is 0 after it was sent, or 0 */
    uint8_t signals[2]; /* tasks + 1 for a FIFO's pushes and pops; 0: none */
    uint16_t index;
    uint16_t variable; /* whose value is added to the offset */
    uint16_t outside;  /* array + 1 beyond which it reaches, or 0 */
    uint16_t fifo;     /* number of the FIFO among those of the program */
    uint16_t extents[ARCH_WSE_RANK];
    int16_t strides[ARCH_WSE_RANK]; /* in elements */
    int32_t address;                /* of element 0, in bytes */
    uint32_t length;                /* in elements; of a FIFO its capacity */
    uint32_t bits;                  /* of an immediate */
} WseDsd;

/* The colors of a program's streams and of routes that it changes, as bits; all where
 * registers name some. */
uint32_t wse_program_colors(const ArchWseProgram *self);
