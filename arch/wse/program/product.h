/* Rows of products that operations have written to memory, but that are not there yet.
 * Most are added to something and then overwritten: added as they are made, they need
 * no memory. */
#pragma once

#include <stdint.h>

enum {
    WSE_PRODUCTS = 32,
};

/* `count` f32 numbers of a stream, one after the other, each times a number, for the
 * memory from `address` on. */
typedef struct {
    int64_t address;
    const uint8_t *words; /* they stay as long as the product does */
    float number;
    uint32_t count;
} WseProduct;

/* No two overlap in memory. Empty if `count`, `low` and `high` are 0. */
typedef struct WseProducts {
    uint8_t *memory;
    uint32_t count;
    int64_t low; /* there are none below it, nor from `high` on */
    int64_t high;
    WseProduct all[WSE_PRODUCTS];
} WseProducts;

/* The product is written: memory that was to be there before it is not needed. */
void wse_products_add(WseProducts *self, const WseProduct *product);

/* The product for exactly this memory, or NULL. */
const WseProduct *
wse_products_find(const WseProducts *self, int64_t address, uint32_t count);

/* Bytes from `low` to before `high` will be read: products there come into memory. */
void wse_products_settle(WseProducts *self, int64_t low, int64_t high);

/* All these bytes will be written: products there are not needed. */
void wse_products_overwrite(WseProducts *self, int64_t low, int64_t high);
