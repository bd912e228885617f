/* What tokens with WSE_TOKEN_PAYLOAD carry: payloads, or letters as long as PEs stand
 * for others that have numbers (diary.h). */
#pragma once

#include "arch/wse/data/letter.h"
#include "arch/wse/region.h"

/* The last `left` words of a payload; NULL of WSE_NO_PAYLOAD. */
static inline const uint32_t *
wse_carried_words(const WseRegion *region, uint32_t number, guint left)
{
    if (number == WSE_NO_PAYLOAD) {
        return NULL;
    }
    WsePayloads *payloads = wse_region_payloads(region, number);

    return wse_payloads_words(payloads, number) + wse_payloads_count(payloads, number) -
           left;
}

/* References of tokens to what they carry. Nobody counts those to letters. */
static inline void
wse_carried_hold(const WseRegion *region, uint32_t number, guint references)
{
    if (region->fabric->diary == NULL) {
        wse_payloads_hold(wse_region_payloads(region, number), number, references);
    }
}
static inline void wse_carried_drop(const WseRegion *region, uint32_t number)
{
    if (region->fabric->diary == NULL) {
        wse_payloads_drop(wse_region_payloads(region, number), number);
    }
}

/* Gives up a reference to a payload, if there is one. */
static inline void wse_carried_forget(const WseRegion *region, uint32_t *number)
{
    if (*number != WSE_NO_PAYLOAD) {
        wse_payloads_drop(wse_region_payloads(region, *number), *number);
        *number = WSE_NO_PAYLOAD;
    }
}

/* What a token carries, after it went over a link. */
static inline uint32_t
wse_carried_over(const WseRegion *region, uint32_t number, guint link)
{
    return region->fabric->diary == NULL ? number : wse_letter_over(number, link);
}
