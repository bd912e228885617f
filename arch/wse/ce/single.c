/* Finds operations all of whose steps are usual. */
#include "arch/wse/ce/single.h"

#include "arch/wse/watch/watch.h"

/* There are no data to move, and nobody watches or asks. */
static bool is_possible(const WseRegion *region)
{
    return !region->fabric->is_functional && region->fabric->races == NULL &&
           region->spent == NULL && !wse_is_watched(region);
}

/* The flags of the last wavelet that it sends. */
static uint16_t flags_of(const WseVisit *self, const WseDsd *dsd)
{
    const guint slot = self->kind->router->sends[dsd->color];

    return sim_u16(slot << WSE_TOKEN_SLOT |
                   (dsd->is_switch_advanced ? (guint) WSE_TOKEN_ADVANCE : 0));
}

/* The compute element gives the issue slot to the lowest thread that is ready, at no
 * cost, and wavelets call no tasks. */
static bool is_simple(const WseVisit *self)
{
    const WseNumbers *numbers = &self->fabric->numbers;

    return numbers->arbitration == WSE_LOWEST_ID && numbers->thread_switch == 0 &&
           !self->kind->has_called_tasks;
}

void wse_single_begin(const WseVisit *self,
                      const WseInstruction *instruction,
                      guint index)
{
    WseThread *thread = &self->threads[index];
    const WseNumbers *numbers = &self->fabric->numbers;
    const uint8_t bit = sim_u8(1u << index % WSE_MAIN);
    const guint input = instruction->input;
    const guint output = instruction->output;
    const uint32_t cycles = 1 + (numbers->is_stall_of_thread ? 0u : thread->stall);
    const uint32_t reissue =
        MAX(numbers->reissue, 1) + (numbers->is_stall_of_thread ? thread->stall : 0u);
    const bool is_usual =
        thread->is_single && !instruction->has_fifo && !instruction->is_wide &&
        !instruction->is_live && !instruction->is_endless &&
        !instruction->is_reduction && instruction->input2 == WSE_NO_RING &&
        (input != WSE_NO_RING || output != WSE_NO_RING) &&
        (output == WSE_NO_RING || !wse_visit_dsd(self, instruction, 0)->is_control) &&
        cycles <= UINT8_MAX && reissue <= UINT8_MAX && is_possible(self->region);

    if (index != WSE_MAIN) {
        self->pe->unusual &= (uint8_t) ~bit;
        self->pe->unusual |= is_usual && is_simple(self) ? 0 : bit;
    }
    if (!is_usual) {
        return;
    }
    thread->usual = instruction->per_wavelet;
    thread->input = input == WSE_NO_RING ? WSE_NO_RING : self->kind->input_rings[input];
    thread->cycles = sim_u8(cycles);
    thread->reissue = sim_u8(reissue);
    thread->output = WSE_NO_RING;
    if (output != WSE_NO_RING) {
        thread->output = self->kind->output_rings[output];
        thread->flags = flags_of(self, wse_visit_dsd(self, instruction, 0));
    }
}
