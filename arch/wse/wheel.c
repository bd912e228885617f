/* A ring of buckets with the PEs to look at. */
#include "arch/wse/wheel.h"

enum {
    WORDS = WSE_WHEEL_CYCLES / 64,
    FIRST_CAPACITY = 8,
};

WseWheel *wse_wheel_new(void)
{
    return g_new0(WseWheel, 1);
}

void wse_wheel_free(WseWheel *self)
{
    if (self == NULL) {
        return;
    }
    for (guint i = 0; i < WSE_WHEEL_CYCLES; i++) {
        g_free(self->buckets[i].pes);
    }
    g_free(self);
}

void wse_bucket_grow(WseBucket *self)
{
    self->capacity = self->capacity == 0 ? FIRST_CAPACITY : 2 * self->capacity;
    self->pes = g_renew(uint32_t, self->pes, self->capacity);
}

uint32_t wse_wheel_next(const WseWheel *self, uint32_t now)
{
    uint32_t start = (now + 1) % WSE_WHEEL_CYCLES;
    uint64_t word = self->filled[start / 64] & (UINT64_MAX << (start % 64));

    for (guint i = 0; i <= WORDS; i++) {
        guint index = (start / 64 + i) % WORDS;

        if (i > 0) {
            word = self->filled[index];
        }
        if (word != 0) {
            uint32_t at = index * 64 + (uint32_t) __builtin_ctzll(word);

            return (at - now + WSE_WHEEL_CYCLES) % WSE_WHEEL_CYCLES;
        }
    }
    return 0;
}
