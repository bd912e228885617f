/* Classes of PEs: the state shared by PEs with the same program and router, and the
 * size of their blocks. */
#pragma once

#include <glib.h>

#include "arch/wse/block.h"
#include "arch/wse/layout.h"
#include "arch/wse/numbers.h"

/* A class of PEs with the same program and router. */
typedef struct {
    const ArchWseProgram *program;
    const WseInstruction *code;
    const WseDsd *dsds;
    const WseRouter *router;
    int32_t *variables; /* values at the next start; the program's unless set */
    guint program_index;
    bool has_called_tasks; /* some tasks are called by wavelets */
    bool has_routed_tasks; /* or by the router: that of teardowns, too */
    uint8_t
        eager_inputs; /* bit: queue that is read before a stream has fully arrived */
    uint8_t single_inputs; /* bit: queue whose wavelets come one by one */
    uint8_t single_outputs;
    uint8_t input_rings[WSE_INPUT_QUEUES];
    uint8_t output_rings[WSE_OUTPUT_QUEUES];
    uint8_t phases[WSE_PHASES]; /* of the program: number in the fabric */
    guint ring_count;
    guint slot_count;
    WseRing
        rings[WSE_COLORS * ARCH_WSE_DIRECTIONS + WSE_INPUT_QUEUES + WSE_OUTPUT_QUEUES];
} WseKind;

/* How its router treats colors, by slot. */
static inline const WseRoute *
wse_kind_routes(const WseKind *self, WsePe *pe, const WseBlock *block)
{
    return block->routes == 0 ? self->router->routes : wse_pe_routes(pe, block);
}

/* Whether the operation takes and sends single wavelets only. */
static inline bool wse_kind_is_single(const WseKind *self,
                                      const WseInstruction *instruction)
{
    return (instruction->input == WSE_NO_RING ||
            (self->single_inputs >> instruction->input & 1) != 0) &&
           (instruction->input2 == WSE_NO_RING ||
            (self->single_inputs >> instruction->input2 & 1) != 0) &&
           (instruction->output == WSE_NO_RING ||
            (self->single_outputs >> instruction->output & 1) != 0);
}

/* The instruction of operation `index` of a PE of the kind. */
static inline const WseInstruction *
wse_kind_instruction(const WseKind *self, WsePe *pe, const WseBlock *block, guint index)
{
    const WseInstruction *instruction =
        &self->code[wse_pe_threads(pe, block)[index].instruction];

    return G_UNLIKELY(instruction->is_dynamic)
               ? &wse_pe_lives(pe, block)[index].instruction
               : instruction;
}

/* The classes of the layout, an array of WseKind. `kind_of` receives the class of each
 * PE, row by row. `phases` collects the names of phases of all programs, interned. */
GArray *wse_kinds_new(const ArchWseLayout *layout,
                      const WseNumbers *numbers,
                      bool is_stream,
                      GPtrArray *phases,
                      uint32_t *kind_of);

/* A block large enough for each of them. */
WseBlock wse_kinds_block(const GArray *kinds, guint phase_count);

/* The state in which a PE of the kind begins. */
void wse_kind_begin(const WseKind *self,
                    guint number,
                    const WseBlock *block,
                    WsePe *pe);
