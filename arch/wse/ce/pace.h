/* How fast the steps of a vector operation with streams follow each other. */
#pragma once

#include "arch/wse/ce/visit.h"
#include "arch/wse/factor.h"
#include "sim/narrow.h"

/* Cycles in which an operation issues so many wavelets, where others of its phase do so
 * too. */
static inline uint32_t wse_pace_stretched(const WseVisit *self,
                                          const WseInstruction *instruction,
                                          const WseThread *thread,
                                          uint32_t cycles)
{
    if (thread->is_single || !self->fabric->is_stream || instruction->is_alone) {
        return cycles;
    }
    WseFactor *factor = &g_array_index(self->fabric->factors, WseFactor,
                                       self->kind->phases[instruction->phase]);

    if (self->fabric->has_ranges) {
        wse_factor_note(factor, cycles);
    }
    return sim_u32(wse_factor_times(factor->value, cycles));
}

/* Cycles before a thread that has issued so many elements can issue again: a sum that
 * goes into one number is there before the next is added. */
static inline uint32_t wse_pace_interval(const WseVisit *self,
                                         const WseInstruction *instruction,
                                         uint32_t elements)
{
    const uint32_t reissue = self->fabric->numbers.reissue;
    const SimRatio rate = self->kind->program->collisions.reduction;

    return G_LIKELY(!instruction->is_reduction)
               ? reissue
               : MAX(reissue, sim_u32((elements * rate.num + rate.den - 1) / rate.den));
}
