/* Lets compute elements nap. */
#include "arch/wse/ce/nap.h"

#include "arch/wse/ce/queue.h"
#include "arch/wse/watch/watch.h"

enum {
    MOST_INSTRUCTIONS = 32, /* that are looked at */
};

/* What operations under way have for themselves, as bits. */
typedef struct {
    uint32_t threads;
    uint32_t inputs;
    uint32_t outputs;
} Users;

static uint32_t bit_of(guint number)
{
    return number == WSE_NO_RING ? 0 : UINT32_C(1) << number;
}

static Users users_of(const WseInstruction *instruction)
{
    return (Users){
        .threads = bit_of(instruction->thread),
        .inputs = bit_of(instruction->input) | bit_of(instruction->input2),
        .outputs = bit_of(instruction->output),
    };
}

static bool add_users(Users *self, Users more)
{
    const bool is_vacant = (self->threads & more.threads) == 0 &&
                           (self->inputs & more.inputs) == 0 &&
                           (self->outputs & more.outputs) == 0;

    self->threads |= more.threads;
    self->inputs |= more.inputs;
    self->outputs |= more.outputs;
    return is_vacant;
}

/* Whether the router has these streams already where the operation wants them. */
static bool are_bound(const WseVisit *self, const WseInstruction *starting)
{
    const WseRouter *router = self->kind->router;

    for (guint i = 0; i < starting->operand_count; i++) {
        const WseDsd *dsd = wse_visit_dsd(self, starting, i);

        if (dsd->kind == WSE_FABRIC_IN &&
            (router->slots[dsd->color] == WSE_NO_RING ||
             self->pe->bound[dsd->queue] != router->slots[dsd->color])) {
            return false;
        }
        if (dsd->kind == WSE_FABRIC_OUT) {
            const guint slot = router->sends[dsd->color];

            if (slot == WSE_NO_RING ||
                wse_pe_colors(self->pe, &self->fabric->block)[slot]
                        .rings[ARCH_WSE_RAMP] == WSE_NO_RING) {
                return false;
            }
        }
    }
    return true;
}

/* Whether the operation can start, and does nothing until a wavelet comes. */
static bool
waits_for_wavelet(const WseVisit *self, const WseInstruction *starting, Users *users)
{
    return starting->is_async && starting->has_fabric && !starting->has_fifo &&
           !starting->is_dynamic && starting->input != WSE_NO_RING &&
           add_users(users, users_of(starting)) && are_bound(self, starting);
}

/* Whether the instruction concerns nobody, and the task ends or goes on with the next.
 */
static bool
is_quiet(const WseVisit *self, const WseInstruction *instruction, Users *users)
{
    switch (instruction->code) {
    case WSE_VECTOR:
        return instruction->is_private || waits_for_wavelet(self, instruction, users);
    case WSE_ASSIGN:
    case WSE_ADD:
    case WSE_SCALAR:
    case WSE_ITERATION:
    case WSE_ZONE:
        return true;
    default:
        return false;
    }
}

/* Whether that is so for all that is left of the task. */
static bool is_quiet_to_end(const WseVisit *self)
{
    const WsePe *pe = self->pe;
    const WseInstruction *code = self->kind->code;
    Users users = {0};

    if (pe->main == WSE_WAITING ||
        (pe->main == WSE_STARTING &&
         !code[self->threads[WSE_MAIN].instruction].is_private)) {
        return false;
    }
    for (uint32_t left = pe->threads; left != 0; left &= left - 1) {
        (void) add_users(
            &users, users_of(wse_visit_instruction(self, (guint) __builtin_ctz(left))));
    }
    for (guint i = 0; i < MOST_INSTRUCTIONS; i++) {
        if (code[pe->pc + i].code == WSE_END) {
            return true;
        }
        if (!is_quiet(self, &code[pe->pc + i], &users)) {
            return false;
        }
    }
    return false;
}

/* Whether all that comes to the CE from elsewhere are wavelets, and none has come. */
static bool is_left_alone(const WseVisit *self)
{
    const WsePe *pe = self->pe;

    return (pe->activated & ~pe->blocked) == 0 && wse_queue_fed(pe, pe->threads) == 0 &&
           !self->region->has_failed && !wse_is_watched(self->region);
}

bool wse_nap_begin(WseVisit *self)
{
    WsePe *pe = self->pe;
    const uint32_t next = wse_nap_next(self);
    const bool is_idle = pe->main == WSE_IDLE && pe->work == 0;

    if ((!is_idle && next == WSE_NEVER) || !is_left_alone(self) ||
        (pe->main != WSE_IDLE && !is_quiet_to_end(self))) {
        return false;
    }
    if (is_idle) {
        self->region->left_out =
            MAX(self->region->left_out, next == WSE_NEVER ? self->now : next);
    }
    pe->behind = is_idle ? WSE_NEVER : next;
    pe->ce_wake = WSE_NEVER;
    self->region->has_naps |= !is_idle;
    return true;
}
