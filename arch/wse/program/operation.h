/* The vector operations of a PE: names, rates and what they do to numbers.
 *
 * Numbers are IEEE 754's, rounded to the nearest. fmacs, fmach and fmachs are source 0
 * + source 1 * source 2, rounded once, as fmaf() does: the vendor's documents do not
 * say, and a fused unit does so. A maximum is source 1 unless source 0 is greater. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/wse_program.h"

/* One element: `sources` as the bits of numbers of the source types, lower bits first;
 * returns those of the destination type. */
typedef uint32_t (*WseElementFunc)(const uint32_t *sources);

/* A row of f32 numbers, one after the other and aligned to nothing. The destination may
 * equal a source but must not overlap one otherwise. */
typedef void (*WseRowFunc)(uint8_t *destination,
                           const uint8_t *const *sources,
                           uint32_t count);

/* The same where the last source is one number for all. */
typedef void (*WseRowByFunc)(uint8_t *destination,
                             const uint8_t *const *sources,
                             float number,
                             uint32_t count);

typedef struct {
    const char *name;
    guint source_count;      /* 1..3 */
    ArchWseType destination; /* types its operands must have; integer types of one size
                              */
    ArchWseType sources[3];  /* are interchangeable */
    bool is_untyped;         /* only their size counts: mov16, mov32 */
    guint flops;             /* per element */
    const char *rate;        /* key of the chip file: elements per cycle */
    WseElementFunc element;
    WseRowFunc row;      /* the same for many; NULL for none */
    WseRowByFunc row_by; /* NULL: `row` does it with copies of the number */
} WseOperation;

typedef enum {
    WSE_ARITHMETIC_F32,
    WSE_ARITHMETIC_F16,
    WSE_ARITHMETIC_MIXED, /* from halves to whole ones */
} WseArithmetic;

guint wse_operation_count(void);
const WseOperation *wse_operation_at(guint index);
/* Returns false if there is no such operation. */
bool wse_operation_find(const char *name, guint *index);
/* Whether CSL has an operation of this name and nobody outside knows its results. */
bool wse_operation_is_unknown(const char *name);
/* The arithmetic that its operations are counted as. */
WseArithmetic wse_operation_arithmetic(const WseOperation *self);
/* All names as "a, b, c"; the caller frees it. */
char *wse_operation_names(void);

/* On rows of f32 numbers, each a WseRowFunc: the same bits as element by element. */

void wse_row_mov(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_add(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_sub(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_mul(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_mac(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_max(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_neg(uint8_t *destination, const uint8_t *const *sources, uint32_t count);
void wse_row_abs(uint8_t *destination, const uint8_t *const *sources, uint32_t count);

void wse_row_mul_by(uint8_t *destination,
                    const uint8_t *const *sources,
                    float number,
                    uint32_t count);
void wse_row_mac_by(uint8_t *destination,
                    const uint8_t *const *sources,
                    float number,
                    uint32_t count);

enum {
    WSE_ROW_PRODUCTS = 4,
};
/* Adds to each number of a row that of another row times a number, or those of
 * WSE_ROW_PRODUCTS rows one after the other: as wse_row_mul_by() and wse_row_add()
 * would. */
void wse_row_add_product(uint8_t *row,
                         const uint8_t *source,
                         float number,
                         uint32_t count);
void wse_row_add_products(uint8_t *row,
                          const uint8_t *const *sources,
                          const float *numbers,
                          uint32_t count);
