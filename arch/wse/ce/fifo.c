/* Runs the FIFOs of a compute element: memory that one operation fills and another
 * empties. */
#include "arch/wse/ce/visit.h"
#include "sim/narrow.h"

uint32_t wse_fifo_elements(const WseVisit *self, const WseInstruction *instruction)
{
    uint32_t elements = UINT32_MAX;

    for (guint i = 0; i < instruction->operand_count; i++) {
        const WseDsd *dsd = wse_visit_dsd(self, instruction, i);

        if (dsd->kind != WSE_FIFO) {
            continue;
        }
        const WseFifo *fifo = &wse_pe_fifos(self->pe, &self->fabric->block)[dsd->fifo];
        uint32_t fill = fifo->pushed - fifo->popped;

        elements = MIN(elements, i == 0 ? dsd->length - fill : fill);
    }
    return elements;
}

uint32_t wse_fifo_step(const WseVisit *self,
                       const WseInstruction *instruction,
                       uint32_t elements)
{
    const uint32_t allowed = wse_fifo_elements(self, instruction);
    const bool has_stream =
        instruction->input != WSE_NO_RING || instruction->output != WSE_NO_RING;

    if (allowed >= elements) {
        return elements;
    }
    return has_stream ? allowed - allowed % instruction->per_wavelet : allowed;
}

bool wse_fifo_is_ready(const WseVisit *self, guint index)
{
    const WseThread *thread = &self->threads[index];
    const WseInstruction *instruction = wse_visit_instruction(self, index);
    const uint32_t left = sim_u32(thread->length - thread->done);

    return wse_fifo_step(self, instruction, MIN(left, instruction->per_wavelet)) > 0;
}

uint32_t wse_fifo_at(const WseVisit *self, const WseInstruction *instruction)
{
    for (guint i = 0; i < instruction->operand_count; i++) {
        const WseDsd *dsd = wse_visit_dsd(self, instruction, i);

        if (dsd->kind == WSE_FIFO) {
            const WseFifo *fifo =
                &wse_pe_fifos(self->pe, &self->fabric->block)[dsd->fifo];

            return i == 0 ? fifo->pushed : fifo->popped;
        }
    }
    return 0;
}

void wse_fifo_move(WseVisit *self, const WseInstruction *instruction, uint32_t elements)
{
    for (guint i = 0; i < instruction->operand_count; i++) {
        const WseDsd *dsd = wse_visit_dsd(self, instruction, i);

        if (dsd->kind == WSE_FIFO) {
            WseFifo *fifo = &wse_pe_fifos(self->pe, &self->fabric->block)[dsd->fifo];

            const uint8_t signal = dsd->signals[i == 0 ? 0 : 1];

            if (i == 0) {
                fifo->pushed += elements;
            } else {
                fifo->popped += elements;
            }
            if (signal != 0) {
                self->pe->activated |= UINT64_C(1) << (signal - 1);
            }
        }
    }
}
