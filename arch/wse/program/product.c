/* Remembers products, and computes those that are needed. */
#include "arch/wse/program/product.h"

#include <glib.h>

#include "arch/wse/program/operation.h"

enum {
    WORD = 4,
};

static int64_t end_of(const WseProduct *product)
{
    return product->address + (int64_t) product->count * WORD;
}

static bool is_apart(const WseProduct *product, int64_t low, int64_t high)
{
    return end_of(product) <= low || high <= product->address;
}

static void compute(WseProducts *self, uint32_t index)
{
    const WseProduct *product = &self->all[index];

    wse_row_mul_by(self->memory + product->address, &product->words, product->number,
                   product->count);
}

static void leave_out(WseProducts *self, uint32_t index)
{
    self->all[index] = self->all[--self->count];
}

/* How many are to be looked through for such bytes. */
static uint32_t count_near(const WseProducts *self, int64_t low, int64_t high)
{
    return low < self->high && self->low < high ? self->count : 0;
}

void wse_products_settle(WseProducts *self, int64_t low, int64_t high)
{
    for (uint32_t i = count_near(self, low, high); i-- > 0;) {
        if (!is_apart(&self->all[i], low, high)) {
            compute(self, i);
            leave_out(self, i);
        }
    }
}

void wse_products_overwrite(WseProducts *self, int64_t low, int64_t high)
{
    for (uint32_t i = count_near(self, low, high); i-- > 0;) {
        const WseProduct *product = &self->all[i];

        if (is_apart(product, low, high)) {
            continue;
        }
        if (product->address < low || high < end_of(product)) {
            compute(self, i);
        }
        leave_out(self, i);
    }
}

const WseProduct *
wse_products_find(const WseProducts *self, int64_t address, uint32_t count)
{
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->all[i].address == address && self->all[i].count == count) {
            return &self->all[i];
        }
    }
    return NULL;
}

void wse_products_add(WseProducts *self, const WseProduct *product)
{
    WseProduct *same =
        (WseProduct *) wse_products_find(self, product->address, product->count);

    if (same != NULL) {
        *same = *product;
        return;
    }
    wse_products_overwrite(self, product->address, end_of(product));
    if (self->count == WSE_PRODUCTS) {
        wse_products_settle(self, INT64_MIN, INT64_MAX);
    }
    self->low = self->count == 0 ? product->address : MIN(self->low, product->address);
    self->high = self->count == 0 ? end_of(product) : MAX(self->high, end_of(product));
    self->all[self->count++] = *product;
}
